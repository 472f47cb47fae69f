"""Words of a statement: tokens with a stem, a sort and a position, and the lists of words that carry no subject."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from recollect.model.words import stemmer
from recollect.policy.reversals import families

_TOKEN = re.compile(
    r"[\u30a0-\u30ff]+|[\u4e00-\u9fff々]+|[\u3041-\u309f]+"
    r"|[#$]?\d[\d.,:_]*(?:[a-zA-Z%]+)?"
    r"|[@./~_]{0,2}[a-zA-ZÀ-ɏ_][a-zA-Z0-9À-ɏ_'\u2019+#./@~:-]*"
    r"|[,;:.!?()。、—]"
)
_NUMBER = re.compile(r"\d[\d.,:_]*(?:[a-z%]+)?\Z")
_NAME_PARTS = re.compile(r"[a-z][A-Z]|[\w][./_][\w]|^[@./~]|_|/|::|\(\)")  # paths, identifiers, hosts


def _listed(words: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(words.split())


DETERMINERS = _listed(
    """
    the a an our my your their its this that these those any all every each both some der die das den dem des ein
    eine einen einem unser unsere unseren alle jede jeden
    """
)
BOUNDARIES = _listed(
    """
    in on for at with without from to into onto over of off by via through under within inside during when while if
    as because since so that which who where until unless than then and or but nor is are was were be been being has
    have had will would can could may might should must do does did not no never instead now anymore any more again
    here there everywhere today please also too only just always still though already it we i you they he she us
    them let lets let's use uses using before after per between against except darf dürfen soll sollen muss müssen
    kann können im am für bei beim auf mit ohne von zu zum zur aus durch und oder aber ist sind war waren wird
    werden wurde wurden nicht nie niemals kein keine keinen statt wenn weil damit dass jetzt nun mehr immer bitte
    wir ich sie es ab sofort nur auch nach um sondern
    """
)
USE = _listed(
    """
    use uses using used prefer prefers adopt adopts adopted choose chose pick picked want run runs running rely
    relies default defaults stick go goes write writes written keep keeps store stores stored host hosts hosted
    deploy deploys build builds manage manages install installs format lint test tests publish publishes standardize
    standardise have stay stays live lives hosting call calls nutze nutzen nutzt benutze benutzen benutzt verwende
    verwenden verwendet nehmen nimm laufen läuft import imports depend depends require requires ship ships work
    works indent support supports
    """
)
LEADING_TO = _listed("with via through using to on in by over into onto as at als mit auf über via nach per bei")
OBJECTS = _listed("to into onto with from without by of zu mit von aus nach")
"""Prepositions behind which the objects of an action stand."""
CALLED = _listed("our the used what my a standard default required preferred mandatory unser der die das")
"""What follows "pnpm is" where pnpm is what is used."""
PLACES = _listed("in on for at within inside under during when while if im für bei beim auf in")
WRITTEN = _listed("written rewritten write implemented coded done is are geschrieben")
"""Before "in" and a language: it is what is used, and no place."""
IS = _listed("is are was were be =")
# Words that say how and when, and verbs that say nothing without their object: no subject.
_EMPTY = """
a about actually after again ago agreed all already also alternatively always am an and any anymore anyway apart
are as at away back be because been before being best both but by call can cannot could currently day days
default do does done down each either else even ever every everyone everything everywhere except few finally
fine first for forget from full get getting give go goes gone good got had happen happens has have having he her
here his how however i if in instead into is it its just keep kept last lately later least let lets like live
lives locate located long longer look make makes many may me mean might mind more most much must my need needs
never new next no not note nothing now of off ok okay old on once one only onto or other our out over own per
place please point policy prefer put rather really remember rule run runs same say says see set should since sit
so some something soon standard start starting starts stay stays still store stored such sure take than that the
their them then there these they thing this those though through time to today too under until up us use used
uses using very via want was way we week well went were what when where which while who whole whose why will
with within without work would yes yet you your owner owners owned maintainer responsible charge team people
project repo repository codebase code everybody general right begin ends ab aber alle alles als auch auf aus bei
beim bitte da damit dann das dass dem den der des die doch durch ein eine einen einem einer er es etwas für geht
gibt gilt haben hat hier ich im immer ist ja jetzt kann kein keine keinen künftig läuft machen man mehr mit muss
müssen nach nehmen neu nicht nie niemals noch nun nur oder ohne schon sehr sein sich sie sind sofort sollen
sollte sondern statt stattdessen um und uns unser unsere unseren vom von war waren weil wenn wer werden wie
wieder wir wird wurde wurden zu zum zur über benutzen nutzen
verwenden benutzt verwendet nutzt 今後 使用 利用 変更 移行 廃止
代 現在 以降 以後 必 常 時 方 場合 全 毎回
"""
EMPTY = frozenset(stemmer.stem(word) for word in _EMPTY.split())
# The same for one form of a word only: "migrated" says that something changed, "migrations" are a subject.
EMPTY_FORMS = _listed(
    """
    move moves moved moving switch switched switching migrate migrated migrating change changes changed changing
    went replace replaces replaced replacing stop stopped drop dropped ditch ditched scrap scrapped raised lowered
    bumped increased decreased reduced upgraded renamed converted transitioned retired abandoned removed deprecated
    allowed permitted acceptable forbidden allow fine ok okay don't doesn't didn't isn't aren't wasn't can't won't
    mustn't shouldn't couldn't it's let's we've we're i've i'm that's there's you're they're we'll umgestiegen
    gewechselt umgestellt migriert geändert ersetzt abgelöst umgezogen abgeschafft erlaubt 禁止 使 切替 切 替 統一 変
    """
)
REASONS = frozenset(
    stemmer.stem(word)
    for word in _listed(
        """
    speed performance simplicity consistency cost costs now good everything everyone maintenance safety security
    reasons licensing january february march april may june july august september october november december sprint
    quarter release month monday weekend morning yesterday summer winter spring autumn
    """
    )
)
"""What follows "for", "in" and "on" without being a place: why, and when."""
DURATIONS = {
    "ms": 0.001, "millisecond": 0.001, "milli": 0.001, "s": 1, "sec": 1, "second": 1, "sekunde": 1, "sekunden": 1,
    "min": 60, "minute": 60, "minut": 60, "minuten": 60, "h": 3_600, "hour": 3_600, "hr": 3_600, "stunde": 3_600,
    "stunden": 3_600, "day": 86_400, "d": 86_400, "tage": 86_400, "tag": 86_400, "week": 604_800, "秒": 1, "分": 60,
    "時間": 3_600,
}  # fmt: skip
NUMBERS = {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "twelve": "12", "zwei": "2", "drei": "3", "vier": "4", "fünf": "5", "sechs": "6", "zehn": "10",
}  # fmt: skip
SETTINGS = _listed(
    """
    port host url address path folder directory level limit timeout threshold interval size version branch name
    format owner region environment provider database license licence schedule deadline strategy mode prefix suffix
    theme cdn registry bucket domain locale language currency timezone encoding charset editor shell style
    """
)
"""Things that have one value at a time."""
SIZES = _listed("b kb mb gb tb kib mib gib byte bytes kilobyte megabyte gigabyte")


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a statement."""

    word: str
    """In lower case; another spelling of a known name is replaced by the usual one."""
    stem: str
    raw: str
    start: int
    end: int

    @property
    def is_mark(self) -> bool:
        """Whether it is punctuation."""
        return self.word in ",;:.!?()。、—"

    @property
    def is_number(self) -> bool:
        """Whether it is a number, with or without a unit."""
        return bool(_NUMBER.match(self.word))

    @property
    def is_name(self) -> bool:
        """Whether it is a path, an identifier or a host."""
        return len(self.word) > 2 and bool(_NAME_PARTS.search(self.raw.rstrip(".:")))

    @property
    def is_kana(self) -> bool:
        """Whether it is Japanese grammar."""
        return "ぁ" <= self.word[0] <= "ゟ"

    @property
    def is_proper(self) -> bool:
        """Whether it is a known name with a capital, such as Go."""
        return self.raw[0].isupper() and bool(families.families(self.word))

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing about the subject."""
        if self.is_number or self.is_proper:
            return False
        return (
            self.is_mark or self.is_kana or self.stem in EMPTY or self.word in EMPTY_FORMS
            or (len(self.word) < 2 and self.word.isascii())
        )  # fmt: skip


def tokens(text: str) -> list[Token]:
    """Return the words and marks of a text in order."""
    return list(_tokens(text))


def _tokens(text: str) -> Iterator[Token]:
    for match in _TOKEN.finditer(text):
        raw = match[0].replace("\u2019", "'")
        bare = raw if len(raw) == 1 else raw.rstrip(".,:;'-").removesuffix("'s")
        if not bare:
            continue
        word = bare.lower()
        known = families.canonical(word) if families.families(word) else word
        yield Token(known, stemmer.stem(known), bare, match.start(), match.start() + len(bare))
