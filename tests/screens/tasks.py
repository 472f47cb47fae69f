"""Thirty tasks of every day, in the order in which a person meets them, each with the commands that it takes."""

from collections.abc import Callable
from dataclasses import dataclass

from happenings import agent_works, clone_arrives
from person import Person

Keys = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Command:
    """Words behind `recollect`, the keys that are pressed meanwhile, and the folder below HOME."""

    words: tuple[str, ...]
    keys: Keys = ()
    folder: str = "shop"


@dataclass(frozen=True)
class Task:
    """What a person wants, and how: in at most two commands."""

    wants: str
    commands: tuple[Command, ...]
    before: Callable[[Person], None] | None = None
    """What happened since the last task."""
    scrolls: bool = False
    """Whether it may be longer than a terminal of 24 lines, because all of it was asked for."""


def run(*words: str, keys: Keys = (), folder: str = "shop") -> Command:
    return Command(words, keys, folder)


YES = "[y/N]"
KEYS = "q quit"
TASKS = (
    Task("What is this?", (run(),)),
    Task("Which commands are there?", (run("--help"),), scrolls=True),
    Task("How does one of them work?", (run("help", "recall"),), scrolls=True),
    Task("Connect my agent", (run("install", "claude-code", keys=((YES, "y\n"),)),)),
    Task("Keep memories in the repository, for my team", (run("init"),)),
    Task(
        "Save a rule",
        (run("remember", "Use pnpm, never npm", "--kind", "preference", "--why", "the lockfile is pnpm's"),),
    ),
    Task("What is the state of this project?", (run(),), before=agent_works),
    Task("What is known?", (run("list"),)),
    Task("And the rest of it?", (run("list", "--page", "2"),)),
    Task("Which decisions were made?", (run("list", "--kind", "decision"),)),
    Task("What do we know about deploying?", (run("recall", "how do we deploy to production?"),)),
    Task("Is anything known about this?", (run("search", "kubernetes ingress controller"),)),
    Task("Read a memory", (run("show", "postgres"),)),
    Task("I do not remember its name", (run("show", "postgress"), run("shw", "deploy"))),
    Task("Correct a memory", (run("edit", "deploy", "--text", "Deploy from main with `make deploy`, on weekdays"),)),
    Task("How did it change?", (run("show", "deploy", "--history"),)),
    Task("Take that back", (run("undo"),)),
    Task(
        "It is no longer true, or is it?",
        (run("retire", "node-20-is-the", "--reason", "moved to Node 22"), run("restore", "node-20-is-the")),
    ),
    Task("Never forget this one", (run("pin", "postgres"),)),
    Task("Erase what should not be here", (run("purge", "the-staging", "--forever", keys=((YES, "y\n"),)),)),
    Task(
        "Decide about what was captured",
        (run("review", keys=((KEYS, "?"), ("timeline", "k"), (KEYS, "m"))),),
        scrolls=True,
    ),
    Task("What was the agent told, and why?", (run("why"),)),
    Task("When was it told about this error?", (run("why", "econnrefused"),)),
    Task("What happened in its sessions?", (run("session", "tail", "--no-follow", "-n", "6"),), scrolls=True),
    Task("What was done, day by day?", (run("timeline"),), scrolls=True),
    Task("Change a setting", (run("config", "deadline"), run("config", "set", "hooks.deadline_ms", "2000"))),
    Task("Is everything all right?", (run("doctor"),)),
    Task("Which project is this, and which others are there?", (run("project"), run("project", "list"))),
    Task(
        "Use the memories of a repository that I cloned",
        (run("trust", keys=((YES, "y\n"),), folder="docs"), run("list", folder="docs")),
        before=clone_arrives,
    ),
    Task(
        "Take everything with me, and leave", (run("export", "memories.jsonl"), run("uninstall", keys=((YES, "y\n"),)))
    ),
)
