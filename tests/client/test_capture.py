"""What sessions of the real clients leave behind by themselves, and what the next session is told of it."""

import json
import shlex
import shutil
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

from builders import Box
from client import codex, gemini
from client.api import PATIENCE_SECONDS, Api, Turn, says, uses
from client.claude import Desk, Run
from client.person import Person

from recollect.setup.install import hook_words

PLUGIN = Path(__file__).parents[2] / "plugins" / "claude-code"
SKILL = PLUGIN / "skills" / "memory-management"

BROKEN = "def total(prices):\n    return sum(prices[1:])\n"
CHECK = """from orders import total

found = total([20, 22])
assert found == 42, f"two orders come to {found} instead of 42"
print("ok")
"""
COMMAND = "python3 test_orders.py"
ERROR = "AssertionError: two orders come to 22 instead of 42"
SLICED, SUMMED = "    return sum(prices[1:])", "    return sum(prices)"
FIX = "Edit orders.py: return sum(prices[1:]) → return sum(prices)"
CAUSE = "The root cause was that total() skipped the first price because of a slice."
HISTORY = (
    "The root cause was that total() skipped the first price of every list because of a slice, which came in when the "
    "header of the price lists was to be cut off: that belongs into the import of the lists, whose first line is one, "
    "and not into the sum, where the first price is a price like every other one."
)

PREFERENCE = "From now on always use pnpm in this repo, never npm, because the deploy image takes the wrong lockfile."
REPAIR = "The test of the orders fails, please repair it."

DECIDED = "We decided to go with Postgres instead of MongoDB because we need transactions."
CHOSEN = "I chose one instance over two because the second one would idle."
# What is asked stands in the client's transcript when a turn ends; what is answered may come into it a moment later.
PROMPT = f"{DECIDED}\n{CHOSEN}"
ANSWER = "Postgres it is, then: the tables follow the diagram."
SAVE = "recollect remember 'Postgres holds the orders' --kind decision --why 'orders need transactions'"
FEEDBACK = "Stop hook feedback:"
BLOCKED, LET_GO = 2, 0


# -- the scene --------------------------------------------------------------------------------------------------------


def break_it(desk: Person) -> str:
    """Put a test that fails, and the module that it is about, into the repository; the module's path."""
    (desk.root / "test_orders.py").write_text(CHECK)
    place = desk.root / "orders.py"
    place.write_text(BROKEN)
    return str(place)


def repair(desk: Desk, cause: str) -> Run:
    """A session that sees the test fail, repairs it, sees it pass, and says what it was."""
    place = break_it(desk)
    run = desk.ask(
        REPAIR,
        uses("Bash", command=COMMAND),
        uses("Read", file_path=place),
        uses("Edit", file_path=place, old_string=SLICED, new_string=SUMMED),
        uses("Bash", command=COMMAND),
        says(f"The test passes now. {cause}"),
    )
    assert ERROR in run.result(1)
    assert run.result(4) == "ok"
    return run


def kept(desk: Person, kind: str) -> list[dict[str, Any]]:
    """The memories of a kind, once the background has done its work."""
    desk.settle()
    found: list[dict[str, Any]] = desk.recollect("list", "--kind", kind, "--json").json
    return found


def the_repair(desk: Person, session: str) -> dict[str, Any]:
    """The one runbook that a session left, which says what was seen, why, and when it is over."""
    [runbook] = kept(desk, "runbook")
    content = runbook["content"]
    assert (runbook["session"], runbook["origin"]) == (session, "tool")
    assert (content["trigger"], content["symptoms"]) == (ERROR, [ERROR])
    assert CAUSE in content["root_cause"]
    assert content["verification"] == f"`{COMMAND}` passes"
    assert runbook["files_modified"] == ["orders.py"]
    return runbook


def the_preference(desk: Person, session: str) -> dict[str, Any]:
    """The one preference that a session left, in the user's own words."""
    [preference] = kept(desk, "preference")
    assert (preference["session"], preference["origin"]) == (session, "user")
    assert PREFERENCE in preference["content"]["value"]
    return preference


# -- Claude Code ------------------------------------------------------------------------------------------------------


def test_an_error_and_its_repair_become_one_runbook(desk: Desk) -> None:
    run = repair(desk, CAUSE)
    runbook = the_repair(desk, run.session)
    assert runbook["content"]["steps"] == [FIX]
    assert runbook["channel"] == "claude-code:repair"
    calls = [key for key in runbook["derived_from"] if key.startswith(f"{run.session}/Tool")]
    assert len(calls) == 3  # the run that failed, the edit, and the run that passed: looking is none of it
    story = desk.recollect("timeline", "--session", run.session).out
    told = [line.split()[1] for line in story.splitlines() if line.strip()]
    assert told[:5] == ["asked", "failed", "edited", "ran", "answered"]
    assert f"runbook: {ERROR}" in story
    assert not desk.log.exists(), desk.log.read_text()


