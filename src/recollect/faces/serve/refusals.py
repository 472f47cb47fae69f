"""The table of refusals: every reason for which a request is turned away before a handler sees it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is refused: the HTTP status, and one sentence for the person or program that asked."""

    status: int
    says: str


LOG_NAME = "(refused)"
"""What the request log calls the sender of a refused request; no token can have this name."""

FRAMING = Refusal(400, "The request's length is ambiguous: it has more than one length, or a length and chunks.")
TARGET = Refusal(400, "Ask for a path on this server, such as /.")
HOST = Refusal(403, "This name is not served here. Use the address that `recollect open` or `recollect serve` printed.")
PATH = Refusal(400, "This path is not allowed: it leaves its folder, or hides signs in an encoding.")
METHOD = Refusal(405, "This method is not served.")
FOREIGN_ORIGIN = Refusal(403, "Another site sent this request.")
NO_ORIGIN = Refusal(403, "A request that changes something needs an Origin header.")
CSRF = Refusal(403, "The form is from another session. Load the page again and repeat the change.")
NO_SESSION = Refusal(401, "You are not signed in. Run `recollect open` again, or sign in at /login with a token.")
NO_TOKEN = Refusal(401, "Send `Authorization: Bearer TOKEN`. `recollect serve token add NAME --for mcp` makes one.")
USED_LINK = Refusal(403, "This link was used already, or is too old. Run `recollect open` again.")
BAD_TOKEN = Refusal(403, "This token is not known, or was revoked.")
READ_ONLY = Refusal(403, "This token may read, not write.")
HEAD = Refusal(431, "The address or the headers of the request are too long.")
TOO_LARGE = Refusal(413, "The request is too large.")
TOO_SLOW = Refusal(408, "The request did not arrive in time.")
TOO_MANY = Refusal(429, "Too many requests. Wait a second and try again.")
