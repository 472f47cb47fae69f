"""Hook, command and library find the same memories, in the same order, with the same scores."""

import random
import shutil

import pytest
from examples import IS_DEEP
from recall.asking import bring, hook, living_in, new_box, receipts, record

import recollect
from recollect.evaluation import datasets, running
from recollect.hooks.injection import prompt as injection
from recollect.model import clock
from recollect.model.verdict import CheckedVerdict, Verdict
from recollect.recall import search

TOOL_LIMIT = 20
NO_ROOM = (injection.TOO_MANY, injection.OVER_BUDGET)
SUBJECTS = ("deploy", "login", "cache", "invoice", "parser", "search", "backup", "metrics", "scheduler", "frontend")
VERBS = ("fails", "needs", "replaces", "calls", "blocks", "renames", "retries", "logs", "signs", "migrates")
THINGS = (
    "the session token", "a postgres index", "src/app/queue.py", "the staging bucket", "refreshToken", "retry_limit",
    "the nightly job", "a stale lock", "the German translation", "TLS certificates", "データベース接続",
    "Größenprüfung",
)  # fmt: skip
STARTS = ("", "why does it say that ", "how do we ", "What did I decide about ", "fix: ", "when did ", "who said ")
TRACE = '\n\nTraceback (most recent call last):\n  File "src/app/queue.py", line 3'
ENDS = ("", "?", " last week", " in March", TRACE, "!")
KINDS = ("note", "learned", "note", "user_preference")


def memories(box, chance):
    """About 120 memories that share words, sessions, days and files with each other."""
    for number in range(120):
        subject, verb, thing = chance.choice(SUBJECTS), chance.choice(VERBS), chance.choice(THINGS)
        month, day = chance.randint(1, 12), chance.randint(1, 28)
        more = {"session": f"s{number // 7}"} if number % 3 else {"files_modified": ["src/app/queue.py"]}
        yield record(
            box, f"The {subject} {verb} {thing} because of {chance.choice(THINGS)}, case {number}",
            title=f"{subject} {number}" if number % 2 else f"The {subject} {verb} {thing}, case {number}",
            kind=chance.choice(KINDS), tags=[subject], importance=chance.random(),
            created_at=f"2025-{month:02}-{day:02}T08:00:00Z", updated_at=f"2025-{month:02}-{day:02}T08:00:00Z",
            project="global" if number % 11 == 0 else f"path:{box.root}",
            sensitivity="private" if number % 13 == 0 else "public", **more,
        )  # fmt: skip


def prompts(chance, number):
    for _ in range(number):
        words = f"{chance.choice(SUBJECTS)} {chance.choice(VERBS)} {chance.choice(THINGS)}"
        said = " ".join(chance.sample(words.split(), chance.randint(1, len(words.split()))))
        yield chance.choice(STARTS) + said + chance.choice(ENDS)


@pytest.fixture(scope="module")
def store(tmp_path_factory, learned_home):
    folder = tmp_path_factory.mktemp("same")
    shutil.copytree(learned_home, folder / "store")
    box = new_box(folder, vault=False)
    uids = bring(box, *memories(box, random.Random(5)))
    box.run("reindex")
    gone = Verdict("STALE", "retry_limit is gone")
    with living_in(box), recollect.open(box.root) as space, space.project_context.store.writing():
        where = space.project_context.checkout.branch_or_commit, "", str(box.root)
        space.project_context.store.verdicts.put(CheckedVerdict(uid, gone, *where, 0.0) for uid in uids[::5])
    return box


@pytest.mark.parametrize(
    ("profile", "number"),
    [
        ("hybrid", 200 if IS_DEEP else 60),
        ("keyword", 15),
        ("scored", 15),
        ("hashed", 15),
    ],
)
def test_hook_command_library_tool_and_evaluation_agree(store, profile, number):
    store.settings = {"RECOLLECT_RECALL__PROFILE": profile}
    asked = list(prompts(random.Random(number), number))
    already = len(receipts(store))

    for prompt in asked:
        hook(store, prompt)
    by_hook = [ranks(one["candidates"]) for one in receipts(store)[already:]]
    by_command = [ranks(store.run("recall", prompt, "--json", "-n", str(search.CONSIDERED)).json) for prompt in asked]
    with living_in(store), recollect.open(store.root) as space:
        found = [space.recall(prompt, limit=search.CONSIDERED) for prompt in asked]
        with space.project_context.store.recall_source() as source:
            rank = running.profile_ranking(source, space.project, profile)
            by_evaluation = [rank(evaluated(store, prompt), search.CONSIDERED) for prompt in asked]
    by_library = [[(one.memory.uid, one.score) for one in of_one] for of_one in found]

    assert sum(bool(one) for one in by_library) > number // 2
    stale = [one for of_one in found for one in of_one if one.code_state == "STALE"]
    assert any("stale: retry_limit is gone" in one.notes for one in stale), "some are stale, and rank alike everywhere"
    assert len(by_hook) == number
    for prompt, one, other, third in zip(asked, by_hook, by_command, by_library, strict=True):
        assert [uid for uid, _ in other] == [uid for uid, _ in third], prompt
        first = [uid for uid, _ in third][: injection.IN_RECEIPT]
        assert [uid for uid, _ in one][: len(first)] == first, prompt
        assert dict(one) == pytest.approx({uid: dict(third)[uid] for uid, _ in one}, abs=6e-4), prompt
        assert [score for _, score in other] == pytest.approx([score for _, score in third], abs=6e-5), prompt
    for prompt, evaluated_as, found_here in zip(asked, by_evaluation, found, strict=True):
        assert [hit.uid for hit in evaluated_as] == [hit.memory.uid for hit in found_here], prompt
        assert [hit.score for hit in evaluated_as] == pytest.approx([hit.score for hit in found_here]), prompt


TOOL = {"scored": ("search_memories", "limit", "memories"), "hashed": ("recall_memory", "top_k", "results")}


@pytest.mark.parametrize("profile", sorted(TOOL))
def test_the_memory_tool_finds_what_the_library_finds(store, profile):
    operation, limit, results = TOOL[profile]
    store.settings = {"RECOLLECT_RECALL__PROFILE": profile}
    with living_in(store), recollect.open(store.root) as space:
        for prompt in prompts(random.Random(3), 15):
            # Asked at once after each other: what the tool shows counts as used, which changes later scores (D11).
            told = [hit.memory.uid for hit in space.recall(prompt, limit=TOOL_LIMIT) if not hit.verdict]
            reply = space.memory({"operation": operation, "query": prompt, limit: TOOL_LIMIT})
            assert [found["id"] for found in reply["output"][results]] == told, prompt


def evaluated(store, prompt):
    return datasets.Question("q", prompt, frozenset(), "any", clock.seconds(store.now))


def ranks(found):
    return [(one["uid"], one["score"]) for one in found]


def test_what_the_command_marks_is_what_the_hook_tells_as_far_as_there_is_room(store):
    store.settings = {}
    asked, already = list(prompts(random.Random(8), 30)), len(receipts(store))
    for prompt in asked:
        hook(store, prompt)
    weighed = [one["candidates"] for one in receipts(store)[already:]]

    assert any(one["verdict"] == "shown" for candidates in weighed for one in candidates)
    for prompt, candidates in zip(asked, weighed, strict=True):
        told = [one["uid"] for one in candidates if one["verdict"] in ("shown", *NO_ROOM)]
        found = store.run("recall", prompt, "--json", "-n", str(search.CONSIDERED)).json
        assert told == [one["uid"] for one in found if one["told"]], prompt
