"""`eval` of capture: sessions replayed, and what is counted of what was filed."""

import json

import pytest

BASE = {"session_id": "5b1f0c8e", "transcript_path": "/home/dev/none.jsonl", "cwd": "/home/dev/shop", "prompt_id": "p1"}
RULE = "From now on always use pnpm in this repo, never npm, because the lockfile is pnpm's."


def event(native, keep=None, memory=None, **fields):
    labels = {} if keep is None else {"keep": keep}
    return {"after": 20, "hook": {**BASE, "hook_event_name": native, **fields}, **labels} | (
        {"memory": memory} if memory else {}
    )


def asked(prompt, memory=None):
    return event("UserPromptSubmit", memory is not None, memory, prompt=prompt)


def session(*events, memories, later=()):
    start, end = event("SessionStart", source="startup"), event("SessionEnd", reason="other")
    return {"name": "one", "project": "shop", "events": [start, *events, end], "memories": memories, "next": later}


def gold(name, kind, *says):
    return {"name": name, "kind": kind, "says": [list(says)]}


def run(box, dataset, said, code=0):
    place = box.folder / "sessions.jsonl"
    place.write_text(json.dumps(said), "utf-8")
    return box.run("eval", "--dataset", dataset, "--data", str(place), "--json", code=code)


def test_a_duplicate_says_what_another_says_and_a_split_is_only_of_the_same(box):
    said = session(
        asked("use the walrus queue", "queue"), asked("the walrus queue it is", "queue"),
        asked("ports are 6380", "port"), asked("as on staging", "port"), asked("thanks"),
        memories=[gold("queue", "decision", "walrus"), gold("port", "constraint", "6380")],
    )  # fmt: skip
    everything = run(box, "capture", said).json["systems"]["keep everything"]
    assert everything["memories"] == 5
    assert everything["duplicates"] == pytest.approx(1 / 5)
    assert everything["splits"] == pytest.approx(2 / 5)
    assert everything["junk_per_session"] == 1
    assert everything["gold_said"] == 1


def test_what_is_filed_is_compared_with_the_labels(box):
    said = session(asked(RULE, "pnpm"), event("Stop", keep=False, last_assistant_message="Ok."),
                   memories=[gold("pnpm", "preference", "pnpm")])  # fmt: skip
    ours = run(box, "capture", said).json["systems"]["recollect"]
    assert (ours["f1"], ours["kind"], ours["junk_per_session"], ours["gold_said"]) == (1, 1, 0, 1)


def test_the_next_session_is_asked_what_it_was_told(box):
    later = [{"prompt": "which package manager do we use?", "memories": ["pnpm"], "facts": [["pnpm"], ["bun"]]}]
    said = session(asked(RULE, "pnpm"), event("Stop", keep=False, last_assistant_message="Ok."),
                   memories=[gold("pnpm", "preference", "pnpm")], later=later)  # fmt: skip
    told = run(box, "sessions", said).json
    assert (told["prompts"], told["facts"], told["told"]) == (1, 2, 0.5)


def test_a_label_without_its_memory_is_refused_by_name(box):
    problem = run(box, "capture", session(asked(RULE, "nowhere"), memories=[]), code=1).err
    assert "nowhere" in problem
    assert "README" in problem
