"""Read from a question which time it names and what it asks for: `in March`, `last week`, `when`. Import-light."""

from recollect.model.words.search_words import MONTHS

DAY = 86_400
EPOCH_WEEKDAY = 3
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
# Words that stand before a month or a span when a time is meant: `may` and `march` are also verbs.
BEFORE_A_MONTH = ("in", "since", "of", "during", "early", "late", "mid", "last", "this", "until", "by", "from", "on")
SPANS = {"week": 7, "month": 31, "sprint": 14, "quarter": 92, "year": 366, "fortnight": 14}
HOW = ("many", "much", "long", "often", "old", "far", "big")
ONESELF = frozenset(("i", "my", "we", "our", "me", "i've", "i'm", "we've", "mine", "us"))
PAST = frozenset(("did", "have", "had", "was", "were", "i've", "we've", "my", "mine"))
WHO = ("who", "where", "whose")
NAMES = frozenset(("name", "names", "called"))
TIMES = ("what date", "which day", "what day", "what time", "which month", "what month", "which year", "what year")


class AnswerHints:
    """What a question asks for (a name, a number, a time) and the time that it names."""

    __slots__ = ("a_name", "a_number", "a_time", "days", "is_of_oneself", "month", "since", "until", "year")

    def __init__(self) -> None:
        self.a_name = self.a_number = self.a_time = self.is_of_oneself = False
        self.month = self.year = 0
        self.days: set[int] = set()
        self.since = self.until = 0.0

    @property
    def names_a_time(self) -> bool:
        """Whether the question names a month or a span of time."""
        return bool(self.month or self.since)


def wanted(text: str, now: float) -> AnswerHints:
    """Read a question; of a long text only the first and the last 1,000 characters."""
    head = text if len(text) <= 2_000 else f"{text[:1_000]} {text[-1_000:]}"
    said = [word.strip("?,.!:;'\"()[]`").lower() for word in head.split()]
    plain = " ".join(said)
    found = AnswerHints()
    # "How do I" asks for advice, "what did I" for what was said.
    found.is_of_oneself = not (ONESELF.isdisjoint(said) or PAST.isdisjoint(said))
    begins = _beginnings(head)
    found.a_time = "when" in begins or any(words in plain for words in TIMES)
    found.a_number = any(first == "how" and second in HOW for first, second in zip(said, said[1:], strict=False))
    found.a_name = any(word in begins for word in WHO) or ("?" in head and not NAMES.isdisjoint(said))
    _read_date(found, said)
    _read_span(found, said, now)
    return found


def _beginnings(text: str) -> set[str]:
    """Return the first words of sentences and clauses; `when` is a question word only there."""
    sentences = text.replace("?", ".").replace("!", ".").replace("\n", ".").replace(",", ".").split(".")
    return {words[0].strip("'\"(`").lower() for words in map(str.split, sentences) if words}


def _read_date(found: AnswerHints, said: list[str]) -> None:
    for place, word in enumerate(said):
        if word in MONTHS and _is_a_month(said, place):
            found.month = MONTHS.index(word) + 1
    numbers = [_number(word) for word in said]
    found.year = next((number for number in numbers if 1900 < number < 2200), 0)
    if found.month:
        found.days = {number for number in numbers if 0 < number <= 31}


def _is_a_month(said: list[str], place: int) -> bool:
    if said[place] not in ("march", "may"):
        return True
    around = said[place - 1 : place] + said[place + 1 : place + 2]
    return any(word in BEFORE_A_MONTH or _number(word) for word in around)


def _number(word: str) -> int:
    digits = word.rstrip("stndrh")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 5 else 0


def _read_span(found: AnswerHints, said: list[str], now: float) -> None:
    """Set since and until from `yesterday`, `last week`, `two weeks ago`, `this month`, `on monday`."""
    today = now - now % DAY
    for before, word in zip(["", *said], said, strict=False):
        if word == "yesterday":
            found.since, found.until = today - DAY, today
        elif word in SPANS and before in ("last", "past", "previous"):
            found.since, found.until = today - 1.5 * SPANS[word] * DAY, now
        elif word in SPANS and before == "this":
            found.since, found.until = today - SPANS[word] * DAY, now + DAY
        elif word in WEEKDAYS and before in ("on", "last", "since", "this"):
            back = (int(now // DAY) + EPOCH_WEEKDAY - WEEKDAYS.index(word)) % 7 or 7
            found.since = today - back * DAY
            found.until = now if before == "since" else found.since + DAY
    _read_ago(found, said, today)


def _read_ago(found: AnswerHints, said: list[str], today: float) -> None:
    counts = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "few": 3, "couple": 2}
    for number, span, ago in zip(said, said[1:], said[2:], strict=False):
        unit = SPANS.get(span.rstrip("s"), 1 if span.rstrip("s") == "day" else 0)
        many = counts.get(number) or _number(number)
        if ago == "ago" and unit and many:
            middle = today - many * unit * DAY
            found.since, found.until = middle - unit * DAY, middle + unit * DAY


def nearness(wants: AnswerHints, created: float | None) -> float:
    """Return how well a memory's time fits the time that is named: 1 for month or span, 1.5 for the day, else 0."""
    if created is None:
        return 0.0
    if wants.since:
        return 1.0 if wants.since <= created <= wants.until else 0.0
    if not wants.month:
        return 0.0
    year, month, day = calendar_day(created)
    if month != wants.month:
        return 0.0
    return (1.5 if day in wants.days else 1.0) * (0.3 if wants.year and year != wants.year else 1.0)


def calendar_day(seconds: float) -> tuple[int, int, int]:
    """Return year, month and day in UTC of seconds since the epoch."""
    days = int(seconds // DAY) + 719_468  # since 1 March 0000: with years from March, a leap day is a year's last
    era, of_era = divmod(days, 146_097)
    year = (of_era - of_era // 1_460 + of_era // 36_524 - of_era // 146_096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    shifted = (5 * of_year + 2) // 153
    month = shifted + 3 if shifted < 10 else shifted - 9
    return year + 400 * era + (month <= 2), month, of_year - (153 * shifted + 2) // 5 + 1