def test_a_session_that_meets_a_known_error_is_told_the_repair_before_it_acts(desk: Desk) -> None:
    repair(desk, HISTORY)
    desk.settle()
    break_it(desk)
    run = desk.ask("Have a look at the orders", uses("Bash", command=COMMAND), says("I know what that is."))
    assert FIX not in run.told()  # the start has a line for it, which is cut before it comes to that
    told = run.told_by("PostToolUseFailure")
    assert ERROR in told
    assert FIX in told
    assert f"`{COMMAND}` passes" in told
    assert told in run.told(1)
    assert len(kept(desk, "runbook")) == 1  # the same error again is no second one


def test_what_a_user_wants_from_now_on_is_told_in_the_next_session(desk: Desk) -> None:
    first = desk.ask(PREFERENCE, says("Understood."))
    preference = the_preference(desk, first.session)
    assert (preference["content"]["strength"], preference["tags"].count("pending")) == ("strong", 0)
    second = desk.ask("Please add the package zod", says("Added with pnpm."))
    assert second.session != first.session
    assert "always use pnpm in this repo, never npm" in second.told_by("SessionStart")
    assert second.told_by("SessionStart") in second.told()


# -- triage in Claude Code --------------------------------------------------------------------------------------------


def ask(desk: Desk, prompt: str, *turns: Turn, flags: tuple[str, ...] = ()) -> Run:
    """Run the client on one prompt where the end of a turn may be refused, with no rights but what flags give."""
    printed = ("--output-format", "stream-json", "--verbose", "--include-hook-events")
    with Api(turns) as api:
        done = subprocess.run(
            [desk.binary, "-p", prompt, *printed, *flags],
            cwd=desk.root,
            env={**desk.env, "ANTHROPIC_BASE_URL": api.url},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
        )
    assert (done.returncode, done.stderr, api.unsaid) == (0, "", [])
    return Run(0, list(map(json.loads, done.stdout.splitlines())), "", api.requests)


def stops(run: Run) -> list[int]:
    """How the hook answered each end of the turn."""
    ended = [event for event in run.events if event.get("subtype") == "hook_response"]
    assert {hook["exit_code"] for hook in ended if hook["hook_event"] != "Stop"} == {0}
    return [hook["exit_code"] for hook in ended if hook["hook_event"] == "Stop"]


def asked_for(run: Run, request: int) -> dict[str, Any]:
    """The triage data in the feedback that a request ends with."""
    feedback = run.told(request).rpartition(FEEDBACK)[2]
    data: dict[str, Any] = json.loads(feedback.partition("<triage_data>")[2].partition("</triage_data>")[0])
    return data


def test_a_turn_that_holds_a_decision_ends_only_after_the_skill_saved_it(desk: Desk) -> None:
    shutil.copytree(SKILL, desk.root / ".claude" / "skills" / SKILL.name)
    session = str(uuid.uuid4())
    folder = desk.store.parent / "runtime"
    context, draft = (
        folder / f".memory-triage-context-{session}-decision.txt",
        folder / f".memory-draft-decision-{session}.json",
    )
    content = {
        "status": "accepted",
        "context": "orders and stock change together",
        "decision": "Postgres holds the orders",
        "rationale": ["orders need transactions"],
    }
    record = {"category": "decision", "title": "Postgres for orders", "tags": ["database"], "content": content}
    target = ".claude/memory/decisions/postgres-for-orders.json"
    write = "recollect write --action create --category decision"
    run = ask(
        desk,
        PROMPT,
        says(ANSWER),
        uses("Skill", skill=SKILL.name),
        uses("Read", file_path=str(context)),
        uses("Bash", command="recollect candidate --category decision --new-info 'Postgres holds the orders'"),
        uses("Write", file_path=str(draft), content=json.dumps(record)),
        uses("Bash", command=f"{write} --target {target} --input {shlex.quote(str(draft))}"),
        says("Done."),
        flags=("--session-id", session, "--allowedTools", f"Skill({SKILL.name})"),
    )
    assert stops(run) == [BLOCKED, LET_GO]
    assert [run.told(request).count(FEEDBACK) for request in range(len(run.requests))] == [0, 1, 1, 1, 1, 1, 1]
    [category] = asked_for(run, 1)["categories"]
    assert (category["category"], category["context_file"]) == ("decision", str(context))
    assert DECIDED in run.result(3)  # what a drafter is to read
    assert "structural_cud" in json.loads(run.result(4))
    assert json.loads((desk.root / target).read_text())["content"]["decision"] == "Postgres holds the orders"
    assert not draft.exists()
    assert not (desk.root / ".claude" / ".stop_hook_active").exists()


