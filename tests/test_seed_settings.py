"""The seeds' own settings files count like ours, whatever stands in them; and every setting is used or says when."""

import ast
import dataclasses
import functools
import json
import string
from pathlib import Path
from typing import Any

import pytest
from builders import Box, decision
from examples import few
from hypothesis import given
from hypothesis import strategies as st
from tables import each

from recollect.config import Config, seeds
from recollect.config.seeds import (
    AGENT_CONF,
    CATEGORIES,
    CONTINUITY,
    CONTINUITY_FILES,
    LETSGO,
    MEMORY_CONFIG,
    SeedSetting,
)
from recollect.hooks import wiring
from recollect.jobs.job_table import JOBS

SOURCE = Path(__file__).parent.parent / "src" / "recollect"
THRESHOLDS = {
    "decision": 0.4, "runbook": 0.4, "constraint": 0.5, "tech_debt": 0.4, "preference": 0.4, "session_summary": 0.6,
}  # fmt: skip


def found(box: Any) -> tuple[dict[str, tuple[Any, str]], str]:
    """Every setting with its origin, and the warnings."""
    done = box.run("config", "--json")
    return {one["setting"]: (one["value"], one["origin"]) for one in done.json}, done.err


def value(box: Any, name: str) -> Any:
    return found(box)[0][name][0]


def nested(dotted: str, given: object) -> dict[str, Any]:
    head, _, rest = dotted.partition(".")
    return {head: nested(rest, given) if rest else given}


def memory_config(box: Any, said: object) -> Path:
    place = box.root / ".claude" / "memory" / "memory-config.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(said if isinstance(said, str) else json.dumps(said), "utf-8")
    return place


def agent_conf(box: Any, said: str) -> Path:
    place = box.root / "agent.conf"
    place.write_bytes(said.encode())
    return place


def pyproject(box: Any, said: str) -> Path:
    place = box.root / "pyproject.toml"
    place.write_text(said, "utf-8")
    return place


