"""All checks of `recollect doctor`, in the order in which they are printed."""

from collections.abc import Sequence
from pathlib import Path

from recollect.identity.resolver import Standing
from recollect.project_context import ProjectContext
from recollect.setup.doctor import (
    capabilities,
    client_checks,
    inbox_checks,
    log_checks,
    settings_checks,
    store_checks,
    vault_checks,
)
from recollect.setup.doctor.check import Check


def examine(
    context: ProjectContext,
    home: Path,
    standing: Standing,
    *,
    warnings: Sequence[str] = (),
    ignored: Sequence[str] = (),
) -> list[Check]:
    """Check store, project and vault, settings, clients, worker and inbox, search index and capabilities.

    `warnings` are about settings that could not be used, `ignored` are settings files that nobody trusted.
    """
    return [
        store_checks.check_database(context),
        store_checks.check_journal(context),
        store_checks.check_permissions(context),
        vault_checks.check_project(standing),
        *vault_checks.check_lookalikes(context),
        vault_checks.check_vault(context, standing),
        *vault_checks.check_files(context),
        *log_checks.check_log(context),
        *log_checks.check_limits(context),
        *settings_checks.check_settings(warnings, ignored),
        client_checks.check_hooks(context, home),
        *client_checks.check_unknown_hooks(context, home),
        *client_checks.check_mcp(home),
        inbox_checks.check_worker(context, home),
        *inbox_checks.check_jobs(context, home),
        *inbox_checks.check_taught(context),
        *inbox_checks.check_inbox(home, context.clock(), context.config.capture.ttl_days),
        *client_checks.check_switch(context),
        store_checks.check_search(context),
        *store_checks.check_rules(context),
        *client_checks.check_auto_memory(home, context.env),
        capabilities.check_capabilities(),
    ]
