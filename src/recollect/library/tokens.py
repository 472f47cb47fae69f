"""Workspace verbs on the access tokens of `recollect serve`: add, list, revoke, check."""

from recollect.opening.open_project import OpenProject
from recollect.setup import access_tokens
from recollect.setup.access_tokens import Face, NewToken, Scope, Token

__all__ = ["Face", "NewToken", "Scope", "Token", "TokenVerbs"]


class TokenVerbs(OpenProject):
    """The tokens with which people and programs use `recollect serve`. They are the store's, not a project's."""

    def add_token(self, name: str, *, scope: Scope = "read", face: Face = "page") -> NewToken:
        """Make a token; its secret is returned this once. Raises BadInput for a name that is taken or invalid."""
        return access_tokens.add(self._context, name, scope, face)

    def tokens(self) -> list[Token]:
        """Return every token without its secret, sorted by name."""
        return access_tokens.every(self._context.store)

    def revoke_token(self, name: str) -> Token:
        """Delete a token; running servers refuse it from the next request on. Raises NotFound."""
        return access_tokens.revoke(self._context, name)

    def check_token(self, secret: str, face: Face) -> Token | None:
        """Return the token of a secret, and record its use; None if it is unknown, revoked, or for another face."""
        token = access_tokens.find(self._context.store, secret, face)
        if token:
            access_tokens.note_use(self._context, token.name)
        return token

    def has_token(self, name: str) -> bool:
        """Return whether a token of this name exists, and record its use."""
        is_known = access_tokens.is_known(self._context.store, name)
        if is_known:
            access_tokens.note_use(self._context, name)
        return is_known
