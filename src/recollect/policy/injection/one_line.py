"""Say a memory in one short line, without saying anything twice. Pure and import-light."""

_SIGNS = dict.fromkeys(map(ord, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~…“”„’‘"), " ")  # noqa: RUF001
ID_DIGITS = 8
SLUG_CHARS = 20


def words(text: str) -> set[str]:
    """Return the words of a text in lower case, without punctuation."""
    return set(text.lower().translate(_SIGNS).split())


def title_and_rest(title: str, parts: "list[str]") -> tuple[str, str]:
    """Return a title and what a memory's fields add to it; the title is empty where the first field begins with it."""
    known, rest = words(title), list[str]()
    for part in parts:
        if not words(part) <= known:
            rest.append(part)
            known |= words(part)
    bare = " ".join(title.rstrip("….").split()).lower()
    is_repeated = bool(rest) and " ".join(rest[0].split()).lower().startswith(bare)
    return "" if is_repeated else title, "; ".join(rest)


def short_id(uid: str, slug: str) -> str:
    """Return a name that `recollect show` takes: the slug if it is short, else the end of the id."""
    return slug if 0 < len(slug) <= SLUG_CHARS else uid[-ID_DIGITS:]
