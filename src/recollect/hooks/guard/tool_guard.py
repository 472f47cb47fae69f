"""What an agent's tools may not do: write into a vault past recollect, and run what only a person may run (B52-B54).

Most calls have nothing to do with either: a quick look at their bytes tells. `vaults` has the rules for files, `person`
those for commands.
"""

import os

from recollect import folders
from recollect.hooks.event import Event, Reply
from recollect.lazy import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.hooks.guard.vault_rules import Vaults

VAULT = os.path.join(".claude", "memory")
HOW = (
    "`recollect write --action create|update|delete … --target PATH --input DRAFT`, "
    "`recollect remember TEXT --kind K`, `recollect edit NAME --text TEXT` or `recollect retire NAME`"
)
# What a shell command has to contain for a call that needs a person, in small letters and without quotes: our name, or
# one of the commands beside something that the shell expands to it.
NAME, COMMANDS, EXPANDS = b"recol", (b"trust", b"purge", b"scrub"), (b"$", b"`", b"*", b"?")
_SMALL = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"abcdefghijklmnopqrstuvwxyz")
_JOINED_LINES = b"\\\\\\n"  # a backslash and the end of its line, as JSON has them


def guard(event: Event, reply: Reply) -> None:
    """Refuse a tool call that writes into a vault (B52) or runs what needs a person; reading is never refused."""
    vaults = _listed(event)
    if not _may_write(event, vaults) and not _may_need_a_person(event):
        return
    event.read()
    if event.fields["tool"] in event.dialect.SHELLS:
        home = event.env.get("HOME", "")
        command = load("recollect.hooks.guard.shell").read_command(event.fields["command"], event.folder, home)
        if command.person:
            reply.refusal = _for_a_person(*command.person)
            return
        writes = command.written
    else:
        writes = {_whole(event, path): [None] for path in _named(event)}
    protecting = load("recollect.hooks.guard.vault_rules").protecting
    for path, endings in writes.items():
        vault = protecting(path, endings, vaults)
        if vault:
            reply.refusal = (
                f"{path} belongs to the memory vault {vault}, which is written through recollect alone so that nothing "
                f"is lost. Use {HOW} instead; reading the files is fine."
            )
            return


def _for_a_person(typed: str, why: str, folder: str) -> str:
    quoted = load("recollect.hooks.guard.person_only").quoted(folder)
    return (
        f"`{typed}` needs a person: {why}. It is not run from an agent's shell. "
        f"Ask the user to type this in their own terminal: cd {quoted} && {typed}"
    )


# -- a quick look, because most calls have nothing to do with memories ------------------------------------------------


def _listed(event: Event) -> "Vaults":
    """The vaults that were initialised or trusted here; `lifecycle.snapshot` lists them in a file."""
    try:
        with open(os.path.join(folders.runtime(event.home), "vaults"), "rb") as file:
            parts = file.read().decode("utf-8", "surrogateescape").split("\0")
    except OSError:
        return {}
    return {os.path.join(root, name): root for root, name in zip(parts[::2], parts[1::2], strict=False) if name}


def _may_write(event: Event, vaults: "Vaults") -> bool:
    """Whether the words of a call, or where its path leads, may have to do with a vault."""
    base, found, given = event.raw.partition(b'"tool_input"')
    if not found or b"memory" in given or b".claude" in given or b".claude/memory" in base:
        return True
    own = [vault for vault in vaults if not vault.endswith(f"/{VAULT}")]
    if any(_is_mentioned(event.raw, vault, vaults[vault]) for vault in own):
        return True
    path = given.partition(b'_path":')[2].lstrip()[1:].partition(b'"')[0].decode("utf-8", "replace")
    if not path or "\\" in path:
        return bool(path)
    real = os.path.realpath(os.path.expanduser(path))
    return f"/{VAULT}" in real or any(real.startswith(vault) for vault in own)


def _is_mentioned(raw: bytes, vault: str, checkout: str) -> bool:
    """Whether an event happens in the checkout of a vault with a name of its own, or has that name in it."""
    is_plain = vault.isascii() and '"' not in vault and "\\" not in vault
    return not is_plain or checkout.encode() in raw or os.path.basename(vault).encode() in raw


def _may_need_a_person(event: Event) -> bool:
    """Whether a shell command may name recollect or one of its commands, however it is quoted."""
    if not any(f'"{name}"'.encode() in event.raw for name in event.dialect.SHELLS):
        return False
    given = event.raw.partition(b'"tool_input"')[2] or event.raw
    bare = given.replace(_JOINED_LINES, b"").translate(_SMALL, b"\\\"'")
    has_escapes = b"$'" in given and b"\\\\" in given  # it may hide any letter
    is_named = any(name in bare for name in COMMANDS) and any(sign in bare for sign in EXPANDS)
    return has_escapes or is_named or NAME in bare


def _named(event: Event) -> list[str]:
    """The files that a writing tool names."""
    said = event.read().fields
    if said["tool"] not in event.dialect.WRITING:
        return []
    return event.dialect.targets(said["tool"], said["path"], said["command"])


def _whole(event: Event, path: str) -> str:
    return os.path.join(event.folder, os.path.expanduser(path))


# -- what got in -------------------------------------------------------------------------------------------------------


def quarantine(event: Event, reply: Reply) -> None:
    """B53: check a file that a tool wrote into a vault; one that cannot be a memory is renamed, Markdown never is."""
    if not any(f'"{name}"'.encode() in event.raw for name in event.dialect.WRITING):
        return
    vaults = _listed(event)
    if not _may_write(event, vaults):
        return
    rules = load("recollect.hooks.guard.vault_rules")
    for path in _named(event):
        whole = os.path.realpath(_whole(event, path))
        vault = rules.vault_around(whole, vaults)
        if vault and os.path.isfile(whole) and rules.is_checked(whole, vault, vaults):
            reply.complaint = _set_aside(whole, rules.problem(whole, vault), event.now)
            return


def _set_aside(path: str, problem: str, now: float) -> str:
    """Rename a file that is no memory; what the model is told about it."""
    if not problem:
        return f"{path} was written past recollect; it will be taken in. Next time use {HOW}."
    aside = f"{path}.invalid.{int(now)}"
    os.rename(path, aside)
    return f"{path} is not a memory ({problem}) and was renamed to {aside}. Use {HOW} instead."