@pytest.fixture
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A user in a trusted project without git, which is quick: for tests that only look at settings."""
    folder = tmp_path_factory.mktemp("settings")
    box = Box(folder, folder / "store", folder / "project")
    box.root.mkdir()
    box.run("init")
    return box


# -- every row of the tables --------------------------------------------------------------------------------------

# What their file says, and what it is here; a key with {} is tried for every category.
SAMPLES: dict[str, dict[str, tuple[Any, Any]]] = {
    "memory-config.json": {
        "memory_root": ("docs/brain", "docs/brain"),
        "auto_commit": (True, True),
        "max_memories_per_category": (7, 7),
        "categories.session_summary.max_retained": (9, 9),
        "categories.{}.retention_days": (12, {"session_summary": 90, "{}": 12}),
        "categories.{}.enabled": (False, ["{}"]),
        "categories.{}.auto_capture": (False, ["{}"]),
        "categories.{}.description": ("about it", {"{}": "about it"}),
        "retrieval.enabled": (False, False),
        "retrieval.max_inject": (3, 3),
        "retrieval.match_strategy": ("title_tags", "keyword"),
        "triage.enabled": (False, False),
        "triage.max_messages": (77, 77),
        "triage.thresholds.{}": (0.9, {**THRESHOLDS, "{}": 0.9}),
        "triage.parallel.enabled": (False, False),
        "triage.parallel.category_models.{}": ("Opus", None),
        "triage.parallel.verification_model": ("haiku", "haiku"),
        "triage.parallel.default_model": ("SONNET", "sonnet"),
        "delete.grace_period_days": (5, 5),
        "delete.archive_retired": (False, False),
    },
    "agent.conf": {
        "MEMORY_RECALL": ("off", False),
        "MEMORY_UPDATE": ("off", False),
        "MEMORY_FORGETTING": ("off", False),
        "MEMORY_VALIDATION": ("off", False),
        "MEMORY_RECALL_SCHEME": ("single", "single"),
        "MEMORY_RECALL_MODELS": ("haiku/opus", "haiku/opus"),
        "MEMORY_RECALL_PROMPTS": ("mine-1/mine-2", "mine-1/mine-2"),
        "MEMORY_RECALL_PRESEARCH": ("on", True),
        "MEMORY_RECALL_PRESEARCH_CONTENT": ("on", True),
        "MEMORY_FORGETTING_SCHEDULE": ("3/50", "3/50"),
        "MEMORY_FORGETTING_MIN_AGE": ("20", 20),
        "MEMORY_FORGETTING_CANDIDATES": ("0", 0),
        "MEMORY_VALIDATION_SCHEDULE": ("1/10", "1/10"),
        "MEMORY_VALIDATION_AMOUNT": ("0", 0),
    },
    "pyproject.toml": {
        "max_memories": (500, 500),
        "default_ttl_days": (30, 30),
        "memorability_threshold": (0.45, 0.45),
        "base_threshold": (0.55, 0.55),
        "threshold": (0.65, 0.65),
        "type_weights": ({"decision": 0.1}, {"decision": 0.1, "discovery": 0.7, "bugfix": 0.5, "feature": 0.5,
                                             "refactor": 0.3, "change": 0.3}),
        "compression_min_age_days": (14, 14),
        "consolidation_decay_rate": (0.02, 0.02),
        "token_budget": (900, 900),
        "max_inject_count": (2, 2),
        "min_score": (0.2, 0.2),
        "candidate_limit": (60, 60),
        "weights": ({"match": 0.5}, {"match": 0.5, "recency": 0.2, "importance": 0.15, "trust": 0.1}),
    },
    "continuity": {
        "sessionMemoryEnabled": (False, False),
        "sessionMemoryCap": (8000, 8000),
        "includeLongMemoryInSession": (True, True),
        "memoryMaxRecords": (40, 40),
        "memoryMaxChars": (9000, 9000),
        "memoryArchivePath": ("old/MEMORY.md", "old/MEMORY.md"),
        "memoryEmbeddingsEnabled": (True, True),
        "memoryEmbeddingsMaxRecords": (100, 100),
        "memoryCompactionEnabled": (True, True),
        "memoryCompactionMinAgeDays": (3, 3),
        "memoryCompactionMaxRecords": (50, 50),
        "memoryCompactionThresholdRecords": (51, 51),
        "memoryCompactionMaxChars": (5000, 5000),
        "memoryCompactionThresholdChars": (5001, 5001),
        "memoryCompactionSchedule": ("0 3 * * 0", "0 3 * * 0"),
        "longMemoryPath": ("LONG.md", "LONG.md"),
        "longMemoryMaxChars": (1234, 1234),
        "experienceStoreEnabled": (True, True),
        "experienceUniquenessThreshold": (0.7, 0.7),
        "injectExperienceContext": (True, True),
    },
}  # fmt: skip
TABLES = {
    "memory-config.json": MEMORY_CONFIG, "agent.conf": AGENT_CONF, "pyproject.toml": LETSGO, "continuity": CONTINUITY,
}  # fmt: skip
MODELS = {
    "session_summary": "haiku", "decision": "sonnet", "runbook": "haiku", "constraint": "sonnet", "tech_debt": "haiku",
    "preference": "haiku",
}  # fmt: skip


def put(box: Any, file: str, key: str, given: object) -> Path:
    if file == "memory-config.json":
        return memory_config(box, nested(key, given))
    if file == "agent.conf":
        return agent_conf(box, f"{key}={given}\n")
    if file == "pyproject.toml":
        said = json.dumps(given).replace('":', '" =') if isinstance(given, dict) else json.dumps(given)
        return pyproject(box, f"[tool.letsgo.memory]\n{key} = {said}\n")
    place = box.root / CONTINUITY_FILES[0]
    place.write_text(json.dumps({key: given}))
    return place


def test_every_key_of_the_seeds_has_a_sample_here():
    assert {file: {row.key for row in rows} for file, rows in TABLES.items()} == {
        file: set(samples) for file, samples in SAMPLES.items()
    }


def cases() -> list[Any]:
    """Each row, once for every category where it is by category."""
    found = []
    for file, rows in TABLES.items():
        for row in rows:
            kinds = CATEGORIES if "{}" in row.key else ("",)
            found += [pytest.param(file, row, kind, id=f"{file}-{row.key.format(kind)}") for kind in kinds]
    return found


@pytest.mark.parametrize(("file", "row", "kind"), cases())
def test_every_key_of_a_seeds_file_is_shown_with_its_value_and_origin(lasting, file: str, row: SeedSetting, kind: str):
    given, wanted = SAMPLES[file][row.key]
    if row.key == "triage.parallel.category_models.{}":
        wanted = {**MODELS, kind: "opus"}
    elif isinstance(wanted, dict) and kind:
        wanted = {**{name: one for name, one in wanted.items() if name != "{}"}, kind: wanted["{}"]}
    elif isinstance(wanted, list):
        wanted = [kind]
    before = value(lasting, row.setting)
    place = put(lasting, file, row.key.format(kind), given)
    assert wanted != before, "the sample has to differ from the default"
    shown, warnings = found(lasting)
    assert shown[row.setting] == (wanted, str(place))
    assert warnings == ""


# -- claude-memory's memory-config.json ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "name", "wanted"),
    [
        ({"triage": {"max_messages": 5}}, "triage.max_messages", 10),
        ({"triage": {"max_messages": 500}}, "triage.max_messages", 200),
        ({"triage": {"thresholds": {"decision": 1.7}}}, "triage.thresholds", {**THRESHOLDS, "decision": 1.0}),
        ({"triage": {"thresholds": {"decision": -3}}}, "triage.thresholds", {**THRESHOLDS, "decision": 0.0}),
        ({"retrieval": {"max_inject": 99}}, "inject.max_memories", 20),
        ({"retrieval": {"max_inject": -1}}, "inject.max_memories", 0),
    ],
)
def test_a_number_out_of_bounds_is_brought_inside_them_with_a_warning(lasting, said, name, wanted):
    memory_config(lasting, said)
    shown, warnings = found(lasting)
    assert shown[name][0] == wanted
    assert "memory-config.json: " in warnings
    assert "is used" in warnings


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ('{"triage": {"thresholds": {"decision": NaN}}}', "triage.thresholds"),
        ('{"triage": {"thresholds": {"decision": Infinity}}}', "triage.thresholds"),
        ('{"triage": {"thresholds": {"decision": -Infinity}}}', "triage.thresholds"),
        ('{"triage": {"thresholds": {"decision": 1e999}}}', "triage.thresholds"),
        ('{"retrieval": {"max_inject": Infinity}}', "inject.max_memories"),
        ('{"triage": {"max_messages": -1e999}}', "triage.max_messages"),
        ('{"triage": {"max_messages": NaN}}', "triage.max_messages"),
        ('{"triage": {"thresholds": {"decision": "high"}}}', "triage.thresholds"),
        ('{"triage": {"thresholds": {"decision": null}}}', None),
        ('{"triage": {"thresholds": {"decision": []}}}', "triage.thresholds"),
        ('{"retrieval": {"max_inject": "five"}}', "inject.max_memories"),
        ('{"retrieval": {"max_inject": 2.5}}', "inject.max_memories"),
        ('{"retrieval": {"max_inject": true}}', "inject.max_memories"),
        ('{"retrieval": {"match_strategy": "semantic"}}', "recall.profile"),
        ('{"triage": {"parallel": {"default_model": "gpt"}}}', "triage.default_model"),
        ('{"triage": {"parallel": {"category_models": {"decision": 5}}}}', "triage.models"),
        ('{"delete": {"grace_period_days": -1}}', "forget.grace_days"),
        ('{"delete": {"grace_period_days": "soon"}}', "forget.grace_days"),
        ('{"delete": {"archive_retired": "maybe"}}', "forget.archive_retired"),
        ('{"max_memories_per_category": 1e30}', "save.max_per_kind"),
        ('{"categories": {"runbook": {"enabled": "no"}}}', "save.disabled_kinds"),
        ('{"categories": {"runbook": {"retention_days": 1000000}}}', "save.retention_days"),
        ('{"categories": {"session_summary": {"max_retained": 0}}}', "save.sessions_retained"),
        ('{"memory_root": 5}', "vault.root"),
        ('{"memory_root": ""}', "vault.root"),
        ('{"auto_commit": {}}', "vault.auto_commit"),
    ],
)
def test_a_value_that_cannot_be_used_is_ignored_with_a_warning(lasting, said, name):
    before, _ = found(lasting)
    memory_config(lasting, said)
    shown, warnings = found(lasting)
    assert shown == before
    assert ("is ignored" in warnings) == (name is not None)


@pytest.mark.parametrize("kind", CATEGORIES)
def test_categories_may_be_spelt_in_capitals(lasting, kind):
    memory_config(lasting, {
        "categories": {kind.upper(): {"enabled": False, "retention_days": 3}},
        "triage": {"thresholds": {kind.upper(): 0.1}},
    })  # fmt: skip
    assert value(lasting, "save.disabled_kinds") == [kind]
    assert value(lasting, "save.retention_days")[kind] == 3
    assert value(lasting, "triage.thresholds") == {**THRESHOLDS, kind: 0.1}


def test_values_by_category_are_collected(lasting):
    off = {kind: {"enabled": False, "auto_capture": False, "retention_days": 2} for kind in CATEGORIES[:3]}
    memory_config(lasting, {"categories": {**off, CATEGORIES[3]: {"enabled": True, "auto_capture": True}}})
    assert value(lasting, "save.disabled_kinds") == list(CATEGORIES[:3])
    assert value(lasting, "capture.skip_kinds") == list(CATEGORIES[:3])
    assert value(lasting, "save.retention_days") == {"session_summary": 90, **dict.fromkeys(CATEGORIES[:3], 2)}


def test_the_seeds_default_file_says_what_our_defaults_say(lasting):
    before, _ = found(lasting)
    categories = {kind: {"enabled": True, "auto_capture": True, "retention_days": 0} for kind in CATEGORIES}
    categories["session_summary"] |= {"retention_days": 90, "max_retained": 5}
    memory_config(lasting, {
        "memory_root": ".claude/memory", "categories": categories, "auto_commit": False,
        "max_memories_per_category": 100, "retrieval": {"max_inject": 5, "match_strategy": "title_tags"},
        "triage": {"enabled": True, "max_messages": 50, "thresholds": THRESHOLDS, "parallel": {
            "enabled": True, "category_models": MODELS, "verification_model": "sonnet", "default_model": "haiku"}},
        "delete": {"grace_period_days": 30, "archive_retired": True},
    })  # fmt: skip
    after, warnings = found(lasting)
    changed = {name for name in after if after[name][0] != before[name][0]}
    assert changed == {"recall.profile", "save.retention_days"}
    assert after["save.retention_days"][0] == {**dict.fromkeys(CATEGORIES, 0), "session_summary": 90}
    assert warnings == ""


# -- the eight keys that claude-memory never read -----------------------------------------------------------------


@pytest.fixture(params=["memory-config.json", ".recollect.toml"])
def moved(request: pytest.FixtureRequest, make_box: Any) -> Any:
    """A project whose vault lies in docs/brain."""
    box = make_box()
    if request.param == ".recollect.toml":
        (box.root / ".recollect.toml").write_text('[vault]\nroot = "docs/brain"\n')
    else:
        memory_config(box, {"memory_root": "docs/brain"})
    box.run("init")
    return box


def test_memory_root_moves_the_vault(moved):
    box, vault = moved, moved.root / "docs" / "brain"
    box.run("remember", "some words", "--title", "Words")
    assert json.loads((vault / "notes" / "words.json").read_text())["title"] == "Words"
    flags = ("--category", "decision", "--input", box.draft(decision()))
    done = box.run("write", "--action", "create", "--target", "docs/brain/decisions/use-sqlite.json", *flags)
    assert done.json["status"] == "created"
    assert (vault / "decisions" / "use-sqlite.json").exists()
    assert "Index is valid. 2 entries" in box.run("index", "--root", "docs/brain", "--validate").out
    listed = [line for line in (vault / "index.md").read_text().splitlines() if line.startswith("- ")]
    assert listed == [
        "- [DECISION] Use SQLite for storage -> docs/brain/decisions/use-sqlite.json #tags:sqlite,storage",
        "- [NOTE] Words -> docs/brain/notes/words.json #tags:untagged",
    ]
    assert not list((box.root / ".claude").rglob("*.md"))
    assert box.run("doctor").code == 0
    assert box.run("health", "--json").json["index"] == "in sync with the files"


def test_a_vault_that_was_moved_is_read_back_and_put_in_order(moved):
    box, vault = moved, moved.root / "docs" / "brain"
    box.run("remember", "some words", "--title", "Words")
    place = vault / "notes" / "words.json"
    place.write_text(place.read_text().replace("some words", "changed by hand"))
    assert box.run("show", "words", "--json").json["text"] == "changed by hand"
    assert "changed by hand" in box.run("show", "words").out
    target = "docs/brain/notes/words.json"
    box.run("write", "--action", "delete", "--target", target, "--reason", "old")
    assert json.loads(place.read_text())["record_status"] == "retired"
    box.run("write", "--action", "restore", "--target", target)
    (vault / "index.md").unlink()
    box.run("reconcile")
    assert (vault / "index.md").exists()
    box.now = "2026-06-01T00:00:00Z"
    box.run("retire", "words")
    box.now = "2026-08-01T00:00:00Z"
    assert box.run("gc", "--json").json["collected"] == 1
    assert not place.exists()


def test_reconcile_names_the_index_that_it_renewed(moved):
    moved.run("remember", "some words")
    (moved.root / "docs" / "brain" / "index.md").unlink()
    assert moved.run("reconcile").out == "updated: docs/brain/index.md\n"


@pytest.mark.parametrize(
    "root", ["/etc", "/tmp/brain", "..", "../brain", "docs/../../brain", "~/brain", "C:\\brain", "docs\\..\\..\\brain"]
)
def test_a_memory_root_outside_the_project_is_refused(make_box, root):
    box = make_box()
    memory_config(box, {"memory_root": root})
    box.run("init")
    shown, warnings = found(box)
    assert shown["vault.root"] == (".claude/memory", "default")
    assert "memory_root is ignored" in warnings
    (box.root / ".recollect.toml").write_text(f"[vault]\nroot = {json.dumps(root)}\n")
    assert "vault.root" in box.run("health", code=1).err


@pytest.mark.parametrize("root", ["./docs/brain", "docs//brain", "docs/./brain"])
def test_a_memory_root_may_be_spelt_in_a_roundabout_way(make_box, root):
    box = make_box()
    memory_config(box, {"memory_root": root})
    box.run("init")
    box.run("remember", "some words", "--title", "Words")
    place = box.root / "docs" / "brain" / "notes" / "words.json"
    place.write_text(place.read_text().replace("some words", "changed by hand"))
    assert box.run("show", "words", "--json").json["text"] == "changed by hand"


def test_a_memory_root_that_no_folder_can_have_is_a_clear_error(make_box):
    box = make_box()
    memory_config(box, {"memory_root": "x" * 300})
    done = box.run("init", code=None)
    assert done.code == 0 or "fix: " in done.err
    box.run("list")


def test_a_kind_that_is_switched_off_is_refused_with_a_clear_error(box):
    box.run("remember", "Use pnpm", "--kind", "decision", "--why", "fast")
    memory_config(box, {"categories": {"decision": {"enabled": False}}})
    done = box.run("remember", "Use npm", "--kind", "decision", "--why", "old", code=1)
    assert done.err.startswith("CREATE_ERROR")
    assert "decision is switched off here" in done.err
    assert "fix: " in done.err
    flags = ("--category", "decision", "--input", box.draft(decision()))
    done = box.run("write", "--action", "create", "--target", ".claude/memory/decisions/a.json", *flags, code=1)
    assert "decision is switched off here" in done.out
    request = {"operation": "store_memory", "content": "we chose it", "type": "decision"}
    assert "switched off" in box.run("memory", json.dumps(request), code=1).json["error"]["message"]
    box.run("remember", "another kind")
    box.run("edit", "use-pnpm", "--tag", "js")
    assert len(box.run("list", "--json").json) == 2


def test_memories_expire_after_the_days_that_their_category_is_kept(box):
    memory_config(box, {"categories": {"decision": {"retention_days": 5}, "session_summary": {"retention_days": 0}}})
    box.run("remember", "Use pnpm", "--kind", "decision", "--why", "fast")
    box.run("remember", "Goal", "--kind", "session_summary")
    assert box.run("show", "use-pnpm", "--json").json["expires_at"] == "2026-03-06T12:00:00Z"
    assert box.run("show", "goal", "--json").json["expires_at"] is None
    box.now = "2026-03-06T12:00:00Z"
    assert [one["title"] for one in box.run("list", "--json").json] == ["Goal"]
    assert box.run("gc", "--json").json["expired"] == 1
    assert not (box.vault / "decisions" / "use-pnpm.json").exists()


def test_auto_commit_commits_what_is_written_and_nothing_else(box):
    memory_config(box, {"auto_commit": True})
    (box.root / "other.txt").write_text("not ours")
    box.run("remember", "some words", "--title", "Words")
    assert box.git("log", "--format=%s").strip() == "recollect: created note 'Words'"
    committed = set(box.git("show", "--name-only", "--format=").split())
    assert committed == {".claude/memory/index.md", ".claude/memory/notes/words.json"}


def test_the_cap_of_a_category_retires_the_weakest(box):
    memory_config(box, {"max_memories_per_category": 2})
    for number in range(3):
        box.run("remember", f"choice {number}", "--kind", "decision", "--why", "so", "--importance", f"0.{5 + number}")
    active = box.run("list", "--json").json
    assert sorted(one["title"] for one in active) == ["choice 1", "choice 2"]
    assert box.run("show", "choice-0", "--json").json["status"] == "retired"


def test_archive_retired_decides_whether_gc_keeps_a_memory(box):
    memory_config(box, {"delete": {"archive_retired": False, "grace_period_days": 2}})
    box.run("remember", "some words", "--title", "Words")
    box.run("retire", "words")
    box.now = "2026-03-03T12:00:00Z"
    assert "grace period: 2 days" in box.run("index", "--root", ".claude/memory", "--gc").out
    assert box.run("list", "--all", "--json").json == []


# -- agent.conf ---------------------------------------------------------------------------------------------------


@pytest.mark.seed("A46")
@pytest.mark.parametrize(
    ("said", "name", "wanted"),
    [
        ("MEMORY_RECALL=off\n", "inject.prompt", False),
        ("MEMORY_RECALL=off # x\n", "inject.prompt", False),
        ("MEMORY_RECALL=off\t\t# x\n", "inject.prompt", False),
        ("MEMORY_RECALL=off", "inject.prompt", False),
        ("MEMORY_RECALL=off\r\n", "inject.prompt", False),
        ("MEMORY_RECALL=off # x\r\nMEMORY_UPDATE=on\r\n", "inject.prompt", False),
        ('MEMORY_RECALL="off"\n', "inject.prompt", False),
        ("MEMORY_RECALL='off'   # switched off\n", "inject.prompt", False),
        ("export MEMORY_RECALL=off\n", "inject.prompt", False),
        ("  MEMORY_RECALL=off  \n", "inject.prompt", False),
        ("\ufeffMEMORY_RECALL=off\n", "inject.prompt", False),
        ("MEMORY_RECALL=on\nMEMORY_RECALL=off\n", "inject.prompt", False),
        ("MEMORY_RECALL=on\n", "inject.prompt", True),
        ("MEMORY_RECALL=OFF\n", "inject.prompt", True),
        ("MEMORY_RECALL=offline\n", "inject.prompt", True),
        ("MEMORY_RECALL=\n", "inject.prompt", True),
        ("#MEMORY_RECALL=off\n", "inject.prompt", True),
        ("X_MEMORY_RECALL=off\n", "inject.prompt", True),
        ("MEMORY_RECALL_SCHEME=single   # single or double\n", "recall.judged_scheme", "single"),
        ("MEMORY_RECALL_MODELS=haiku/opus # pass 1/pass 2\n", "recall.judged_models", "haiku/opus"),
        ("MEMORY_RECALL_PROMPTS=a#1/b\n", "recall.judged_prompts", "a#1/b"),
        ('MEMORY_RECALL_PROMPTS="a #1/b" # y\n', "recall.judged_prompts", "a #1/b"),
        ("MEMORY_FORGETTING_CANDIDATES='7'\n", "forget.candidates", 7),
        ("MEMORY_VALIDATION_AMOUNT=0 # all\n", "validation.amount", 0),
        ("MEMORY_FORGETTING_SCHEDULE=5/40 # every 40\n", "forget.schedule", "5/40"),
    ],
)  # fmt: skip
def test_agent_conf_is_read_as_a_shell_reads_it(lasting, said, name, wanted):
    agent_conf(lasting, said)
    assert value(lasting, name) == wanted


@pytest.mark.seed("A46")
def test_a_whole_agent_conf_with_comments_is_read(lasting):
    place = agent_conf(lasting, (
        "# Memory\n\nMEMORY_RECALL=on              # on | off\nMEMORY_RECALL_SCHEME=double   # single | double\n"
        "MEMORY_RECALL_MODELS=opus/haiku   # per pass\nMEMORY_RECALL_PRESEARCH=on    # on | off\n"
        "MEMORY_FORGETTING=off # never\nMEMORY_FORGETTING_SCHEDULE=0/100\nUNKNOWN_KEY=5\nnot a setting\n"
    ))  # fmt: skip
    shown, warnings = found(lasting)
    said = {name: one for name, (one, origin) in shown.items() if origin == str(place)}
    assert said == {
        "inject.prompt": True, "recall.judged_scheme": "double", "recall.judged_models": "opus/haiku",
        "recall.presearch": True, "forget.enabled": False, "forget.schedule": "0/100",
    }  # fmt: skip
    assert warnings == ""


@pytest.mark.parametrize(
    "said",
    [
        "MEMORY_RECALL_SCHEME=triple\n", "MEMORY_FORGETTING_SCHEDULE=sometimes\n", "MEMORY_FORGETTING_SCHEDULE=5/0\n",
        "MEMORY_FORGETTING_CANDIDATES=many\n", "MEMORY_FORGETTING_MIN_AGE=-1\n", "MEMORY_VALIDATION_AMOUNT=1.5\n",
    ],
)  # fmt: skip
def test_a_value_of_agent_conf_that_cannot_be_used_is_ignored_with_a_warning(lasting, said):
    before, _ = found(lasting)
    agent_conf(lasting, said)
    shown, warnings = found(lasting)
    assert shown == before
    assert "agent.conf: MEMORY_" in warnings
    assert "is ignored" in warnings


# -- LetsGo and CursorClaw ----------------------------------------------------------------------------------------


def test_letsgos_table_may_have_tables_of_modules(lasting):
    place = pyproject(
        lasting,
        """
