"""Forms of sentences that last: rules, limits, facts, choices, work that is put off. A row is named after its kind."""

import re

from recollect.policy.rule import table

# -- it lasts in so many words --------------------------------------------------------------------------------------

_COMPLAINS = (
    r"(?:fail\w*|crash\w*|error\w*|break\w*|broke\w*|null|empty|undefined|the same|wrong|seen|worked?|works|happen\w*"
    r"|been|had|mind|got|gets|a problem|shown|shows|show|hang\w*|time\w* out|reload\w*|appear\w*|close[sd]?|fire[sd]?"
    r"|get|called|used|set|reached|cleared|read|updated|returned|returns?|triggered|executed|invoked|ends? up|seems?"
    r"|really|quite|actually|thought|understood|liked|wanted|heard|tried|did|does)"
)
_REPORTED = (
    r"(?:fail\w*|crash\w*|errors?|breaks?|broke\w*|null|empty|undefined|the same|wrong|seen|works?|worked|happen\w*"
    r"|been"
    r"|had|mind|got|gets|a problem|shown|shows|hangs?|times? out|appears?|seems?|really|quite|actually|thought"
    r"|understood|heard|did|does|ends? up|returns|reloads|closes|fires)"
)
EXPLICIT = table(
    (
        (
            "preference",
            (
                r"\b(?:from now on|going forward|from here on|from today on|henceforth|in (?:the )?future"
                r"|for the future|as a (?:general )?rule|by convention|house rule|at all times|under no circumstances"
                r"|without exception|no exceptions|every single time|next time|as a habit)\b"
            ),
            "from now on use pnpm",
        ),
        (
            "preference",
            (
                rf"^(?:always|never|don'?t ever|do not ever) (?!{_REPORTED}\b|(?:an?|the|with|again|want|saw|knew"
                rf"|good|nice|ok|in|on"
                r"|at|(?!(?:seed|feed|embed|proceed)\b)\w+ed)\b)\w+"
            ),
            "always run the linter",
        ),
        (
            "preference",
            (
                rf"^(?:if|when(?:ever)?|before|after) [^,]{{1,100}}, (?:please )?(?:always"
                rf"|never) (?!{_COMPLAINS}\b)\w+|^(?:we|you|\w+ code"
                rf"|(?:[\w/-]+ ){{0,3}}[\w/-]+s(?<!\bwas)(?<!\bhas)(?<!\bis)(?<!\bdoes)(?<!\bthis)(?: (?:in|of|for|on"
                rf"|from|under) [\w ]{{1,30}}?)?(?: here)?) (?:(?:are|must|should|have to|need to|get) )?(?:always"
                rf"|never) (?!{_COMPLAINS}\b)\w+"
                r"|\bwe (?:always|never|only|do not|don'?t) (?!(?:know|see|need|have|think|want|get|understand|care"
                r"|mind|remember|really|yet|even|do)\b)\w+|\b(?:must|should) (?:always|never) |, (?:and )?never \w+"
                r"|\b(?:please|pls),? always\b|, always\W*$"
            ),
            "amounts are always in minor units",
        ),
        (
            "preference",
            (
                r"^(?:in general,? )?i (?:(?:always|generally|usually|strongly|really|would|much) )?(?:prefer|hate"
                r"|dislike) (?!(?:to (?:look|see|wait|do|have|keep|leave|go)|not|it|that|this|the (?:first|second"
                r"|other|last))\b)\w+"
            ),
            "I prefer tabs",
        ),
        (
            "preference",
            (
                r"^i (?:always (?:want|like|expect) "
                r"|(?:want|expect|like|need) (?:(?:all|every|no|each|only|any|new|my|our|\w+s)\b|.{1,50} (?:on"
                r"|in|for|with) (?:all|every|each|any|new|everything|anything)\b)|(?:don'?t|do not) (?:want"
                r"|like) (?:any|(?!this)\w+s\b"
                r"|to see \w+s\b|you to))"
            ),
            "I want type hints on all new functions",
        ),
        (
            "decision",
            (
                r"\b(?:we|i)(?:'ve| have)? (?:finally |just |now )?(?:decided|agreed|settled|chosen|chose|opted"
                r"|standardi[sz]ed) (?:to|on|that|against|for|not|it)\b|\bit(?:'s| is| was) (?:decided|settled)\b"
                r"|\bwe(?:'re| are) (?:going with|moving to|switching to|staying (?:with|on))\b"
                r"|^(?:\S+ ){1,3}it is(?=[.,!]|$)"
            ),
            "we decided to use event sourcing",
        ),
    ),
    re.IGNORECASE,
)
# Choices, and work that is put off. What is wrong now is often their reason.
CHOICES = table(
    (
        (
            "tech_debt",
            r"\bout of scope\b|\b(?:technical|tech) debt\b|\bin the backlog\b",
            "windows support is out of scope",
        ),
        (
            "tech_debt",
            (
                r"\b(?:leave|leaves|keep|ignore|hardcode|punt on|stays?|postpone\w*|defer\w*|park(?:ed|ing)?|skip"
                r"|put aside|hold off|can (?:stay"
                r"|wait)|we(?:'ll| will)? (?:fix|do|add|merge|refactor|switch|pick|tackle|repair|upgrade|migrate"
                r"|rework|redo|replace)|(?:is|are) (?:known|something for)|will be (?:fixed|done|added|replaced"
                r"|migrated)|comes? (?:later|after|in|with))\b(?! (?:it|this|that)\b).{0,80}\b(?:later|next (?:week"
                r"|month|quarter|sprint|release|year|version|major)|(?:in|till|until) q[1-4]|after the \w+"
                r"|until (?:we|the|someone|somebody|v?\d)|for now|another (?:day|time|pr|ticket)|(?:own"
                r"|separate) (?:pr|ticket|issue)|as is|in v?\d|some ?day|once (?:we|the))\b"
            ),
            "leave the csv export for later",
        ),
        (
            "decision",
            (
                r"^(?:then )?(?:(?:let'?s|we(?:'ll| will)|i(?:'ll| will)) (?:use|keep)|(?:let'?s|we(?:'ll| will)?"
                r"|i(?:'ll)?) (?:go (?:with|for)|take|choose|pick|stick (?:with|to)|stay (?:with|on)"
                r"|switch (?:back )?to|move (?:back )?to|go back to|adopt|buy|drop|standardi[sz]e on)) (?!(?:it|this"
                r"|that|these|those|them|option|the (?:first|second|third|last|other|same|following|one)|one|a look"
                r"|care|\d|your|a break|going|all|both|either|any|some|me|us)\b)\S.{0,200}?(?:\b(?:because|since|as"
                r"|so that|instead of|rather than|over|not|no|after all|for (?:the|our|all))\b|, )"
            ),
            "let's go with Postgres because we know it",
        ),
        (
            "decision",
            r"\b(?:we|i) (?:chose|picked|went with|settled on|dropped|moved (?:from|to)|switched)\b",
            "we chose Kafka",
        ),
        (
            "decision",
            (
                r"^(?:then )?(?:let'?s|we(?:'ll| will)?) (?:go (?:with|for)|take|stick (?:with|to)|stay (?:with|on)"
                r"|switch to|move to|use|adopt) (?-i:[A-Z][\w.+#-]*|[a-z]+[-_.\d][\w.-]*)(?: [\w.-]+)?[.!]?$"
            ),
            "let's go with Tailwind",
        ),
        (
            "decision",
            r"^(?:we(?:'re| are) )(?:going (?:with|for)|moving|switching|migrating|staying)\b",
            "we're moving to Fly",
        ),
    ),
    re.IGNORECASE,
)
# -- forms ----------------------------------------------------------------------------------------------------------

