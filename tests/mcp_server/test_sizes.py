"""What is read as a resource or a prompt stays small too: a client puts it into the model's context as it is."""

import pytest
from builders import Box

from recollect.faces.mcp.server import Server
from recollect.faces.mcp.session import Session

MOST = 8_000


@pytest.fixture
def box(make_box) -> Box:
    return make_box(git=False)


def test_a_long_log_is_told_from_its_end(box):
    box.run("init", "--layout", "log")
    server, session = Server(env=box.env), Session("s1", folder=str(box.root))
    with box.living():
        box.run("log", "append", "The first entry", "--session", "s1", "--sensitivity", "public")
        log = box.root / "MEMORY.md"
        first = log.read_text().splitlines()[-1]
        texts = [
            *(f"Ship {number} was at the pier" + " \U0001f6a2" * 40 for number in range(99)),
            "The last entry",
            "x" * 9_000,
        ]
        log.write_text("\n".join([log.read_text(), *(first.replace("The first entry", text) for text in texts)]))
        [content] = server.read_resource("recollect://log/MEMORY.md", session)
        server.close()
    assert MOST - 1_500 < len(content["text"].encode()) <= MOST
    assert "older lines are left off" in content["text"]
    assert "The last entry" in content["text"]
    assert "The first entry" not in content["text"]


def test_of_many_that_wait_for_the_user_the_first_are_told_and_the_rest_counted(box):
    texts = [f"Perhaps ship {number} is late" + " \U0001f6a2" * 140 for number in range(40)]
    box.bring(*({"title": text[:80], "tags": ["pending"], "channel": "claude-code:statement", "confidence": 0.4,
                 "content": {"text": text}} for text in texts))  # fmt: skip
    server = Server(env=box.env)
    with box.living():
        prompt = server.get_prompt("review-pending", {}, Session("s1", folder=str(box.root)))
        server.close()
    text = prompt["messages"][0]["content"]["text"]
    shown = text.count("`recollect keep ")
    assert len(text.encode()) <= MOST
    assert f"{40 - shown} more wait" in text
    assert shown > 5
