"""Refuse tool calls that write into a vault past recollect, or run what only a person may run (B52-B54). Import-light.

Most calls do neither; a search of the event's bytes tells, and the event is not parsed then. `vault_rules` has the
rules for files, `person_only` those for commands.
"""

import os

from recollect import paths
from recollect.hooks.event import Event, Reply
from recollect.lazy import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from recollect.hooks.guard.person_only import Refusal
    from recollect.hooks.guard.vault_rules import Vaults

VAULT = os.path.join(".claude", "memory")
INSTEAD = (
    "`recollect write --action create|update|delete … --target PATH --input DRAFT`, "
    "`recollect remember TEXT --kind K`, `recollect edit NAME --text TEXT` or `recollect retire NAME`"
)
# A shell command that needs a person contains, in lower case and without quotes: our name, or one of the subcommands
# and a sign that the shell expands.
NAME, COMMANDS, EXPANDS = b"recol", (b"trust", b"purge", b"scrub"), (b"$", b"`", b"*", b"?")
_LOWER_CASE = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"abcdefghijklmnopqrstuvwxyz")
_JOINED_LINES = b"\\\\\\n"  # a backslash and the end of its line, as JSON has them


def guard(event: Event, reply: Reply) -> None:
    """Refuse a tool call that writes into a vault (B52) or runs what needs a person; reading is never refused."""
    vaults = _known_vaults(event)
    if not _may_write_vault(event, vaults) and not _may_need_person(event):
        return
    event.read()
    if event.fields["tool"] in event.dialect.SHELLS:
        home = event.env.get("HOME", "")
        command = load("recollect.hooks.guard.shell").read_command(event.fields["command"], event.folder, home)
        if command.refusal:
            reply.refusal = _ask_person(command.refusal)
            return
        writes = command.written
    else:
        writes = {_absolute(event, path): [None] for path in _target_files(event)}
    protecting = load("recollect.hooks.guard.vault_rules").protecting
    for path, endings in writes.items():
        vault = protecting(path, endings, vaults)
        if vault:
            reply.refusal = (
                f"{path} belongs to the memory vault {vault}, which is written through recollect alone so that nothing "
                f"is lost. Use {INSTEAD} instead; reading the files is fine."
            )
            return


def _ask_person(refusal: "Refusal") -> str:
    """Return what the agent is told about a call that needs a person."""
    folder = load("recollect.hooks.guard.person_only").quoted(refusal.folder)
    return (
        f"`{refusal.typed}` needs a person: {refusal.reason}. It is not run from an agent's shell. "
        f"Ask the user to type this in their own terminal: cd {folder} && {refusal.typed}"
    )


# -- a search of the event's bytes, because most calls have nothing to do with memories --------------------------------


def _known_vaults(event: Event) -> "Vaults":
    """Return the vaults that were initialised or trusted here, from the file that `setup.hook_settings` writes."""
    try:
        with open(os.path.join(paths.runtime(event.home), "vaults"), "rb") as file:
            parts = file.read().decode("utf-8", "surrogateescape").split("\0")
    except OSError:
        return {}
    return {os.path.join(root, name): root for root, name in zip(parts[::2], parts[1::2], strict=False) if name}


def _may_write_vault(event: Event, vaults: "Vaults") -> bool:
    """Whether the bytes of a call mention a vault, or its path leads into one."""
    base, found, given = event.raw.partition(b'"tool_input"')
    if not found or b"memory" in given or b".claude" in given or b".claude/memory" in base:
        return True
    others = [vault for vault in vaults if not vault.endswith(f"/{VAULT}")]  # with a folder name of their own
    if any(_is_mentioned(event.raw, vault, vaults[vault]) for vault in others):
        return True
    path = given.partition(b'_path":')[2].lstrip()[1:].partition(b'"')[0].decode("utf-8", "replace")
    if not path or "\\" in path:
        return bool(path)
    real = os.path.realpath(os.path.expanduser(path))
    return f"/{VAULT}" in real or any(real.startswith(vault) for vault in others)


def _is_mentioned(raw: bytes, vault: str, checkout: str) -> bool:
    """Whether an event contains the name of a vault, or the path of its checkout; always if JSON may escape them."""
    is_plain = vault.isascii() and '"' not in vault and "\\" not in vault
    return not is_plain or checkout.encode() in raw or os.path.basename(vault).encode() in raw


def _may_need_person(event: Event) -> bool:
    """Whether a shell command may name recollect or one of its commands, however it is quoted."""
    if not any(f'"{name}"'.encode() in event.raw for name in event.dialect.SHELLS):
        return False
    given = event.raw.partition(b'"tool_input"')[2] or event.raw
    bare = given.replace(_JOINED_LINES, b"").translate(_LOWER_CASE, b"\\\"'")
    has_escapes = b"$'" in given and b"\\\\" in given  # an escape in $'…' may hide any letter
    is_named = any(name in bare for name in COMMANDS) and any(sign in bare for sign in EXPANDS)
    return has_escapes or is_named or NAME in bare


def _target_files(event: Event) -> list[str]:
    """Return the files that a writing tool names; none for any other tool."""
    fields = event.read().fields
    if fields["tool"] not in event.dialect.WRITING:
        return []
    return event.dialect.targets(fields["tool"], fields["path"], fields["command"])


def _absolute(event: Event, path: str) -> str:
    """Return a path from the event's folder, with the home folder in place of `~`."""
    return os.path.join(event.folder, os.path.expanduser(path))


# -- files that were written all the same ------------------------------------------------------------------------------


def quarantine(event: Event, reply: Reply) -> None:
    """B53: check a file that a tool wrote into a vault; one that cannot be a memory is renamed, Markdown never is."""
    if not any(f'"{name}"'.encode() in event.raw for name in event.dialect.WRITING):
        return
    vaults = _known_vaults(event)
    if not _may_write_vault(event, vaults):
        return
    rules = load("recollect.hooks.guard.vault_rules")
    for path in _target_files(event):
        full_path = os.path.realpath(_absolute(event, path))
        vault = rules.vault_around(full_path, vaults)
        if vault and os.path.isfile(full_path) and rules.is_checked(full_path, vault, vaults):
            reply.complaint = _set_aside(full_path, rules.problem(full_path, vault), event.now)
            return


def _set_aside(path: str, problem: str, now: float) -> str:
    """Rename a file if it is no memory; return what the agent is told."""
    if not problem:
        return f"{path} was written past recollect; it will be read. Next time use {INSTEAD}."
    aside = f"{path}.invalid.{int(now)}"
    os.rename(path, aside)
    return f"{path} is not a memory ({problem}) and was renamed to {aside}. Use {INSTEAD} instead."