[tool.letsgo.memory]
max_memories = 500
[tool.letsgo.memory.memorability]
threshold = 0.45
[tool.letsgo.memory.memorability.type_weights]
decision = 0.9
[tool.letsgo.memory.injection]
token_budget = 800
max_inject_count = 3
[tool.letsgo.memory.store.weights]
match = 0.4
trust = 0.25
""",
    )
    shown, warnings = found(lasting)
    said = {name: one for name, (one, origin) in shown.items() if origin == str(place)}
    assert said == {
        "capture.max_memories": 500,
        "capture.threshold": 0.45,
        "capture.type_weights": {**Config().capture.type_weights, "decision": 0.9},
        "inject.token_budget": 800,
        "inject.max_memories": 3,
        "recall.weights": {"match": 0.4, "recency": 0.2, "importance": 0.15, "trust": 0.25},
    }
    assert warnings == ""


def test_our_own_table_wins_over_letsgos_in_the_same_file(lasting):
    pyproject(lasting, "[tool.letsgo.memory]\nmax_memories = 500\n[tool.recollect.capture]\nmax_memories = 600\n")
    assert value(lasting, "capture.max_memories") == 600


@pytest.mark.parametrize(
    "said", ["max_memories = -1", 'threshold = "high"', "type_weights = 5", "weights = {match = 2}"]
)
def test_a_value_of_letsgo_that_cannot_be_used_is_ignored_with_a_warning(lasting, said):
    before, _ = found(lasting)
    pyproject(lasting, f"[tool.letsgo.memory]\n{said}\n")
    shown, warnings = found(lasting)
    assert shown == before
    assert "is ignored" in warnings


@pytest.mark.parametrize("name", CONTINUITY_FILES)
@pytest.mark.parametrize("outer", [True, False])
def test_continuity_settings_stand_alone_or_below_their_own_key(lasting, name, outer):
    said = {"memoryMaxRecords": 40, "sessionMemoryEnabled": False}
    place = lasting.root / name
    place.write_text(json.dumps({"continuity": said, "profiles": []} if outer else said))
    shown, warnings = found(lasting)
    assert shown["log.max_records"] == (40, str(place))
    assert shown["inject.session"] == (False, str(place))
    assert warnings == ""


@pytest.mark.parametrize(
    "said",
    [
        {"memoryArchivePath": "/etc/passwd"}, {"memoryArchivePath": "../out.md"}, {"longMemoryPath": "~/x"},
        {"memoryMaxRecords": -1}, {"memoryMaxChars": "many"}, {"experienceUniquenessThreshold": 2},
        {"sessionMemoryEnabled": "perhaps"}, {"sessionMemoryCap": 1.5},
    ],
)  # fmt: skip
def test_a_value_of_a_continuity_file_that_cannot_be_used_is_ignored_with_a_warning(lasting, said):
    before, _ = found(lasting)
    (lasting.root / "continuity.json").write_text(json.dumps({"continuity": said}))
    shown, warnings = found(lasting)
    assert shown == before
    assert "continuity.json: " in warnings


def test_the_window_of_the_log_follows_the_continuity_file(lasting):
    (lasting.root / "continuity.json").write_text('{"memoryMaxRecords": 2, "memoryArchivePath": "old/log.md"}')
    for number in range(4):
        lasting.run("log", "append", "--session", "s", f"record number {number}")
    kept = [line for line in (lasting.root / "MEMORY.md").read_text().splitlines() if line.startswith("- ")]
    assert [json.loads(line[2:])["text"] for line in kept] == ["record number 2", "record number 3"]
    assert (lasting.root / "old" / "log.md").read_text().count("record number") == 2


@pytest.mark.seed("D19")
def test_letsgos_environment_names_store_and_journal(make_box):
    box = make_box()
    box.settings = {"RECOLLECT_HOME": "", "LETSGO_HOME": str(box.folder / "letsgo")}
    box.run("remember", "some words")
    assert (box.folder / "letsgo" / "memory.db").exists()
    assert (box.folder / "letsgo" / "logs" / "memory-journal.jsonl").exists()
    box.settings |= {"LETSGO_MEMORY_DB": str(box.folder / "own.db"), "LETSGO_MEMORY_LOG": str(box.folder / "own.jsonl")}
    box.run("remember", "other words")
    assert [one["title"] for one in box.run("list", "--json").json] == ["other words"]
    assert "other words" in (box.folder / "own.jsonl").read_text()
    box.settings["RECOLLECT_HOME"] = str(box.home)
    box.run("remember", "third words")
    assert (box.home / "memory.db").exists()
    assert [one["title"] for one in box.run("list", "--json").json] == ["third words"]


# -- layers -------------------------------------------------------------------------------------------------------


EVERY_FILE = {
    ".claude/memory/memory-config.json": '{"max_memories_per_category": 3, "memory_root": "docs/brain"}',
    "agent.conf": "MEMORY_RECALL=off\n",
    "continuity.json": '{"memoryMaxRecords": 3}',
    "cursorclaw.json": '{"memoryMaxChars": 3}',
    "pyproject.toml": "[tool.letsgo.memory]\nmax_memories = 3\n[tool.recollect.save]\nsessions_retained = 3\n",
    ".recollect.toml": "[forget]\ngrace_days = 3\n",
}


def test_nothing_that_came_with_an_untrusted_clone_counts_before_it_is_trusted(make_box):
    box = make_box()
    for name, said in EVERY_FILE.items():
        (box.root / name).parent.mkdir(parents=True, exist_ok=True)
        (box.root / name).write_text(said)
    nobody = {"default", "environment"}  # the box itself sets one
    shown, warnings = found(box)
    assert {origin for _, origin in shown.values()} <= nobody
    assert warnings == ""
    box.run("trust")
    shown, _ = found(box)
    origins = {Path(origin).relative_to(box.root).as_posix() for _, origin in shown.values() if origin not in nobody}
    assert origins == set(EVERY_FILE)


@pytest.mark.parametrize("name", EVERY_FILE)
def test_a_broken_file_of_an_untrusted_clone_does_no_harm(make_box, name):
    box = make_box()
    (box.root / name).parent.mkdir(parents=True, exist_ok=True)
    (box.root / name).write_bytes(b"\xff{[= broken")
    box.run("remember", "some words")
    assert box.run("list").err == ""


@pytest.mark.parametrize("name", [".recollect.toml", "pyproject.toml"])
def test_a_broken_file_of_an_untrusted_clone_does_not_stop_the_seed_surfaces(make_box, name):
    box = make_box()
    (box.root / name).write_bytes(b"\xff{[= broken")
    (box.root / ".claude" / "memory").mkdir(parents=True)
    box.run("index", "--root", ".claude/memory", "--health")
    flags = ("--category", "decision", "--input", box.draft(decision()))
    box.run("write", "--action", "create", "--target", ".claude/memory/decisions/use-sqlite.json", *flags)


def test_an_untrusted_clone_cannot_name_another_folder_as_the_vault(make_box):
    box = make_box()
    (box.root / ".recollect.toml").write_text('[vault]\nroot = "docs/brain"\n')
    (box.root / "docs" / "brain").mkdir(parents=True)
    assert box.run("index", "--root", "docs/brain", "--health", code=1).err.startswith("PATH_ERROR")


def test_a_table_that_names_some_of_its_keys_keeps_the_defaults_of_the_others(lasting):
    (lasting.root / ".recollect.toml").write_text(
        "[save.retention_days]\nrunbook = 5\n[triage.thresholds]\ndecision = 0.9\n[triage.models]\nrunbook = 'opus'\n"
        "[recall.weights]\nmatch = 0.1\n[capture.type_weights]\nchange = 0.9\n"
    )
    shown, _ = found(lasting)
    defaults = Config()
    assert shown["save.retention_days"][0] == {"session_summary": 90, "runbook": 5}
    assert shown["triage.thresholds"][0] == {**THRESHOLDS, "decision": 0.9}
    assert shown["triage.models"][0] == {**MODELS, "runbook": "opus"}
    assert shown["recall.weights"][0] == {**defaults.recall.weights.model_dump(), "match": 0.1}
    assert shown["capture.type_weights"][0] == {**defaults.capture.type_weights, "change": 0.9}


def test_tables_of_several_layers_are_joined_and_the_last_one_wins(lasting):
    (lasting.folder / "config.toml").write_text("[save.retention_days]\nrunbook = 1\ndecision = 1\nconstraint = 1\n")
    memory_config(lasting, {"categories": {"decision": {"retention_days": 2}, "constraint": {"retention_days": 2}}})
    (lasting.root / ".recollect.toml").write_text(
        "[save.retention_days]\nconstraint = 3\n[recall.weights]\nmatch = 0.1\n"
    )
    lasting.settings["RECOLLECT_SAVE__RETENTION_DAYS"] = '{"tech_debt": 4}'
    lasting.settings["RECOLLECT_RECALL__WEIGHTS"] = '{"trust": 0.3}'
    wanted = {"session_summary": 90, "runbook": 1, "decision": 2, "constraint": 3, "tech_debt": 4}
    assert value(lasting, "save.retention_days") == wanted
    assert value(lasting, "recall.weights") == {"match": 0.1, "recency": 0.2, "importance": 0.15, "trust": 0.3}


# -- the environment ----------------------------------------------------------------------------------------------


def scalars() -> list[Any]:
    """Every field of every section that holds one value: its section, its name, its JSON Schema."""
    found = []
    for section, part in Config.model_fields.items():
        fields = part.annotation.model_json_schema()["properties"] if section != "kinds" else {}
        found += [
            pytest.param(section, name, schema, id=f"{section}.{name}")
            for name, schema in fields.items()
            if schema.get("type") in ("boolean", "integer", "number", "string")
        ]
    return found


def another(schema: dict[str, Any]) -> Any:
    """A value that fits and differs from the default."""
    default = schema["default"]
    if schema["type"] == "boolean":
        return not default
    if "enum" in schema:
        return next(one for one in schema["enum"] if one != default)
    if schema["type"] == "integer":
        return default + 1 if default + 1 <= schema.get("maximum", default + 1) else default - 1
    if schema["type"] == "number":
        return default / 2
    if default == "daily":
        return "0 3 * * 1-5"
    return "1/7" if "pattern" in schema else "docs/another"


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A user whose settings are only read: one for all of these."""
    folder = tmp_path_factory.mktemp("reader")
    box = Box(folder, folder / "store", folder / "project")
    box.root.mkdir()
    box.run("init")
    return box


