"""Access tokens for `recollect serve`: made once, kept as hashes in the store, revoked at once."""

import hashlib
import json
import re
import secrets
from dataclasses import dataclass
from typing import Literal

from recollect.errors import BadInput, NotFound
from recollect.project_context import ProjectContext
from recollect.store.protocols import Settings
from recollect.write import commit, journal_rebuild

TOKEN = "access_token:"  # noqa: S105 - the prefix of the names of settings
USED = "access_token_used:"
BEGINNING = "recollect_"
"""How every token begins, so that scanners for credentials recognise one."""
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
HOW_TO_LIST = "`recollect serve token list` lists them."

Scope = Literal["read", "write"]
Face = Literal["page", "mcp"]


@dataclass(frozen=True, slots=True)
class Token:
    """What is known of a token; its secret is not."""

    name: str
    scope: Scope
    face: Face
    """What it opens: the page, or MCP over HTTP."""
    created_at: str
    used_at: str = ""
    """When it was last used, to the minute; empty if it never was."""

    @property
    def may_write(self) -> bool:
        """Whether its holder may change memories."""
        return self.scope == "write"


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token that was just made, with its secret, which is not kept."""

    token: Token
    secret: str


def add(context: ProjectContext, name: str, scope: Scope, face: Face) -> NewToken:
    """Make a token; raises BadInput for a name that is taken or cannot be one."""
    if not NAME.fullmatch(name):
        fix = "Use up to 63 small letters, digits, dots, dashes and underscores."
        raise BadInput("this cannot be the name of a token", target=name, fix=fix)
    if context.store.setting(TOKEN + name) is not None:
        fix = f"Choose another name, or run `recollect serve token revoke {name}` first."
        raise BadInput("a token has this name already", target=name, fix=fix)
    secret = BEGINNING + secrets.token_urlsafe(32)
    token = Token(name, scope, face, context.stamp())
    kept = {"hash": _hash(secret), "scope": scope, "face": face, "created_at": token.created_at}
    _keep(context, name, json.dumps(kept))
    return NewToken(token, secret)


def revoke(context: ProjectContext, name: str) -> Token:
    """Delete a token; running servers refuse it from the next request on. Raises NotFound."""
    found = {token.name: token for token in every(context.store)}.get(name)
    if found is None:
        raise NotFound("no token has this name", target=name, fix=HOW_TO_LIST)
    _keep(context, name, None)
    with context.store.writing():
        context.store.set_setting(USED + name, None)
    return found


def _keep(context: ProjectContext, name: str, value: str | None) -> None:
    """Write a token's row with a journal entry, so that a rebuilt store has no revoked tokens."""
    journal_rebuild.remember(context, TOKEN + name, value)
    commit.mirror(context)


def every(store: Settings) -> list[Token]:
    """Return every token, sorted by name."""
    used = store.settings(USED)
    return [
        _read(name.removeprefix(TOKEN), value, used.get(USED + name.removeprefix(TOKEN), ""))
        for name, value in store.settings(TOKEN).items()
    ]


def _read(name: str, value: str, used_at: str) -> Token:
    kept = json.loads(value)
    return Token(name, kept["scope"], kept["face"], kept["created_at"], used_at)


def find(store: Settings, secret: str, face: Face) -> Token | None:
    """Return the token of a secret; None if it is unknown, revoked, or opens another face."""
    wanted = _hash(secret)
    for name, value in store.settings(TOKEN).items():
        kept = json.loads(value)
        if secrets.compare_digest(kept["hash"], wanted) and kept["face"] == face:
            return _read(name.removeprefix(TOKEN), value, "")
    return None


def is_known(store: Settings, name: str) -> bool:
    """Whether a token of this name exists."""
    return store.setting(TOKEN + name) is not None


def note_use(context: ProjectContext, name: str) -> None:
    """Record when a token was used, at most once a minute, because every request asks for it."""
    minute = context.stamp()[:16]
    if context.store.setting(USED + name) != minute:
        with context.store.writing(durable=False):
            context.store.set_setting(USED + name, minute)


def _hash(secret: str) -> str:
    """Return what is kept of a secret. It has 256 random bits, so a slow hash would add nothing."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
