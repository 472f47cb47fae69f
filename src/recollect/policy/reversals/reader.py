"""Read a sentence into a `Statement`."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from recollect.policy.reversals import endings, families, turns
from recollect.policy.reversals.statement import Statement, Thing
from recollect.policy.reversals.values import COMPLEMENT, MEASURED, PERSONS, is_setting, is_unit, sorts
from recollect.policy.reversals.words import (
    BOUNDARIES,
    CALLED,
    DETERMINERS,
    EMPTY,
    EMPTY_FORMS,
    IS,
    LEADING_TO,
    NUMBERS,
    OBJECTS,
    PLACES,
    REASONS,
    SETTINGS,
    USE,
    WRITTEN,
    Token,
    tokens,
)

MOST_CHARS = 500
MOST_WORDS = 5
_REASON = re.compile(
    r"[,;]?\s+(?:because|so that|due to|weil|damit)\b.*|\s*[,;]\s*(?:since|as|da)\b\s.*|ので.*|ため、.*", re.DOTALL
)
_REJECTED = re.compile(
    r"\b(?:never|don't|do not|does not|doesn't|must not|mustn't|should not|shouldn't|cannot|can't|may not|not|no|avoid"
    r"|without|nie|niemals|keine?n?|nicht|vermeide)\s+(?P<old>(?:[^,;!?\n.:()]|[.:](?=\S)){1,80})",
    re.IGNORECASE,
)
_FORBIDDEN = re.compile(
    r"(?P<before>(?:[^,;!?\n.:()]|[.:](?=\S)){1,80}?)\s(?:is|are|ist|sind)\s"
    r"(?:strictly\s|generally\s)?(?:forbidden|not allowed|banned|prohibited|off limits|verboten|nicht erlaubt)\b"
    r"|(?P<jold>[^、。]{1,30}?)(?:は|を)?(?:禁止|しない|使わない|しません)",
    re.IGNORECASE,
)
_SUPPORT = re.compile(r"\b(?:support for|(?:the )?use of|usage of)\s+", re.IGNORECASE)
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(word for word in NUMBERS if word != 'one')})\b", re.IGNORECASE)
_ONE = re.compile(r"\b(needs?|of|least|most|than) one\b(?! of)", re.IGNORECASE)
# "dont", "doesnt", "wont": spelt as the tables have it.
_APOSTROPHES = re.compile(r"\b(do|does|did|wo|is|are|was|ca|should|must|need)n['\u2019]?t\b", re.IGNORECASE)
_SHORT_FORMS = {
    "db": "database", "dbs": "databases", "repo": "repository", "config": "configuration", "env": "environment",
    "auth": "authentication", "prod": "production", "docs": "documentation", "deps": "dependencies",
    "dep": "dependency", "dev": "development", "admin": "administration", "msg": "message",
}  # fmt: skip
_SHORT_FORM = re.compile(rf"(?<![\w./-])(?:{'|'.join(_SHORT_FORMS)})(?![\w/-]|\.\w)", re.IGNORECASE)
_PRONOUN_ONLY = re.compile(r"\b(?:it|that|this|das|es)\b", re.IGNORECASE)


@lru_cache(maxsize=512)
def read(text: str) -> Statement:
    """Return what a sentence says; only its first 500 characters are read."""
    plain = _APOSTROPHES.sub(r"\1n't", text[:MOST_CHARS].replace("**", ""))
    plain = _SHORT_FORM.sub(lambda match: _SHORT_FORMS[match[0].lower()], plain)
    said = families.join_names(" ".join(plain.split()))
    said = _SUPPORT.sub(
        "", _ONE.sub(r"\1 1", _NUMBER_WORD.sub(lambda match: NUMBERS[match[0].lower()], _REASON.sub("", said)))
    )
    own = _before_exception(said)
    return _Reader(own, said).statement()


def is_turn(text: str) -> bool:
    """Whether a sentence says that something changed or ended, or that a rule has an exception."""
    statement = read(text)
    return statement.has_turn or statement.is_exception or endings.has_ended(text)


def _before_exception(said: str) -> str:
    """Return the rule of a sentence that names an exception of its own: "never npm, except in scripts"."""
    match = re.search(
        r"[,;(]?\s*(?:\bbut\b\s+)?\b(?:except|unless|apart from|außer|es sei denn)\b", said, re.IGNORECASE
    )
    return said[: match.start()] if match and match.start() > 12 else said


class _Reader:
    """Marks the words of a sentence with what they stand for."""

    def __init__(self, said: str, whole: str) -> None:
        self.said, self.whole = said, whole
        self.tokens = tokens(said)
        self.given: list[tuple[int, int]] = []
        self.refused: list[tuple[int, int]] = []
        self.things: list[Thing] = []
        self.rejected: list[Thing] = []
        self.moved: list[tuple[str, ...]] = []
        self.places: set[str] = set()
        self.is_negative = False

    # -- what is given up --------------------------------------------------------------------------------------------

    def _span(self, start: int, end: int, *, from_right: bool = False) -> list[Token]:
        """Return the words that name a thing at the beginning, or at the end, of a part of the sentence."""
        inside = [token for token in self.tokens if start <= token.start < end]
        found: list[Token] = []
        for token in reversed(inside) if from_right else inside:
            if not found and self._is_lead(token, is_first=token is inside[0]):
                continue
            if token.word in BOUNDARIES or token.is_mark or token.is_kana or len(found) == MOST_WORDS:
                break
            if token.word in DETERMINERS:
                continue
            found.append(token)
        return found[::-1] if from_right else found

    def _is_lead(self, token: Token, *, is_first: bool) -> bool:
        """Whether a word only leads up to the name of a thing."""
        is_verb_of_use = (token.word in USE and not token.is_proper) or token.word in EMPTY_FORMS
        return token.word in DETERMINERS or is_verb_of_use or (is_first and token.word in LEADING_TO)

    def _is_action(self, start: int, end: int) -> bool:
        """Whether a part of the sentence begins with a verb that is more than "use"."""
        words = [token.word for token in self.tokens if start <= token.start < end]
        return bool(words) and not (words[0] in USE or words[0] in DETERMINERS or words[0] in LEADING_TO)

    def _action(self, start: int, end: int) -> list[Token]:
        """Return the words of an action with its objects: "push to main"."""
        found: list[Token] = []
        for token in self.tokens:
            if not start <= token.start < end or token.word in DETERMINERS or token.word in OBJECTS:
                continue
            if token.word in BOUNDARIES or token.is_mark or token.is_kana or len(found) == MOST_WORDS:
                break
            found.append(token)
        return found

    def _give_up(self, start: int, end: int, *, from_right: bool = False, may_be_action: bool = False) -> None:
        is_action = may_be_action and self._is_action(start, end)
        found = self._action(start, end) if is_action else self._span(start, end, from_right=from_right)
        if not found:
            return
        self.given.append((found[0].start, found[-1].end))
        self.things.append(Thing(_stems(found), is_action, _is_value(found[-1])))
        if start <= found[0].start and not from_right:
            self._more_given_up(found[-1].end, end)

    def _more_given_up(self, start: int, end: int) -> None:
        """Add the rest of a list: "no more npm, yarn or bun"."""
        rest = [token for token in self.tokens if start <= token.start < end]
        if rest and rest[0].word in ("or", "and", "oder", "und", "nor"):
            self._give_up(rest[0].end, end)

    def _read_turns(self) -> None:
        for rule in turns.GIVEN_UP:
            for match in rule.pattern.finditer(self.said):
                groups = match.re.groupindex
                for name in ("old", "jold", "oldaction"):
                    if name in groups and match[name]:
                        self._give_up(*match.span(name), from_right=name == "jold", may_be_action=name == "oldaction")
                if "before" in groups and match["before"]:
                    self._give_up(*match.span("before"), from_right=True)
                self._adopt(match, "new", "jnew", "newbefore")
                self._place(match)
        for rule in turns.MOVED_TO:
            for match in rule.pattern.finditer(self.said):
                self._adopt(match, "new", "jnew")
                self._place(match)

    def _adopt(self, match: re.Match[str], *names: str) -> None:
        for name in names:
            if name in match.re.groupindex and match[name]:
                found = self._span(*match.span(name), from_right=name == "newbefore")
                self.moved += [_stems(found)] if found else []

    def _place(self, match: re.Match[str]) -> None:
        if "about" in match.re.groupindex and match["about"]:
            start, end = match.span("about")
            self.places |= {token.stem for token in self.tokens if start <= token.start < end and not token.is_empty}

    # -- what is rejected --------------------------------------------------------------------------------------------

    def _read_rejections(self) -> None:
        for match in _REJECTED.finditer(self.said):
            if self._is_given(match.start("old")):
                continue
            self._reject(*match.span("old"))
            before = self.said[: match.start()].rstrip()
            is_contrast = before.endswith((",", ";", " and", " but")) or match[0].lower().startswith("without")
            self.is_negative = self.is_negative or not is_contrast
        for match in _FORBIDDEN.finditer(self.said):
            self.is_negative = True
            name = "before" if match["before"] else "jold"
            self._reject(*match.span(name), from_right=name == "before")

    def _reject(self, start: int, end: int, *, from_right: bool = False) -> None:
        is_action = not from_right and self._is_action(start, end)
        found = self._action(start, end) if is_action else self._span(start, end, from_right=from_right)
        if not found or self._is_given(found[0].start):
            return
        self.refused.append((found[0].start, found[-1].end))
        self.rejected.append(Thing(_stems(found), is_action, _is_value(found[-1])))
        rest = [token for token in self.tokens if found[-1].end <= token.start < end]
        if rest and rest[0].word in ("or", "and", "oder", "und", "nor") and not from_right:
            self._reject(rest[0].end, end)

    def _is_given(self, position: int) -> bool:
        return any(start <= position < end for start, end in self.given)

    def _is_refused(self, position: int) -> bool:
        return any(start <= position < end for start, end in self.refused)

    # -- what is wanted ----------------------------------------------------------------------------------------------

    def _wanted(self) -> list[Token]:
        return [token for token in self.tokens if not self._is_given(token.start) and not self._is_refused(token.start)]

    def _adopted(self) -> Iterable[tuple[str, ...]]:
        wanted = self._wanted()
        for position, token in enumerate(wanted):
            before = wanted[position - 1].word if position else ""
            is_place = token.word in PLACES or token.word == "to"
            if token.word in USE or (token.word in LEADING_TO and (not is_place or before in USE or before in IS)):
                found = _phrase(wanted[position + 1 :])
                if found:
                    yield _stems(found)
        leading = _phrase(wanted)
        if leading and _is_short(wanted):
            yield _stems(leading)

    def _is_head(self, position: int) -> bool:
        """Whether a name is the thing itself, and does not only describe the next word ("the yarn lockfile")."""
        token, after = self.tokens[position], self.tokens[position + 1 : position + 2]
        if self.said[token.end : token.end + 2] in ("'s", "\u2019s"):
            return False
        if not after or after[0].is_mark or after[0].is_kana or after[0].is_number or after[0].word in BOUNDARIES:
            return True
        known = {word for family in families.families(token.word) for word in family.about}
        return after[0].word in known or after[0].word in DETERMINERS or after[0].is_empty

    def _is_introduced(self, position: int) -> bool:
        """Whether a name stands behind a verb or preposition of use, at the beginning, or in a list of such names."""
        after = self.tokens[position + 1 : position + 3]
        if after and after[0].is_kana:
            return True
        if all(token.is_empty for token in self.tokens[:position]) and after and after[0].word in IS:
            return len(after) > 1 and after[1].word in CALLED
        for token in reversed(self.tokens[max(0, position - 4) : position]):
            if token.word == "in" and families.is_language(self.tokens[position].word):
                return self.tokens[position - 2].word in WRITTEN if position > 1 else False
            if token.word in USE or token.word in LEADING_TO or token.is_mark or token.word in IS:
                return True
            if not (token.is_empty or token.word in DETERMINERS or families.families(token.word)):
                return token.word in ("new", "plain", "latest") or token.is_number
        return True

    def _names(self) -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
        """Return by family the names that are wanted, and those that are given up or rejected."""
        wanted: dict[str, set[str]] = {}
        old: dict[str, set[str]] = {}
        for position, token in enumerate(self.tokens):
            for family in families.families(token.word):
                is_old = self._is_given(token.start) or self._is_refused(token.start)
                if is_old:
                    if not family.is_choice or self._is_head(position):
                        old.setdefault(family.name, set()).add(token.word)
                elif not family.is_choice or (self._is_head(position) and self._is_introduced(position)):
                    wanted.setdefault(family.name, set()).add(token.word)
        return _frozen(wanted), _frozen(old)

    def _named(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for token in self.tokens:
            for family in families.families(token.word):
                found.setdefault(family.name, set()).add(token.stem)
        return _frozen(found)

    def _values(self) -> tuple[dict[str, frozenset[str]], frozenset[str]]:
        """Return the values by sort, and the values that are given up."""
        found: dict[str, set[str]] = {}
        old: set[str] = set()
        for position, token in enumerate(self.tokens):
            for sort, value in sorts(self.tokens, position):
                if self._is_given(token.start) or self._is_refused(token.start):
                    old.add(value)
                else:
                    found.setdefault(sort, set()).add(value)
        for match in COMPLEMENT.finditer(self.said):
            value, is_proper = match["value"].lower(), match["value"][0].isupper()
            is_other = bool(families.families(value)) or self._is_refused(match.start("value"))
            if not is_other and not value[0].isdigit() and (is_proper or match["head"].lower() in SETTINGS):
                found.setdefault("name", set()).add(value)
        for pattern in PERSONS:
            for match in pattern.finditer(self.said):
                name = match[1].lower()
                if not self._is_given(match.start(1)) and not families.families(name):
                    found.setdefault("person", set()).add(name)
        return _frozen(found), frozenset(old)

    def _key(self, values: dict[str, frozenset[str]]) -> frozenset[str]:
        persons = values.get("person", frozenset()) | values.get("name", frozenset())
        start, end = self._value_clause(persons)
        return frozenset(
            token.stem
            for position, token in enumerate(self.tokens)
            if start <= position < end
            and not token.is_empty
            and not self._is_given(token.start)
            and not any(sort in MEASURED for sort, _ in sorts(self.tokens, position))
            and token.word not in persons
            and token.stem not in REASONS
            and not (position and self.tokens[position - 1].is_number and is_unit(token))
        )

    def _value_clause(self, persons: frozenset[str]) -> tuple[int, int]:
        """Return the positions of the clause that gives the first value; of the whole sentence where there is none."""
        is_value = [
            token.word in persons or any(True for _ in sorts(self.tokens, position))
            for position, token in enumerate(self.tokens)
        ]
        if True not in is_value:
            return 0, len(self.tokens)
        first = is_value.index(True)
        start = max((position + 1 for position in range(first) if self.tokens[position].word in ";.—。"), default=0)
        ends = (at for at in range(first, len(self.tokens)) if self.tokens[at].word in ",;.—。、")
        return start, next(ends, len(self.tokens))

    def _scope(self) -> tuple[set[str], set[str]]:
        """Return the words after "in" and "for", and those of the grammatical subject."""
        places = set(self.places)
        for position, token in enumerate(self.tokens):
            if token.word in PLACES and not self._is_given(token.start):
                following = _without_names(_phrase(self.tokens[position + 1 :]))
                places |= {after.stem for after in following if self._may_narrow(after)}
        subject = {token.stem for token in self._subject() if self._may_narrow(token)}
        return places - REASONS - EMPTY, subject - REASONS - EMPTY

    def _may_narrow(self, token: Token) -> bool:
        return not (self._is_given(token.start) or token.is_number or token.is_empty)

    def _subject(self) -> list[Token]:
        """Return the words before the verb; empty where the subject is a person ("we") or there is none."""
        found: list[Token] = []
        for token in self.tokens:
            if token.is_mark or token.word in ("wir", "we", "i", "you"):
                found = []
            elif token.word in USE or token.word in IS or token.word in BOUNDARIES or token.is_kana:
                if found and token.is_kana and not token.word.startswith("は"):
                    return []
                if found:
                    return found
            elif not token.is_empty and token.word not in DETERMINERS:
                found.append(token)
        return []

    def statement(self) -> Statement:
        """Return everything that was read."""
        self._read_turns()
        self._read_rejections()
        members, old_members = self._names()
        values, old_values = self._values()
        retracted = _retracted(self.said)
        places, subject = self._scope()
        is_turn = bool(self.things or self.moved or retracted) or bool(turns.IS_MARKED.search(self.said))
        content = [token.stem for token in self.tokens if not token.is_empty]
        own = [stem for stem in content if stem not in REASONS]
        known = {word for token in self.tokens for family in families.families(token.word) for word in family.about}
        return Statement(
            words=frozenset(content),
            first=content[0] if content else "",
            adopted=(*self.moved, *self._adopted()),
            given_up=tuple(self.things),
            rejected=tuple(self.rejected),
            members=members,
            old_members=old_members,
            values=values,
            old_values=old_values,
            key=self._key(values),
            scope=frozenset(places | subject),
            places=frozenset(places),
            about=frozenset(token.stem for token in tokens(" ".join(known))),
            retracted=retracted,
            has_turn=is_turn and not turns.IS_NOT_YET.search(self.said),
            is_exception=bool(turns.IS_EXCEPTION.search(self.whole)) and self.said == self.whole,
            is_negative=self.is_negative,
            named=self._named(),
            is_setting=is_setting(self.tokens),
            has_own_subject=len(own) > 1 or not _PRONOUN_ONLY.search(self.said),
        )


def _is_value(token: Token) -> bool:
    known = families.families(token.word)
    return token.is_number or (bool(known) and not any(family.is_choice for family in known))


def _retracted(said: str) -> frozenset[str]:
    match = turns.RETRACTED.search(said)
    named = next(filter(None, match.groups()), "") if match else ""
    return frozenset(token.stem for token in tokens(named) if not token.is_empty)


def _phrase(following: Sequence[Token]) -> list[Token]:
    """Return the first words that name a thing, without articles."""
    found: list[Token] = []
    for token in following:
        if token.word in BOUNDARIES or token.is_mark or token.is_kana or len(found) == MOST_WORDS:
            if found or token.word not in ("only", "always", "just", "now", "never", "please", "immer", "nur"):
                break
            continue
        if token.word not in DETERMINERS:
            found.append(token)
    return found


def _without_names(found: Sequence[Token]) -> Sequence[Token]:
    """Return the words before a known name: "in scripts npm is fine"."""
    names = (at for at, token in enumerate(found) if at and families.families(token.word))
    return found[: next(names, len(found))]


def _is_short(wanted: Sequence[Token]) -> bool:
    """Whether a sentence is little more than a name: "pnpm only, please"."""
    return sum(not token.is_empty for token in wanted) <= 2


def _stems(found: Sequence[Token]) -> tuple[str, ...]:
    """Return the stems of a name, without the version behind it."""
    return tuple(token.stem for at, token in enumerate(found) if not (at and token.is_number))


def _frozen(found: dict[str, set[str]]) -> dict[str, frozenset[str]]:
    return {name: frozenset(members) for name, members in found.items()}
