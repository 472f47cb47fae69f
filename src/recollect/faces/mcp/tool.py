"""A row of the table of tools, and the check of a call's arguments against it. Import-light."""

from recollect.errors import BadInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MOST_CHARS = 20_000
"""The longest text that an argument may have, where its schema names no limit."""
TYPES: "dict[str, type | tuple[type, ...]]" = {
    "string": str, "integer": int, "boolean": bool, "array": list, "object": dict, "number": (int, float),
}  # fmt: skip


class Tool:
    """A tool: what a client lists of it, and the function that answers."""

    __slots__ = ("description", "function", "hints", "name", "properties", "required", "title")

    def __init__(
        self, name: str, title: str, description: str, function: str, *, properties: "dict[str, dict[str, Any]]",
        required: "tuple[str, ...]" = (), hints: "Mapping[str, bool]",
    ) -> None:  # fmt: skip
        self.name, self.title, self.description = name, title, description
        self.function = function
        """Module and function below `recollect.faces.mcp.tools`, loaded when the tool is called first."""
        self.properties, self.required, self.hints = properties, required, hints

    def as_dict(self) -> "dict[str, Any]":
        """Return the tool as `tools/list` has it."""
        schema = {"type": "object", "properties": self.properties, "required": list(self.required)}
        return {
            "name": self.name, "title": self.title, "description": self.description,
            "inputSchema": {**schema, "additionalProperties": False}, "annotations": dict(self.hints),
        }  # fmt: skip

    def checked(self, arguments: object) -> "dict[str, Any]":
        """Return the arguments of a call if they fit the schema; raises BadInput that says what to change."""
        if not isinstance(arguments, dict):
            raise BadInput("the arguments are not an object", target=self.name, fix=self._fix())
        unknown = [name for name in arguments if name not in self.properties]
        if unknown:
            raise BadInput("there is no such argument", target=str(unknown[0])[:80], fix=self._fix())
        for name in self.required:
            if arguments.get(name) in (None, "", []):
                raise BadInput("this argument is required", target=name, fix=self._fix())
        try:
            given = {name: _storable(value) for name, value in arguments.items() if value is not None}
        except RecursionError:
            raise BadInput("the arguments are nested too deeply", target=self.name, fix=self._fix()) from None
        for name, value in given.items():
            _check(name, value, self.properties[name])
        return given

    def _fix(self) -> str:
        return f"{self.name} takes: {', '.join(self.properties)}."


def _storable(value: "Any") -> "Any":
    """Return a value as it can be kept: without halves of a character, and 5.0 as the integer that it is in JSON."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return [_storable(item) for item in value] if isinstance(value, list) else value


def _check(name: str, value: object, schema: "Mapping[str, Any]") -> None:
    """Raise BadInput where a value does not fit a schema; the keywords that the table uses are known."""
    wanted = TYPES.get(str(schema.get("type", "")))
    again = f"Correct `{name}` and call again."
    if wanted and (not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool)):
        raise BadInput(f"this argument has to be of type {schema['type']}", target=name, fix=again)
    if isinstance(value, str):
        most = int(schema.get("maxLength", MOST_CHARS))
        if len(value) > most:
            fix = "Shorten it, or keep the text in a file and remember what it says."
            raise BadInput(f"this text has {len(value):,} characters, at most {most:,} are taken", target=name, fix=fix)
    if "enum" in schema and value not in schema["enum"]:
        raise BadInput("this is not one of the values", target=name, fix=f"Use one of: {', '.join(schema['enum'])}.")
    if isinstance(value, int | float) and not isinstance(value, bool):
        low, high = schema.get("minimum", value), schema.get("maximum", value)
        if not low <= value <= high:
            raise BadInput(f"this number has to be from {low} to {high}", target=name, fix=again)
    if isinstance(value, list):
        most = int(schema.get("maxItems", 50))
        if len(value) > most:
            raise BadInput(f"there are {len(value)} values, at most {most} are taken", target=name, fix=again)
        for item in value:
            _check(name, item, schema.get("items", {}))
