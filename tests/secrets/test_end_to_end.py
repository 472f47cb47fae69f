"""Generated credentials through the real hooks: what lies in the inbox, and what is left once it is drained."""

import contextlib
import json
import random

import generated
import pytest

from recollect.hooks import inbox

NUMBER = 24
NATIVE = {
    "prompt": "UserPromptSubmit", "tool output": "PostToolUse", "file write": "PostToolUse",
    "commit message": "PostToolUse", "error": "PostToolUseFailure", "answer": "Stop", "transcript": "Stop",
}  # fmt: skip


def samples(number):
    """Some of both halves, named and bare, spread over families and carriers."""
    found = [*generated.named("tune"), *generated.named("held"), *generated.bare("tune"), *generated.bare("held")]
    return found[7 :: len(found) // number][:number]


def fields(surface, sample, turn, folder):
    """What a client sends of an event that holds a sample."""
    bash = {"tool_name": "Bash", "tool_use_id": f"t{turn}"}
    written = {"file_path": "src/settings.txt", "content": f"a\n{sample.text}\nb\n"}
    told = {
        "prompt": {"prompt": f"why is the staging cluster slow?\n{sample.text}\n"},
        "tool output": {
            **bash,
            "tool_input": {"command": "./run"},
            "tool_response": {"stdout": f"ok\n{sample.text}\n"},
        },
        "file write": {"tool_name": "Write", "tool_use_id": f"w{turn}", "tool_input": written},
        "commit message": {**bash, "tool_input": {"command": f'git commit -m "fix: login\n\n{sample.text}"'}},
        "error": {**bash, "tool_input": {"command": "make"}, "error": f"Exit code 1\nError: refused\n{sample.text}\n"},
        "answer": {"last_assistant_message": f"Done:\n{sample.text}\n", "stop_hook_active": False},
    }
    if surface != "transcript":
        return told[surface]
    place = folder / f"{turn}.jsonl"
    line = {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": sample.text}]}}
    place.write_text(json.dumps(line) + "\n")
    return {"transcript_path": str(place), "stop_hook_active": False}


def tell(box, surface, folder):
    """Send an event for each sample through the hook."""
    told = samples(NUMBER)
    for turn, sample in enumerate(told):
        base = {"session_id": "s1", "cwd": str(box.root), "prompt_id": f"p{turn}", "hook_event_name": NATIVE[surface]}
        raw = json.dumps(base | fields(surface, sample, turn, folder))
        box.run("hook", "claude-code", NATIVE[surface], stdin=raw)
    return told


def kept(box, told):
    """The samples of which something stands in a file that we wrote."""
    texts = list[str]()
    for path in box.folder.rglob("*"):
        if path.is_file() and ".git" not in path.parts:
            with contextlib.suppress(FileNotFoundError):  # a worker ends, and SQLite removes what it needed
                texts.append(path.read_bytes().decode("utf-8", "replace"))
    left = [sample for sample in told if not all(generated.is_gone(sample, text) for text in texts)]
    return [(sample.family, sample.carrier) for sample in left]


@pytest.mark.parametrize("surface", NATIVE)
def test_no_credential_reaches_inbox_store_journal_or_backup(make_box, tmp_path_factory, surface):
    box = make_box()
    box.init()
    box.run("remember", "The staging cluster is slow on Mondays because of backups", "--kind", "decision", "--why", "x")
    told = tell(box, surface, tmp_path_factory.mktemp("transcripts"))
    assert kept(box, told) == [], "in the inbox"
    box.run("drain", "--json")
    assert inbox.waiting(str(box.home)) == []
    assert kept(box, told) == [], "in the store"
    out = box.folder / "out.jsonl"
    out.write_text(box.run("export", "-").out)
    assert kept(box, told) == [], "in what is exported"


def test_a_receipt_keeps_no_word_of_a_credential_even_of_one_that_the_hook_missed(box):
    box.run("remember", "The staging cluster is slow on Mondays because of backups", "--kind", "decision", "--why", "x")
    missed = "Zq8rT2vLm4Xw9KpBn3"
    base = {"session_id": "s1", "cwd": str(box.root), "prompt_id": "p", "hook_event_name": "UserPromptSubmit"}
    prompt = f"why is the staging cluster slow? Jenkins credentials: jane:{missed}"
    box.run("hook", "claude-code", "UserPromptSubmit", stdin=json.dumps(base | {"prompt": prompt}))
    box.run("drain", "--json")
    told = box.run("why", "--json").json
    assert "staging" in told["words"]
    assert not any(word.lower() in missed.lower() for word in told["words"] if len(word) > 2)


def test_an_error_is_asked_about_without_its_credentials(box):
    token = generated.FAMILIES[3].make(random.Random(1))
    fields = ("--kind", "runbook", "--title", "The mirror refuses logins", "--set", "steps=restart it", "--set",
              "verification=it answers")  # fmt: skip
    box.run("remember", "the mirror refuses logins with error E4711 after midnight", *fields)
    base = {"session_id": "s1", "cwd": str(box.root), "tool_name": "Bash", "tool_use_id": "t"}
    error = f"Exit code 1\nError: the mirror refuses logins with error E4711 after midnight: {token}"
    raw = json.dumps(base | {"hook_event_name": "PostToolUseFailure", "tool_input": {"command": "x"}, "error": error})
    box.run("hook", "claude-code", "PostToolUseFailure", stdin=raw)
    noted = "".join(path.read_text() for path in (box.home / "inbox").glob("*.event")).lower()
    assert '"words"' in noted, "the runbook was told, with a receipt"
    assert token.lower() not in noted
    assert token[4:12].lower() not in noted