@each(("section", "name", "schema"), scalars())
def test_the_environment_sets_every_setting(reader, section, name, schema):
    wanted = another(schema)
    variable = f"RECOLLECT_{section}__{name}".upper()
    said = wanted if isinstance(wanted, str) else json.dumps(wanted)
    shown, warnings = found(dataclasses.replace(reader, settings={variable: said}))
    assert shown[f"{section}.{name}"] == (wanted, "environment")
    assert warnings == ""


@each(("section", "name", "schema"), scalars())
@each("nonsense", ['{"a": [1]}', "[]", "null"])
def test_nonsense_in_the_environment_is_a_clear_error(reader, section, name, schema, nonsense):
    variable = f"RECOLLECT_{section}__{name}".upper()
    done = dataclasses.replace(reader, settings={variable: nonsense}).run("health", code=1)
    assert done.err.startswith("CONFIG_ERROR")
    assert f"setting: {section}.{name}" in done.err
    assert "from: environment" in done.err
    assert "fix: " in done.err


@each("variable", ["RECOLLECT_SAVE__NOTHING", "RECOLLECT_NOTHING__AT_ALL", "RECOLLECT_SAVE__", "RECOLLECT___X"])
def test_a_setting_that_there_is_not_is_a_clear_error(reader, variable):
    done = dataclasses.replace(reader, settings={variable: "1"}).run("health", code=1)
    assert done.err.startswith("CONFIG_ERROR")


