"""Write JSON without importing `json`, which would double the cost of a hook."""

_ESCAPES = {code: f"\\u{code:04x}" for code in (*range(32), 127, 0x2028, 0x2029)} | {34: '\\"', 92: "\\\\", 10: "\\n"}


def quote(text: str) -> str:
    """Return a text as a JSON string."""
    return '"' + text.translate(_ESCAPES) + '"'


def encode(value: object) -> str:
    """Return a value of texts, numbers, booleans, None, lists and dictionaries as JSON; numbers with four decimals."""
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{quote(str(name))}:{encode(part)}" for name, part in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(encode(part) for part in value) + "]"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return repr(round(value, 4) if isinstance(value, float) else value)
