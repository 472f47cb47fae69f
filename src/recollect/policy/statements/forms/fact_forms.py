"""Forms of facts about a project that no adverb marks: who, how many, how often, what for, what is allowed."""

import re

from recollect.policy.rule import table

_WORDS = r"(?:[\w.@/`'\"<>()&+-]+ ){1,6}?"
_SUBJECT = rf"^(?!(?:it|this|that|he|she|they|there|i|you|which|who|what)\b){_WORDS}"
_UNITS = (
    r"(?:rows|users|[gmkt]i?b|cores?|nodes|replicas|million|thousand|workers|shards|partitions|seats|licen[cs]es"
    r"|connections|tables|services|tenants|customers|regions|environments|threads|instances|runners|brokers|clusters"
    r"|minutes of lag)"
)
_OFTEN = (
    r"(?:every|each|nightly|daily|weekly|hourly|monthly|once a|twice a|automatically|at \d|on (?:mon|tues|wednes"
    r"|thurs|fri|satur|sun)days?|on weekdays|at night)"
)
_FAILS = r"(?:fails|crashes|breaks|shows|returns|throws|takes|disappears|reloads|flickers|hangs|looks|seems|times)"
FACTS = table(
    (
        (
            "preference",
            (
                rf"^(?:nobody|no one|everyone|everybody) (?!{_FAILS}\b|is |was |has |knows|cares|likes|uses it)\w+s\b"
                rf"|^(?:every|each) (?:[\w/-]+ ){{1,3}}?(?!{_FAILS}\b)(?:\w+s|has|must|needs to) \S+"
                r"|^use (?:\w+ )?(?:commits|imports|exports|quotes|names|components|hooks|functions|variables|queries"
                r"|classes|spaces|tabs|types)[.!]?$|^use (?:the )?[\w -]{3,40} (?:in|for) (?:all |new "
                r"|our )?(?:commit|pr|test|file|variable|branch|class|function|error|log|ui|api|code|doc"
                r"|comment)\w* ?\w*s\b|^i (?:really |much )?like (?!(?:it|this|that|these|the|how|your|to|what"
                r"|where)\b)\w+ \w+"
            ),
            "nobody merges on Fridays",
        ),
        (
            "constraint",
            (
                rf"{_SUBJECT}(?:forbids?|prohibits?|bans?|disallows?|caps? (?:at|it|the)|cuts? \w+ after"
                rf"|kills? \w+ after|drops? \w+ after|rejects? (?:anything|everything|all|any|\w+s (?:over|above"
                rf"|without)))\b|{_SUBJECT}\w+ (?:[\w-]+ ){{0,4}}?only (?:on|in|at|during|between|after|before|until"
                rf"|from|via|through|with) \S+|{_SUBJECT}(?:has|have) (?:only |about |over |around "
                rf"|no more than )?(?:\d[\d.,]*|one|two|three|four|five|six|ten|a dozen) ?(?:\w+ )?{_UNITS}\b"
            ),
            "the license forbids shipping the fonts",
        ),
        (
            "discovery",
            (
                rf"{_SUBJECT}(?:is|are|gets?|runs?|starts?|happens?) (?:\w+ed |\w+t |\w+n )?{_OFTEN}\b"
                rf"|{_SUBJECT}(?!{_FAILS}\b)\w+s every (?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
                rf"|{_SUBJECT}(?:is|are) (?:called|named) [\w./-]+(?: (?:internally|here|in the \w+))?[.!]?$"
                rf"|{_SUBJECT}(?:is|are) (?:part of|short for|meant for|responsible for|a replica|a mirror|a fork"
                rf"|a copy|an alias|the (?:single )?(?:master|source of truth|owner|default|standard)"
                r"|for (?:the|our|all)|based on|written in|our)\b"
                rf"|{_SUBJECT}(?:starts?|ends?|begins?|closes?|opens?) (?:in|at|on) (?:\d|[a-z]+day|january|february"
                rf"|march|april|may"
                r"|june|july|august|september|october|november|december)"
                rf"|{_SUBJECT}(?:is|are) \w+ed per \w+|{_SUBJECT}(?:ends? up|lands?|shows? up|arrives?) (?:in|on"
                rf"|at) (?:topic|table|the"
                r" \w+ (?:topic|table|queue|bucket|channel|folder))\b"
                rf"|{_SUBJECT}(?:signs? off|exposes?|publishes|emits?|consumes?|owns?|hosts?|provides?|delivers?) \S+"
            ),
            "the search index is rebuilt every night",
        ),
        (
            "preference",
            (
                r"^(?:new|old|all|legacy|generated|public|private|shared) (?:[\w-]+ ){1,3}(?:is|are|stays?|goes|go"
                r"|gets?) \S+|^[\w-]+(?: [\w-]+)? is [\w -]{2,40} (?:everywhere|throughout|across the board)\b"
                r"|^(?:mon|tues|wednes|thurs|fri|satur|sun)days? (?:is|are) \w+"
            ),
            "new code is TypeScript",
        ),
    ),
    re.IGNORECASE,
)