def test_lists_and_tables_may_come_from_the_environment(reader):
    said = {
        "RECOLLECT_SAVE__DISABLED_KINDS": "runbook, decision",
        "RECOLLECT_VAULT__LAYOUTS": '["json", "log"]',
        "RECOLLECT_TRIAGE__THRESHOLDS": '{"decision": 0.7}',
    }
    shown, _ = found(dataclasses.replace(reader, settings=said))
    assert shown["save.disabled_kinds"] == (["runbook", "decision"], "environment")
    assert shown["vault.layouts"] == (["json", "log"], "environment")
    assert shown["triage.thresholds"] == ({**THRESHOLDS, "decision": 0.7}, "environment")


def test_a_list_of_one_may_come_from_the_environment(reader):
    box = dataclasses.replace(reader, settings={"RECOLLECT_SAVE__DISABLED_KINDS": "runbook"})
    assert value(box, "save.disabled_kinds") == ["runbook"]


def test_nesting_without_end_in_the_environment_is_a_clear_error(reader):
    box = dataclasses.replace(reader, settings={"RECOLLECT_SAVE__MAX_PER_KIND": "[" * 100_000})
    assert box.run("health", code=1).err.startswith("CONFIG_ERROR")


# -- whatever the files hold --------------------------------------------------------------------------------------


