"""Say a memory in one short line, without saying anything twice. Pure and import-light."""

_SIGNS = dict.fromkeys(map(ord, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~…“”„’‘"), " ")  # noqa: RUF001
ID_DIGITS = 8
SLUG_CHARS = 20
MORE_WORDS = 6
"""How many words a text may have before and between those of its title, such as "ok, but" and "the"."""


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
    return "" if rest and _begins_with(rest[0], title) else title, "; ".join(rest)


def _begins_with(text: str, title: str) -> bool:
    """Return whether the first words of a text have all words of a title; its last one may be cut off."""
    listed = title.split()
    listed = listed[:-1] if title.endswith("…") else listed
    return words(" ".join(listed)) <= words(" ".join(text.split()[: len(listed) + MORE_WORDS]))


def short_id(uid: str, slug: str) -> str:
    """Return a name that `recollect show` takes: the slug if it is short, else the end of the id."""
    return slug if 0 < len(slug) <= SLUG_CHARS else uid[-ID_DIGITS:]
