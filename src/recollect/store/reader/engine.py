"""apsw, loaded without what it does not use.

It asks for `collections.abc`, and with that Python loads `collections`, which takes as long as apsw itself. The part
that it wants is there since the interpreter started, under another name.
"""

import sys

_NAMES = ("collections", "collections.abc")
_is_lean = _NAMES[0] not in sys.modules
if _is_lean:
    sys.modules.update(dict.fromkeys(_NAMES, sys.modules["_collections_abc"]))

import apsw  # noqa: E402

if _is_lean:  # whoever asks from now on gets the whole of it
    for _name in _NAMES:
        del sys.modules[_name]

__all__ = ["apsw"]