FILES = [*EVERY_FILE, "openclaw.json", ".cursorclaw.json", "../config.toml"]


def assert_no_crash(box: Any) -> None:
    for command in (("config", "--json"), ("list",)):
        done = box.run(*command, code=None)
        assert done.code in (0, 1), done
        if done.code:
            assert (
                json.loads(done.err)["error"] == "CONFIG_ERROR" if "--json" in command else "CONFIG_ERROR" in done.err
            )
            assert "fix" in done.err
    assert box.run("doctor", code=None).code in (0, 1)


@pytest.mark.parametrize("name", FILES)
@given(data=st.binary(max_size=80) | st.text(max_size=60).map(lambda said: said.encode("utf-8", "replace")))
@few(6)
def test_any_bytes_in_any_settings_file_leave_a_clear_error_or_a_warning(reader, name, data):
    place = reader.root / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)
    try:
        assert_no_crash(reader)
    finally:
        place.unlink()


scraps = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["decision", "x"]), inner, max_size=2),
    max_leaves=5,
)


@given(data=st.data())
@few(6)
def test_any_value_under_any_key_of_a_seed_leaves_the_program_working(reader, data):
    """Their files never stop a program: what cannot be used is left out, with a warning."""
    row = data.draw(st.sampled_from([*MEMORY_CONFIG, *CONTINUITY]))
    said = json.dumps(nested(row.key.format(data.draw(st.sampled_from(CATEGORIES))), data.draw(scraps)))
    place = reader.root / (".claude/memory/memory-config.json" if row in MEMORY_CONFIG else "continuity.json")
    place.write_text(said, "utf-8", "surrogatepass")
    try:
        shown, _ = found(reader)
        reader.run("list")
        assert shown[row.setting][1] in ("default", str(place))
    finally:
        place.unlink()


