"""The rules that only the full detector applies, in the order of `RULES`; each has an example that a test checks.

Tokens with a provider's prefix and names of credentials are not here but in `policy/secrets/table.py`, which both
detectors read.
"""

from recollect.policy.secrets.rules.assignments import ASSIGNMENTS
from recollect.policy.secrets.rules.commands import COMMANDS
from recollect.policy.secrets.rules.keys_and_tokens import KEYS_AND_TOKENS
from recollect.policy.secrets.rules.logins import LOGINS
from recollect.policy.secrets.rules.prose import PROSE
from recollect.policy.secrets.rules.rule import Rule

# Where findings overlap, the rule that stands first here names the result.
RULES: tuple[Rule, ...] = (*KEYS_AND_TOKENS, *LOGINS, *COMMANDS, *ASSIGNMENTS, *PROSE)