def words(listed: str) -> frozenset[str]:
    """Return the words of a list that is written as one text."""
    return frozenset(listed.split())


# -- declarative sentences ---------------------------------------------------------------------------------------------

_HELPING = words(
    "is are isn't aren't has have hasn't haven't can can't cannot may must mustn't should shouldn't will won't does"
    " doesn't do don't needs need"
)
_WISHES = words("should shouldn't must needs need will won't can may")
_BASES = words(
    "accept act add agree aim allow answer apply approve arrive assume authenticate back ban batch begin belong"
    " bind block build bundle buffer cache call cancel cap carry charge check clone collect"
    " come commit compile compute connect consist consume contain control copy cost count cover create cut default"
    " define delegate delete deliver depend deploy describe deserve differ encode encrypt enforce enter escape"
    " exist expect expire export expose extend feed fetch fit flow follow forbid format forward generate get"
    " give go grow guarantee handle happen hash hold host identify implement import include index inherit"
    " inject keep know lack lag last lead let lie limit link listen live load log maintain make manage map"
    " match mean measure merge migrate mirror mount move name offer operate order own parse pay"
    " permit pin place point poll post prefer prevent produce prohibit provide publish pull push query raise reach read"
    " rebuild receive redirect refer refuse register release rely remain render replace replicate report"
    " represent request require reserve reside resolve retain retry return reuse rotate route run sell"
    " send separate serve set share ship sign sit sort speak spread stand start stay stem store stream strip"
    " support suppress sync take talk target throw track transform treat trigger trim trust understand update"
    " upload use validate vary verify version want watch work wrap write"
)
_THIRD_PERSON = frozenset(
    base[:-1] + "ies" if base.endswith("y") and base[-2] not in "aeo" else base + ("es" if base[-1] in "hxo" else "s")
    for base in _BASES
)
_PLURAL_VERBS = _BASES
_NEVER_SUBJECT = words(
    "i we you he she it they this that these those there here what which who whom whose where why how when if while"
    " because since although though as so to not please let lets let's then than and or but maybe perhaps yes no ok"
    " okay can could would will should may might must do does did is are was were has have had don't doesn't isn't"
    " everything something anything nothing someone somebody one ones some another both neither either same with"
    " without like just also even still again now already however instead after before until once thanks sorry make"
    " sure"
    " such my your his its unless except try looks seems feels sounds works"
)
_PROJECT_OF_ALL = re.compile(
    r"^(?:this|that|the whole|our whole) (?=(?:repo\w*|project|code ?base|service|package|team|company|library|app"
    r"|machine|monorepo|workspace|product|module|database|cluster|server|system)\b)",
    re.IGNORECASE,
)
_LED_BY_PLACE = re.compile(
    r"^(?:in|for|on|at|with|under|outside|inside|during|within|across|per|by) (?!(?:this|that|it|these|those|the)\b)"
    r"[^,.;:]{2,50}, (?=\S)",
    re.IGNORECASE,
)
# What is said of the thing at hand: how it looks, that it is done, that it is good or bad.
_REMARKS = re.compile(
    r"^(?:(?:not|also|now|very|quite|pretty|really|so|too|a bit|all|much|more|less|only) )*(?:\w+ing\b(?<!during)(?!-)"
    r"(?! (?:as|in|for) )|good|nice|great|perfect|cool|an? (?:better|good|bad|nice|great)|better|best|worse|bad|awful"
    r"|terrible|clear|ready|done|complete|completed|finished|fixed|merged|pushed|updated|added|removed|committed"
    r"|implemented|attached|back|green|red|down|slow|fast|hard|difficult|easy|important|true|false"
    r"|empty|null|undefined|blank|missing|correct|similar|identical|different|the same|unchanged|visible|invisible"
    r"|darker|lighter|bigger|smaller|larger|shorter|longer|higher|lower|unable|able|aware|sure|interesting|possible"
    r"|impossible|likely|enough|unnecessary|useless|over|\w+ enough|to (?:add|fix|make|build|create|implement|get)"
    r"|been|not in the|about\b|lots? of|a lot|many|several|some)\b",
    re.IGNORECASE,
)
_TROUBLE = re.compile(
    r"\b(?:fails?|failing|failed|crash\w*|errors?|exception|wrong\w*|broken|breaks|bugs?|leak\w*|hangs?|freez\w+"
    r"|flicker\w*|duplicate[ds]?|overlap\w*|misaligned|disappear\w*|null|undefined|nan|404|500|i|i'm|i've|i'd|me|my"
    r"|your (?:changes?|fix|code|version|tests?|last|pr|commit|solution|answer|plan|suggestion|output)|you're|you've"
    r"|was|were|did|didn't|had|would|could|might|seems?|looks?|appears?|instead of showing|expected"
    r"|actual(?:ly)?|unexpected\w*|suddenly|randomly|currently|at the moment|right now|not working|doesn't work"
    r"|don't work|above|below|latter|former|etc|he|she|says?|said|spam|dies|no idea|for some"
    r"|can'?t (?:be (?:found|saved|opened|loaded|reached|parsed|resolved)|find|pull|see|open|load|connect|resolve)"
    r"|never (?:goes|shows|ends|comes|gets|finishes|stops|returns)|always (?:ends?|shows?|gets?|returns?|\w+ hours))\b"
    r"|(?:behind|fine|ok|okay)[.!]?$|\w\(|\u2026|\.\.\.",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"[,;] (?:and |so )?(?:please|find|fix|check|look|map it|change|make|add|build|update|remove|can you"
    r"|could you|just do)\b|\bstill (?:red|broken|failing)\b|\b(?:is|are|it's) (?:fine|ok|okay)[.!]?$"
    r"|please (?:build|fix|add|make|change|check)\b",
    re.IGNORECASE,
)
_ASKED_OF_USER = re.compile(r"\b(?:ask(?:ing)?|tell(?:ing)?|without|from|by|to|for|ping(?:ing)?) me\b", re.IGNORECASE)
# Parts of a screen or of a game: what is said of them is mostly what to build.
_ON_SCREEN = re.compile(
    r"\b(?:buttons?|pages?|forms?|modals?|dialogs?|dropdowns?|lists?|columns?|rows?|titles?|headers?|footers?|sidebars?"
    r"|nav\w*|colou?rs?|fonts?|icons?|labels?|texts?|images?|logos?|charts?|graphs?|maps?|toasts?|menus?|tabs?"
    r"|screens?|fields?|inputs?|cards?|animations?|layouts?|spacing|margins?|padding|players?|enem(?:y|ies)|tooltips?"
    r"|popups?|panels?|links?|checkbox\w*|toggles?|sliders?|spinners?|backgrounds?|borders?|sections?|paragraphs?"
    r"|headings?|views?|widgets?|tiles?|badges?|banners?|avatars?|games?|levels?|users?|visitors?|cursor|user)$",
    re.IGNORECASE,
)
_OF_MANY = words("all every each any our no most new public internal nobody everyone everybody")
_OF_A_LOG = re.compile(r"^\W*[^\w\s\"'`(/@.\[-]|^\d+\w*\b,?|^\w+: |(?-i:(?:\b[A-Z]{3,}\b\W*){3})")
_ADVERBS = words("still only never always usually generally normally also automatically strictly all")
_LIMITED = re.compile(
    r"\b(?:only|no|not|cannot|can'?t|won'?t|doesn'?t|don'?t|at most|at least|up to|max\w*|min\w*|limit\w*|blocks?"
    r"|rejects?"
    r"|forbid\w*|refuses?)\b",
    re.IGNORECASE,
)
_DETERMINERS = words("the a an on off all this that it them my your our these those out up")
MOST_SUBJECT_WORDS = 7