@given(
    key=st.sampled_from([row.key for row in AGENT_CONF]),
    said=st.text(string.ascii_letters + string.digits + " \t\"'#=/-.$äß", max_size=20),
)
@few(6)
def test_any_value_in_agent_conf_leaves_the_program_working(reader, key, said):
    place = agent_conf(reader, f"{key}={said}\n")
    try:
        found(reader)
    finally:
        place.unlink()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("pyproject.toml", "tool = 1\n"),
        ("pyproject.toml", "[tool]\nrecollect = 5\n"),
        ("pyproject.toml", "[tool]\nletsgo = 5\n"),
        ("pyproject.toml", "[tool.letsgo]\nmemory = 5\n"),
        (".recollect.toml", f"x = {'1' * 5000}\n"),
        ("pyproject.toml", f"x = {'1' * 5000}\n"),
        (".recollect.toml", f"x = {'[' * 3000}"),
        ("pyproject.toml", f"x = {'[' * 3000}"),
        ("../config.toml", f"x = {'[' * 3000}"),
        ("continuity.json", "[" * 100_000),
        (".claude/memory/memory-config.json", '{"categories":' * 50_000),
        (".claude/memory/memory-config.json", f'{{"max_memories_per_category": {"1" * 5000}}}'),
        (".claude/memory/memory-config.json", '{"memory_root": "\\ud800"}'),
        (".claude/memory/memory-config.json", '{"memory_root": "a\\u0000b"}'),
        ("agent.conf", "MEMORY_RECALL=" + "x" * 100_000),
        (".recollect.toml", "save = 5\n"),
        (".recollect.toml", "[[save]]\n"),
        (".recollect.toml", "[kinds]\nincident = 5\n"),
        (".recollect.toml", "[save.retention_days]\nx = 'y'\n"),
        (".recollect.toml", "[save]\nretention_days = 5\n"),
    ],
    ids=lambda one: one[:40],
)  # fmt: skip
def test_a_file_made_to_break_a_reader_is_a_clear_error_or_a_warning(lasting, name, said):
    place = lasting.root / name
    place.write_text(said)
    assert_no_crash(lasting)