def test_an_answer_that_is_not_in_the_transcript_yet_counts(box: Box) -> None:
    shutil.copytree(SKILL, box.root / ".claude" / "skills" / SKILL.name)
    transcript = box.folder / "transcript.jsonl"
    transcript.write_text(json.dumps({"type": "user", "message": {"role": "user", "content": DECIDED}}) + "\n")
    stop = {
        "session_id": str(uuid.uuid4()),
        "transcript_path": str(transcript),
        "cwd": str(box.root),
        "hook_event_name": "Stop",
        "stop_hook_active": False,
        "last_assistant_message": CHOSEN,
    }
    done = box.run("hook", "claude-code", "Stop", stdin=json.dumps(stop), code=None)
    assert (done.code, "[DECISION]" in done.err) == (BLOCKED, True)


def test_what_was_answered_before_a_turn_went_on_to_save_is_kept(desk: Desk) -> None:
    shutil.copytree(SKILL, desk.root / ".claude" / "skills" / SKILL.name)
    run = ask(desk, PROMPT, says(ANSWER), says("Nothing to save."))
    assert stops(run) == [BLOCKED, LET_GO]
    [turn] = desk.turns()
    assert ANSWER in turn


def test_what_the_skill_was_asked_to_save_is_not_kept_a_second_time(desk: Desk) -> None:
    shutil.copytree(SKILL, desk.root / ".claude" / "skills" / SKILL.name)
    run = ask(desk, PROMPT, says(ANSWER), uses("Bash", command=SAVE), says("Done."), flags=("--allowedTools", "Bash"))
    assert stops(run) == [BLOCKED, LET_GO]
    assert [memory["title"] for memory in kept(desk, "decision")] == ["Postgres holds the orders"]


def test_the_plugin_brings_the_skill_and_the_block(bare: Desk) -> None:
    bare.recollect("init")
    (bare.store.parent / "hook-command").write_text(shlex.join([sys.executable, *hook_words()]))
    flags = ("--plugin-dir", str(PLUGIN), "--allowedTools", "Skill(memory:memory-management)")
    turns = (says(ANSWER), uses("Skill", skill="memory:memory-management"), uses("Bash", command=SAVE), says("Done."))
    run = ask(bare, PROMPT, *turns, flags=flags)
    assert stops(run) == [BLOCKED, LET_GO]
    assert [category["category"] for category in asked_for(run, 1)["categories"]] == ["decision"]
    assert "postgres-holds-the-orders" in run.result(3)
    assert "Postgres holds the orders" in [memory["title"] for memory in kept(bare, "decision")]


# -- Codex and Gemini CLI ---------------------------------------------------------------------------------------------


def test_codex_sessions_leave_what_the_next_one_is_told(codex_desk: codex.Desk) -> None:
    codex_desk.install()
    break_it(codex_desk)
    patch = ("*** Begin Patch", "*** Update File: orders.py", "@@", f"-{SLICED}", f"+{SUMMED}", "*** End Patch", "")
    first = codex_desk.ask(
        f"{REPAIR} {PREFERENCE}",
        uses("exec_command", cmd=COMMAND),
        uses("apply_patch", patch="\n".join(patch)),
        uses("exec_command", cmd=COMMAND),
        says(f"The test passes now. {CAUSE}"),
    )
    runbook = the_repair(codex_desk, first.session)
    the_preference(codex_desk, first.session)
    [step] = runbook["content"]["steps"]
    assert step.startswith("Edit orders.py: ")
    assert SUMMED.strip() in step
    second = codex_desk.ask("Two orders come to 22 instead of 42, why?", says("I know that one."))
    assert second.session != first.session
    assert "always use pnpm in this repo, never npm" in second.told()
    assert ERROR in second.told()
    assert CAUSE in second.told()


def test_gemini_sessions_leave_what_the_next_one_is_told(gemini_desk: gemini.Desk) -> None:
    gemini_desk.set_up()
    gemini_desk.install()
    place = break_it(gemini_desk)
    first = gemini_desk.ask(
        f"{REPAIR} {PREFERENCE}",
        uses("run_shell_command", command=COMMAND),
        uses("replace", file_path=place, instruction="Sum all", old_string=SLICED, new_string=SUMMED),
        uses("run_shell_command", command=COMMAND),
        says(f"The test passes now. {CAUSE}"),
    )
    runbook = the_repair(gemini_desk, first.session)
    the_preference(gemini_desk, first.session)
    assert runbook["content"]["steps"] == [FIX]
    second = gemini_desk.ask("Two orders come to 22 instead of 42, why?", says("I know that one."))
    assert second.session != first.session
    assert "always use pnpm in this repo, never npm" in second.told()
    assert ERROR in second.told()
    assert CAUSE in second.told()