def declared(said: str) -> str:
    """Return the kind of a declarative sentence in the present tense about a project; empty for any other sentence.

    Its subject is a noun phrase, its verb a present tense, and it neither judges the work at hand nor tells trouble.
    """
    plain = _LED_BY_PLACE.sub("", _PROJECT_OF_ALL.sub("the ", said))
    first = re.split(r"[,;] | so ", plain, maxsplit=1)[0]
    if _TROUBLE.search(_ASKED_OF_USER.sub("", first)) or _ASKS.search(plain) or _OF_A_LOG.search(plain):
        return ""
    said_words = [word.strip(",;:.\"'`*()") for word in plain.lower().replace("\u2019", "'").split()]
    said_words = [word for word in said_words if word not in _ADVERBS]
    place = _verb_place(said_words)
    if not place or place + 1 >= len(said_words) or _is_no_subject(said_words[:place]) or _is_order(said_words, place):
        return ""
    subject, verb, rest = said_words[:place], said_words[place], said_words[place + 1 :]
    if _REMARKS.match(" ".join(rest)):
        return ""
    if _ON_SCREEN.search(" ".join(subject)) and subject[0] not in _OF_MANY:
        return ""
    if verb in _WISHES:
        return "preference" if subject[0] in _OF_MANY or _is_plural(subject) else ""
    return "constraint" if _LIMITED.search(first) else "discovery"


