"""Install recollect into a coding agent's settings, and uninstall it: `plan.py` decides, `applying.py` writes.

The names below are used by the command line, `doctor` and the tests.
"""

from recollect.setup.hook_command import START, hook_command, hook_words
from recollect.setup.install.applying import apply
from recollect.setup.install.clients import CLIENTS, SCOPES, Client, Where, around
from recollect.setup.install.mcp_clients import MCP_CLIENTS, McpClient
from recollect.setup.install.plan import TARGETS, Change, Plan, plan_install, plan_uninstall
from recollect.setup.install.state import Installed, installed, mcp_problems, missing_places

__all__ = [
    "CLIENTS",
    "MCP_CLIENTS",
    "SCOPES",
    "START",
    "TARGETS",
    "Change",
    "Client",
    "Installed",
    "McpClient",
    "Plan",
    "Where",
    "apply",
    "around",
    "hook_command",
    "hook_words",
    "installed",
    "mcp_problems",
    "missing_places",
    "plan_install",
    "plan_uninstall",
]
