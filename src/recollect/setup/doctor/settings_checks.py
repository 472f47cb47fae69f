"""Checks of settings: values that cannot be used, and files that are not used because nobody trusted them."""

from collections.abc import Sequence

from recollect.setup.doctor.check import Check, well, wrong


def check_settings(warnings: Sequence[str], ignored: Sequence[str]) -> list[Check]:
    """Report the values of settings that were ignored, and the project's files that are; nothing if there are none."""
    checks = []
    if warnings:
        more = f" and {len(warnings) - 1} more" if len(warnings) > 1 else ""
        fix = "Correct the file; `recollect config` shows the values that are used instead."
        checks.append(wrong("settings", f"{warnings[0]}{more}", fix, tuple(warnings[1:])))
    if ignored:
        says = f"not used, because you have not trusted this clone: {', '.join(ignored)}"
        checks.append(well("settings", says, "Run `recollect trust --settings` to use them."))
    return checks