def _verb_place(words: list[str]) -> int:
    """Return the place of the first verb in the present tense behind a subject; 0 where there is none."""
    for place in range(1, min(len(words), MOST_SUBJECT_WORDS + 1)):
        word, before = words[place], words[place - 1]
        if word in _HELPING or word in _THIRD_PERSON:
            return place
        if word in _PLURAL_VERBS and before.endswith("s") and place + 1 < len(words):
            return place
    return 0


def _is_no_subject(subject: list[str]) -> bool:
    """Whether words before a verb are no noun phrase that names something of a project."""
    return (
        subject[0] in _NEVER_SUBJECT
        or subject[0].endswith("ly")
        or any(
            word in _NEVER_SUBJECT
            and word not in ("and", "or", "with", "without", "both", "your", "like", "as", "that", "which")
            for word in subject[1:]
        )
    )


def _is_order(words: list[str], place: int) -> bool:
    """Whether a sentence that may have a verb at a place begins with one: "cap the retries", "clicking opens it"."""
    begins = words[0] in _PLURAL_VERBS and (words[1] in _DETERMINERS or (place > 1 and words[place] not in _HELPING))
    is_object = words[1] in _DETERMINERS and words[0] not in _OF_MANY and words[0] not in ("both", "most")
    return begins or is_object or (place == 1 and words[0].endswith("ing"))


def _is_plural(subject: list[str]) -> bool:
    return subject[0] not in ("the", "a", "an") and (subject[-1].endswith("s") or "and" in subject)