_ADVERB = r"(?:(?:only|always|never|usually|generally|normally|all|also|mostly|both|still|automatically|strictly) )*"
# A subject without an article, or with one that takes in many: "migrations", "all SQL", "our API", "a PR".
_MANY = (
    r"^(?:(?:all|every|each|any|no|new|our|both|most|public|internal|only|a|an)\b )*(?!(?:the|this|that|these|those"
    r"|it|he|she|they|there|i|we|you|here|what\w*|which\w*|who\w*|my|your|please|let'?s|can|is|are|was|will|would|has"
    r"|had|have|don'?t|do|not|need|needs|as|to|and|or|but|in|on|at|of|by|users?|with|still|also|lets"
    r"|enter)\b)(?:[\w.@/`'\"<>()&+-]+ ){1,5}?"
)
_THE = r"^(?:the|our|their|his|her|my) (?:[\w.@/`'\"<>()&+-]+ ){1,5}?"
_ONE_THING = r"^(?:" + _MANY[1:] + "|" + _THE[1:] + ")"
_HABITS = (
    r"(?:deployed|built|released|generated|published|reviewed|merged|formatted|written|created|cut|made|signed"
    r"|encrypted|cached|validated|versioned|returned|thrown|raised|wrapped|translated|handled|tested|run|started"
    r"|triggered|done|based|backed|derived|imported|synced|rotated|archived|deleted|purged|logged|sent|shipped"
    r"|packaged|pinned|mirrored|replicated|sorted|paginated|named|called|prefixed|suffixed|tagged|numbered|kept"
    r"|stored|hosted|defined|documented|tracked|managed|placed|squashed|rebased|set|configured|injected|resolved"
    r"|measured|counted|given|taken|used|loaded|mocked|linted|compiled|bundled|provisioned|scheduled|owned|maintained"
    r"|operated|approved|served|exposed)"
)
_STATES = (
    r"(?:read[ -]?only|write[ -]?only|append[ -]?only|immutable|frozen|deprecated|off[ -]limits|generated"
    r"|auto-?generated|vendored|confidential|mandatory|required|forbidden|banned|prohibited|not (?:allowed|permitted"
    r"|supported|accepted|to be \w+)|unsupported|case[ -]sensitive|end of life|taboo|blocked|not an option|a no[ -]go"
    r"|settled|set in stone)"
)
_HOLDS = (
    r"(?:is|are|has|have|takes?|gets?|allows?|accepts?|supports?|gives?|sends?|lets?|needs?|must|may|can|costs?"
    r"|lasts?)"
)
_LIMITED = (
    rf"(?:{_HOLDS}\b.{{0,40}}\b(?:at most|at least|no more than|up to|max(?:imum)?|minimum|limited to|capped at"
    rf"|per (?:second|minute"
    r"|hour|day|week|month|user|request|token))|(?:can'?t|cannot|won'?t) be (?:changed|upgraded|updated|extended"
    r"|installed|modified|touched|removed|renamed|moved)|can only|may only|may not|must not|must (?:never|stay|remain"
    r"|keep)|mustn'?t|only (?:accepts?|allows?|supports?|works?|compiles?|speaks?|lets?|accessible|reachable"
    r"|available)|stuck on|stuck at|(?:is|are) (?:not )?(?:allowed|permitted) to)"
)
_VERBS = (
    r"(?:uses?|follows?|needs?|requires?|expects?|supports?|accepts?|allows?|speaks?|talks? to|depends? on"
    r"|comes? from|writes? to|reads? from|happens?|starts? (?:with|at|on|from)|ends? (?:in|with|at)|begins? with"
    r"|ships?|takes? (?:about )?\d|expires?|stays?|go(?:es)? (?:out|into|in|to|through|via|over|under|next|behind|at"
    r"|on)|lives?|belongs?|sits?|resides?|runs? (?:in|on|under|inside|with|via|every|at|as|only|nightly|daily"
    r"|against)|listens? on|carr(?:y|ies)|holds?|counts? as|means?|stands? for|replaces?|targets?|inherits? from"
    r"|extends?|wraps?|maps? to|points? to|must|looks? like|default to|defaults to)"
)
# Any verb of habit but these: they tell what happened, what is wanted now, or what is seen.
_WE = (
    r"(?!(?:have|had|need|needs|should|could|would|can|may|might|must|want|wanted|know|think|see|saw|get|got|forgot"
    r"|tried|try|missed|still|already|just|lost|broke|are|were|was|did|made|went|found|hit|ran|will|shall|also"
    r"|currently|do|don|then|really|probably|maybe|now|actually|even|first|once|look|talk|discuss|start|finish|wait"
    r"|hope|guess|wonder|mean|feel|decided|agreed|definitely|continue|proceed|pass|\w+ed|fix|add|remove|change|go"
    r"|come|try)\b)[a-z]+"
)
FORMS = table(
    (
        (
            "constraint",
            rf"{_ONE_THING}(?:(?:is|are|stays?|remains?) (?:strictly |completely )?{_STATES}|{_LIMITED})\b",
            "the staging db is read only",
        ),
        (
            "constraint",
            (
                r"^(?:we (?:must|can'?t|cannot|may not|are not allowed to|have to|only have|only get|only support)"
                r"|only \w+(?: \w+){0,4} (?:can|may|has|have|are allowed)|no \w+(?: \w+){0,3} (?:access|available"
                r"|allowed)|(?:we(?:'re| are)|i(?:'m| am)) (?:still |stuck )*on (?!(?:the|mobile|my|a|an|it|vacation"
                r"|holiday|this|that)\b)\w+)\b"
            ),
            "only ops can access the production database",
        ),
        (
            "constraint",
            (
                r"\b(?:limit|quota|maximum|minimum|max|min|cap|timeout|budget|sla|ttl)\b[^.]{0,40}\b(?:is|are"
                r"|of) [^.]{0,20}\d|\bis the (?:minimum|maximum|limit|oldest|newest|only)\b"
            ),
            "the max upload size is 25 MB",
        ),
        (
            "discovery",
            (
                r"^(?:ask|ping|talk to|contact|check with|speak to|cc) (?!(?:me|us|him|her|them|it|the user"
                r"|claude)\b)@?\w+(?: \w+){0,3} (?:about|for|if|when|on|regarding)\b"
            ),
            "ask Petra about the billing service",
        ),
        (
            "discovery",
            (
                rf"{_ONE_THING}(?:owns?|maintains?|reviews|approves|(?:is|are) (?:responsible for|in charge of"
                rf"|the (?:owner|contact"
                r"|lead|maintainer|reviewer)s?\b|owned by|maintained by|run by|operated by|managed by)|looks? after"
                r"|takes? care of)\b"
            ),
            "the mobile team owns the auth module",
        ),
        (
            "discovery",
            r"^(?:questions|requests|complaints|bugs|issues|tickets)\b.{0,60}\bgo(?:es)? to\b",
            "questions go to Mia",
        ),
        (
            "discovery",
            (
                rf"{_ONE_THING}(?:(?:is|are) (?:{_ADVERB})?(?:kept|stored|hosted|located|found|documented|tracked"
                rf"|defined|called"
                r"|named|served|exposed|reachable|deployed|mounted|listed|described|checked in) (?:in|at|on|under|by"
                r"|as|to|from|via|\S+)|(?:lives?|sits?|resides?|listens?|runs?) (?:only |all )?(?:in|at|on|under"
                r"|inside|next to|beside|behind))\b"
            ),
            "feature flags live in LaunchDarkly",
        ),
        (
            "preference",
            r"^we (?:don'?t|do not) want (?!(?:to|it|this|that|the|you|them|him|her)\b)\w+",
            "we don't want default exports",
        ),
        (
            "preference",
            (
                rf"^(?:(?:at|in|with|for|on) (?:our|this|the|new|all|every"
                rf"|any)?[^,]{{0,40}},? )?we {_ADVERB}(?:(?:don'?t|do not|no longer|never|stopped) )?{_WE}\b(?! (?:it"
                rf"|this|that|them|the (?:same|new|old|other))\b)(?= \S)"
            ),
            "we deploy from the release branch only",
        ),
        (
            "preference",
            rf"{_MANY}(?:(?:is|are|gets?) (?:{_ADVERB}|not ){_HABITS}|{_ADVERB}{_VERBS})(?= \S)",
            "commit messages follow conventional commits",
        ),
        (
            "preference",
            (
                r"^(?:(?:all|new|our|both|most|public|internal)\b )*(?!(?:the|this|that|these|those|there|what|which"
                r"|things|changes|users|thanks|lets|no)\b)(?:[\w-]+ ){0,2}(?:\w+s|data|code|people|money)\b(?: (?:in"
                r"|of|for|on|from|to|with|under|shown to) [\w ]{1,30}?)? (?:are|have|stay|come|end|start"
                r"|begin) (?!\w+ing\b|(?:been|pushed|committed|merged|attached|done|ready|fixed|updated|green|red"
                r"|broken|failing|slow|back"
                r"|gone|up|down|there|fine|good|ok|okay|correct|clear|visible|to|no|a)\b)\S+"
            ),
            "user ids are ULIDs",
        ),
        (
            "discovery",
            (
                rf"{_ONE_THING}(?:is|are) (?:{_ADVERB})?(?:indexed|keyed|sorted|cached|derived|computed|produced"
                rf"|registered"
                r"|declared|encoded|enforced|checked|gated|indicated|controlled|described|specified|wired|driven|used"
                r"|read|loaded|written|generated|built|handled) (?:by|in|from|as|with|under|via|on|to)\b"
                rf"|{_ONE_THING}(?:is|are) (?:in|under|at|behind|inside) (?:the )?(?:\S*[/._]\S+|\w+ (?:key|table"
                rf"|folder|package"
                r"|module|bucket|section|vault|channel|column|field|namespace)\b)"
                rf"|{_ONE_THING}(?:comes? from|belongs? (?:to|in)|maps? to|depends? on|talks? to)\b"
                r"|^(?:this|the|our) (?:project|repo\w*|app|code ?base|service|package|product|monorepo|library"
                r"|website|site) (?:has|have|uses|is|targets|runs|needs|supports|must|doesn'?t|does not|follows)\b"
                r"|^there(?:'s| is| are) (?:no|only|exactly|at most) .{3,60}\b(?:in|on|for|here|at)\b|^(?:everything"
                r"|anything|nothing) (?:[\w/.]+ ){0,5}?(?:lives?|goes|must|runs|counts?|gets|may|happens?)\b"
            ),
            "flag parsing is in cli/args/flags.rs",
        ),
        (
            "constraint",
            (
                rf"{_THE}(?:must|has to|have to) (?:be|fit|match|have|use|run|work|support|come|start|end|go|pass)\b"
                r"|^(?:[\w/-]+ ){0,3}(?:\w+s|code|data) (?:should|need to|has to|have to) (?:be|have|use|go|not"
                r"|follow|include|start|end|take|live|stay|come)\b|^(?!the |it |this )\w+(?: \w+)? (?:has"
                r"|have) to (?:be|stay|work|run)\b"
            ),
            "the fetch paths must be relative",
        ),
        (
            "preference",
            r"^(?:the|our) (?:\w+ )?(?:convention|rule|policy|standard|style)s? (?:here )?is\b",
            "the rule is",
        ),
    ),
    re.IGNORECASE,
)
# Facts about one thing whose value is a name, a number, a path or an address. Case counts here.
VALUE = re.compile(
    r"^(?:[Tt]he|[Oo]ur|[Mm]y) (?:[\w.@/`'-]+ ){1,5}?(?:is|are|uses?|speaks?|targets?|comes? from|starts? at"
    r"|expires? every|runs? on|points? to|depends? on|talks? to|belongs? to|is called|means?) (?:always |only |in "
    r"|on |at |by |our |an? |the |team |port |version |every )*(?:[A-Z][\w./-]*|[\w./:-]*\d[\w./:-]*|`[^`]+`|\S+@\S+"
    r"|/\S+|\w+://\S+|\w+[./_]\w\S*|\w+[a-z][A-Z]\w*|[\w ]{1,30}, not )"
)
# A tool or a style that the agent should have taken: "no, use pnpm".
CORRECTED = re.compile(
    r"^(?:no|nope|nah)[,.:]? (?:please )?use (?!(?:the|this|that|these|those|it|my|your|a|an|one|both|all"
    r"|option)\b)[\w@./+-]+[.!]?$",
    re.IGNORECASE,
)