@pytest.mark.parametrize("name", FILES)
def test_a_folder_in_the_place_of_a_settings_file_is_a_clear_error_or_a_warning(lasting, name):
    (lasting.root / name).mkdir(parents=True)
    assert_no_crash(lasting)


# -- every setting is used, or says when it will be ---------------------------------------------------------------


@functools.cache
def reads() -> set[tuple[str, str]]:
    """Every (section, field) that a function reads: `….section.field`, or `name.field` after `name = ….section`."""
    found: set[tuple[str, str]] = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef):
                found |= function_reads(node)
            elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and _is_read_by_hooks(path):
                found.add(tuple(str(node.slice.value).partition(".")[::2]))  # hooks have them in a table, by name
    named = [row.setting for row in wiring.BINDINGS]
    named += [name for job in JOBS for name in (job.setting, job.schedule, job.recurrence)]
    return found | {tuple(name.partition(".")[::2]) for name in named}


def _is_read_by_hooks(path: Path) -> bool:
    return path.relative_to(SOURCE).parts[0] in ("hooks", "recall", "store")


def function_reads(function: ast.FunctionDef) -> set[tuple[str, str]]:
    named: dict[str, str] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            named |= section_names(node.targets[0], node.value)
    found: set[tuple[str, str]] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute):
            inner = node.value
            if isinstance(inner, ast.Attribute) and inner.attr in Config.model_fields:
                found.add((inner.attr, node.attr))
            elif isinstance(inner, ast.Name) and inner.id in named:
                found.add((named[inner.id], node.attr))
    return found


def section_names(target: ast.expr, given: ast.expr) -> dict[str, str]:
    """`rules = config.save`, also inside `rules, found = config.save, []`."""
    if isinstance(target, ast.Tuple) and isinstance(given, ast.Tuple):
        pairs = zip(target.elts, given.elts, strict=True)
        return {name: part for one, said in pairs for name, part in section_names(one, said).items()}
    is_section = isinstance(given, ast.Attribute) and given.attr in Config.model_fields
    return {target.id: given.attr} if is_section and isinstance(target, ast.Name) else {}


def every_setting() -> list[tuple[str, str, str]]:
    return [
        (section, name, (field.json_schema_extra or {}).get("later", ""))
        for section, part in Config.model_fields.items()
        if section != "kinds"
        for name, field in part.annotation.model_fields.items()
    ]


def test_every_setting_is_read_somewhere_or_says_what_will_read_it():
    read = reads()
    assert [
        f"{section}.{name}" for section, name, later in every_setting() if not later and (section, name) not in read
    ] == []


def test_no_setting_that_waits_is_read_already():
    read = reads()
    assert [f"{section}.{name}" for section, name, later in every_setting() if later and (section, name) in read] == []


def test_every_setting_has_a_sentence_and_every_row_names_a_setting():
    known = {f"{section}.{name}" for section, name, _ in every_setting()}
    for section, part in Config.model_fields.items():
        for name, field in part.annotation.model_fields.items() if section != "kinds" else ():
            assert field.description, f"{section}.{name}"
    assert {row.setting for rows in TABLES.values() for row in rows} <= known
    assert seeds.CATEGORIES == ("session_summary", "decision", "runbook", "constraint", "tech_debt", "preference")


def test_auto_capture_off_leaves_a_drafter_nothing_to_do(box):
    ask = ("candidate", "--category", "decision", "--new-info", "use sqlite for storage")
    assert box.run(*ask).json["structural_cud"] == "CREATE"
    (box.vault / "memory-config.json").write_text('{"categories": {"decision": {"auto_capture": false}}}')
    found = box.run(*ask).json
    assert (found["structural_cud"], found["vetoes"]) == ("NOOP", ["auto_capture is off for decision"])
