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
