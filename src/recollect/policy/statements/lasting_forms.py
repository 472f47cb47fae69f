"""Forms of sentences that last: rules, limits, facts, choices, work that is put off. A row is named after its kind."""

import re

from recollect.policy.rule import table

# -- it lasts in so many words --------------------------------------------------------------------------------------

_COMPLAINS = (
    r"(?:fail\w*|crash\w*|error\w*|break\w*|broke\w*|null|empty|undefined|the same|wrong|seen|worked?|works|happen\w*"
    r"|been"
    r"|had|mind|got|gets|a problem|shown|shows|show|hang\w*|time\w* out|reload\w*|appear\w*|close[sd]?|fire[sd]?"
    r"|called"
    r"|used|set|reached|cleared|read|updated|returned|returns?|triggered|executed|invoked|ends? up|seems?|really|quite"
    r"|actually|thought|understood|liked|wanted|heard|tried|did|does)"
)
EXPLICIT = table(
    (
        (
            "preference",
            (
                r"\b(?:from now on|going forward|from here on|from today on|henceforth|in (?:the )?future"
                r"|for the future"
                r"|as a (?:general )?rule|by convention|house rule|at all times|under no circumstances"
                r"|without exception"
                r"|no exceptions|every single time|next time|as a habit)\b"
            ),
            "from now on use pnpm",
        ),
        (
            "preference",
            (
                rf"^(?:always|never|don'?t ever|do not ever) (?!{_COMPLAINS}\b|(?:an?|the|with|again|want|saw|knew"
                rf"|good|nice|ok|in|on"
                r"|at|\w+ed)\b)\w+"
            ),
            "always run the linter",
        ),
        (
            "preference",
            (
                rf"^(?:if|when(?:ever)?|before|after) [^,]{{1,100}}, (?:please )?(?:always"
                rf"|never) (?!{_COMPLAINS}\b)\w+"
                rf"|^(?:we|you|\w+ code|(?:[\w/-]+ ){{0,3}}[\w/-]+s(?<!\bwas)(?<!\bhas)(?<!\bis)(?<!\bdoes)(?<!\bthis)"
                rf"(?: (?:in|of|for|on|from|under) [\w ]{{1,30}}?)?) (?:(?:are|must"
                rf"|should|have to|need to|get) )?(?:always|never) (?!{_COMPLAINS}\b)\w+"
                r"|\b(?:must|should) (?:always|never) |, (?:and )?never \w+|\b(?:please|pls),? always\b|, always\W*$"
            ),
            "amounts are always in minor units",
        ),
        (
            "preference",
            (
                r"^i (?:(?:always|generally|usually|strongly|really|would|much) )?(?:prefer|hate|dislike) "
                r"(?!(?:to (?:look|see|wait|do|have|keep|leave|go)|not|it|that|this|the (?:first|second|other"
                r"|last))\b)\w+"
            ),
            "I prefer tabs",
        ),
        (
            "preference",
            (
                r"^i (?:(?:want|expect|like|need) (?:(?:all|every|no|each|only|any|new|my|our|\w+s)\b"
                r"|.{1,50} (?:on|in|for|with) (?:all|every|each|any|new)\b)"
                r"|(?:don'?t|do not) (?:want|like) (?:any|\w+s\b|to see \w+s\b|you to))"
            ),
            "I want type hints on all new functions",
        ),
        (
            "decision",
            (
                r"\b(?:we|i)(?:'ve| have)? (?:finally |just |now )?(?:decided|agreed|settled|chosen|chose|opted"
                r"|standardi[sz]ed)"
                r" (?:to|on|that|against|for|not)\b|\bit(?:'s| is| was) (?:decided|settled)\b|\bwe(?:'re"
                r"| are) (?:going with|moving"
                r" to|switching to|staying (?:with|on))\b|^(?:\S+ ){1,3}it is(?=[.,!]|$)"
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
                r"\b(?:leave|leaves|stays?|postpone\w*|defer\w*|park(?:ed|ing)?|skip|put aside|hold off|can (?:stay"
                r"|wait)"
                r"|we(?:'ll| will)? (?:fix|do|add|merge|refactor|switch|pick|tackle|repair|upgrade|migrate|rework"
                r"|redo|replace)"
                r"|(?:is|are) (?:known|something for)|will be (?:fixed|done|added|replaced|migrated)|comes? (?:later"
                r"|after|in|with))"
                r"\b(?! (?:it|this|that)\b).{0,80}\b(?:later|next (?:week|month|quarter|sprint|release|year|version"
                r"|major)"
                r"|(?:in|till|until) q[1-4]|after the \w+|until (?:we|the|someone|somebody|v?\d)|for now"
                r"|another (?:day|time|pr"
                r"|ticket)|(?:own|separate) (?:pr|ticket|issue)|as is|in v?\d|some ?day|once (?:we|the))\b"
            ),
            "leave the csv export for later",
        ),
        (
            "decision",
            (
                r"^(?:then )?(?:(?:let'?s|we(?:'ll| will)|i(?:'ll| will)) (?:use|keep)"
                r"|(?:let'?s|we(?:'ll| will)?|i(?:'ll)?)"
                r" (?:go (?:with|for)|take|choose|pick|stick (?:with|to)|stay (?:with|on)|switch (?:back )?to"
                r"|move (?:back )?to|go back to|adopt|buy|drop|standardi[sz]e on)) "
                r"(?!(?:it|this|that|these|those|them|option|the (?:first|second|third|last|other|same|following|one)"
                r"|one|a look"
                r"|care|\d|your|a break|going|all|both|either|any|some|me|us)\b)"
                r"\S.{0,200}?(?:\b(?:because|since|as|so that|instead of|rather than|over|not|no|after all|for (?:the"
                r"|our|all))\b"
                r"|, )"
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
                r"|switch to|move to"
                r"|use|adopt) (?-i:[A-Z][\w.+#-]*|[a-z]+[-_.\d][\w.-]*)(?: [\w.-]+)?[.!]?$"
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

_NOT_DEFINITE = r"(?!(?:the|this|that|these|those|it|them|anything|everything|a|an|my|your|his|her|so|too|much|me)\b)"
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_ADVERB = r"(?:(?:only|always|never|usually|generally|normally|all|also|mostly|both|still|automatically|strictly) )*"
# A subject without an article, or with one that takes in many: "migrations", "all SQL", "our API", "a PR".
_MANY = (
    r"^(?:(?:all|every|each|any|no|new|our|both|most|public|internal|only|a|an)\b )*"
    r"(?!(?:the|this|that|these|those|it|he|she|they|there|i|we|you|here|what\w*|which\w*|who\w*|my|your|please"
    r"|let'?s|can|is"
    r"|are|was|will|would|has|had|have|don'?t|do|not|need|needs|as|to|and|or|but|in|on|at|of|by|users?|with|still"
    r"|also|lets|enter)\b)"
    r"(?:[\w.@/`'\"<>()&+-]+ ){1,5}?"
)
_THE = r"^(?:the|our|their|his|her|my) (?:[\w.@/`'\"<>()&+-]+ ){1,5}?"
_ONE_THING = r"(?:" + _MANY[1:] + "|" + _THE[1:] + ")"
_HABITS = (
    r"(?:deployed|built|released|generated|published|reviewed|merged|formatted|written|created|cut|made|signed"
    r"|encrypted"
    r"|cached|validated|versioned|returned|thrown|raised|wrapped|translated|handled|tested|run|started|triggered|done"
    r"|based"
    r"|backed|derived|imported|synced|rotated|archived|deleted|purged|logged|sent|shipped|packaged|pinned|mirrored"
    r"|replicated|sorted|paginated|named|called|prefixed|suffixed|tagged|numbered|kept|stored|hosted|defined"
    r"|documented"
    r"|tracked|managed|placed|squashed|rebased|set|configured|injected|resolved|measured|counted|given|taken|used"
    r"|loaded"
    r"|mocked|linted|compiled|bundled|provisioned|scheduled|owned|maintained|operated|approved|served|exposed)"
)
_STATES = (
    r"(?:read[ -]?only|write[ -]?only|append[ -]?only|immutable|frozen|deprecated|off[ -]limits|generated"
    r"|auto-?generated"
    r"|vendored|confidential|mandatory|required|forbidden|banned|prohibited|not (?:allowed|permitted|supported"
    r"|accepted|to be"
    r" \w+)|unsupported|case[ -]sensitive|end of life|taboo|blocked|not an option)"
)
_HOLDS = (
    r"(?:is|are|has|have|takes?|gets?|allows?|accepts?|supports?|gives?|sends?|lets?|needs?|must|may|can|costs?"
    r"|lasts?)"
)
_LIMITED = (
    rf"(?:{_HOLDS}\b.{{0,40}}\b(?:at most|at least|no more than|up to|max(?:imum)?|minimum|limited to|capped at"
    rf"|per (?:second|minute"
    r"|hour|day|week|month|user|request|token))|(?:can'?t|cannot|won'?t) be (?:changed|upgraded|updated|extended"
    r"|installed|modified"
    r"|touched|removed|renamed|moved)|can only|may only|may not|must not|must (?:never|stay|remain|keep)|mustn'?t"
    r"|only (?:accepts?|allows?|supports?|works?|compiles?|speaks?|lets?|accessible|reachable|available)|stuck on"
    r"|stuck at"
    r"|(?:is|are) (?:not )?(?:allowed|permitted) to)"
)
_VERBS = (
    r"(?:uses?|follows?|needs?|requires?|expects?|supports?|accepts?|allows?|speaks?|talks? to|depends? on|comes? from"
    r"|writes? to|reads? from|happens?|starts? (?:with|at|on|from)|ends? (?:in|with|at)|begins? with|ships?"
    r"|takes? (?:about )?\d"
    r"|expires?|stays?|go(?:es)? (?:out|into|in|to|through|via|over|under|next|behind|at|on)|lives?|belongs?|sits?"
    r"|resides?"
    r"|runs? (?:in|on|under|inside|with|via|every|at|as|only|nightly|daily|against)|listens? on|carr(?:y|ies)|holds?"
    r"|counts? as|means?|stands? for|replaces?|targets?|inherits? from|extends?|wraps?|maps? to|points? to|must"
    r"|default to|defaults to)"
)
_WE = (
    r"(?:use|run|write|keep|deploy|ship|follow|squash|rebase|merge|store|put|name|call|version|support|target|release"
    r"|build"
    r"|test|mock|log|document|review|require|avoid|commit|tag|branch|pin|host|track|manage|format|lint|import|wrap"
    r"|return|throw"
    r"|raise|validate|translate|measure|count|treat|mark|speak|sign|encrypt|rotate|generate|vendor|stick|rely|depend"
    r"|communicate|allow|accept|spell|abbreviate|prefix|group|sort|separate|split|serve|expose|load|read|type|pair"
    r"|estimate"
    r"|bill|charge|prefer|work|go through|do code|like)"
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
                r"|only \w+"
                r"(?: \w+){0,4} (?:can|may|has|have|are allowed)|no \w+(?: \w+){0,3} (?:access|available|allowed)"
                r"|(?:we(?:'re| are)|i(?:'m| am)) (?:still |stuck )*on \w+)\b"
            ),
            "only ops can access the production database",
        ),
        (
            "constraint",
            (
                r"\b(?:limit|quota|maximum|minimum|max|min|cap|timeout|budget|sla|ttl)\b[^.]{0,40}\b(?:is|are"
                r"|of) [^.]{0,20}\d"
                r"|\bis the (?:minimum|maximum|limit|oldest|newest|only)\b"
            ),
            "the max upload size is 25 MB",
        ),
        (
            "note",
            (
                r"^(?:ask|ping|talk to|contact|check with|speak to|cc) (?!(?:me|us|him|her|them|it|the user"
                r"|claude)\b)@?\w+"
                r"(?: \w+){0,3} (?:about|for|if|when|on|regarding)\b"
            ),
            "ask Petra about the billing service",
        ),
        (
            "note",
            (
                rf"{_ONE_THING}(?:owns?|maintains?|reviews|approves|(?:is|are) (?:responsible for|in charge of"
                rf"|the (?:owner|contact"
                r"|lead|maintainer|reviewer)s?\b|owned by|maintained by|run by|operated by|managed by)|looks? after"
                r"|takes? care of)\b"
            ),
            "the mobile team owns the auth module",
        ),
        (
            "note",
            r"^(?:questions|requests|complaints|bugs|issues|tickets)\b.{0,60}\bgo(?:es)? to\b",
            "questions go to Mia",
        ),
        (
            "note",
            (
                rf"{_ONE_THING}(?:(?:is|are) (?:{_ADVERB})?(?:kept|stored|hosted|located|found|documented|tracked"
                rf"|defined|called"
                r"|named|served|exposed|reachable|deployed|mounted|listed|described|checked in) (?:in|at|on|under|by"
                r"|as|to|from|via"
                r"|\S)|(?:lives?|sits?|resides?|listens?|runs?) (?:only |all )?(?:in|at|on|under|inside|next to"
                r"|beside|behind))\b"
            ),
            "feature flags live in LaunchDarkly",
        ),
        (
            "preference",
            (
                rf"^(?:(?:at|in|with|for|on) (?:our|this|the|new|all|every|any)?[^,]{{0,40}},? )?we {_ADVERB}"
                rf"(?:(?:don'?t|do not|no longer|never|stopped) )?{_WE}\w*\b(?! (?:it|this|that|them)\b)"
            ),
            "we deploy from the release branch only",
        ),
        (
            "preference",
            (
                r"^(?:prefer|avoid|stop (?!and\b|the\b|here\b)\w+ing) " + _NOT_DEFINITE + r"\w+"
                r"|^(?:don'?t|do not) (?:use|add|write|commit|push|mock|edit|touch|modify|hard-?code|import|put"
                r"|create|call|log"
                r"|print|store|install|introduce|rely|depend|mix|include|amend|force|squash|catch|swallow|expose"
                r"|throw|assume"
                r"|guess|invent|abbreviate|explain|summari[sz]e) " + _NOT_DEFINITE + r"\w+"
                r"|^(?:don'?t|do not) \w+ .{0,60}\b(?:by hand|directly|manually|without (?:asking|a|my|approval"
                r"|tests?|review)"
                r"|to (?:main|master|prod\w*)|in production)\b"
            ),
            "don't use default exports",
        ),
        (
            "preference",
            (
                r"^no (?!(?:worries|problem|need|idea|luck|changes?|errors?|output|longer|wait|rush|thanks?|one|way"
                r"|clue"
                r"|difference|matter|such|questions?|that|this|it|not|i|you|we|the|please|just|more questions"
                r"|\w+ changes|don'?t)\b)"
                r"(?:[\w/-]+ ){0,3}[\w/-]+s\b(?! (?:is|are|was|were)\b)(?: \w+)"
            ),
            "no force pushes on shared branches",
        ),
        (
            "preference",
            (
                r"^(?:for (?:all |any |every |new )?[\w-]+(?: [\w-]+)?,? )?(?:we )?(?:only )?use "
                + _NOT_DEFINITE
                + r"[^.]{1,60}?"
                r"(?:, ?(?:not|never|no)\b|\b(?:not|instead of|rather than|over|everywhere|by default|whenever"
                r"|when \w+ing)\b"
                r"|\bfor (?:all |any |every |new )?(?!the\b|this\b|that\b|it\b|now\b|a\b|an\b|my\b)[\w-]+(?:s|ing|ion"
                r"|ent)\b"
                r"|\bin (?:the |all |our )?(?:docs|tests|code|comments|commits|commit messages|ui|api|scripts|specs"
                r"|migrations)\b)"
                r"|^for (?:all |any |every |new )?[\w-]+(?: [\w-]+)?,? (?:please )?(?:use|prefer|take)\b"
            ),
            "use tabs for indentation",
        ),
        (
            "preference",
            (
                r"^keep (?:all |every |your |the )?(?:\w+ )?(?:functions|methods|files|classes|modules|commits|prs"
                r"|answers|responses"
                r"|replies|components|tests|comments|messages|names|lines|controllers|handlers|summaries|diffs"
                r"|explanations)\b"
                r"|^(?:ask|tell|warn|check with|talk to|inform|ping)\b.{0,30}\bbefore (?:you |we |any\w* )?\w+"
                r"|^(?:please )?(?:answer|respond|reply|speak|talk|write)(?: \w+){0,3} in (?:english|german|french"
                r"|spanish|japanese"
                r"|short|plain|full|british|american)\b"
                r"|^(?:run|format|lint|update|bump|test|build|regenerate)\b.{1,60}\b(?:before|after|on|for"
                r"|with) (?:every|each|any"
                r"|all|committing|pushing|merging|a commit|a release|a push)\b"
                r"|^(?:when(?:ever)?|before|after|each time|every time|if) you (?!are|have|finish|get|need|think|want"
                r"|can|see|do|complete)\w+ "
                r"(?:an?|any|something|anything|new|\w+s)\b.{1,100}, \w+"
            ),
            "keep functions under 40 lines",
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
                r"|things|changes"
                r"|users|thanks)\b)(?:[\w-]+ ){0,2}(?:\w+s|data|code|people|money)\b(?: (?:in|of|for|on|from|to|with"
                r"|under|shown to)"
                r" [\w ]{1,30}?)? (?:are|have|stay|come|end|start|begin) (?!\w+ing\b|(?:been|pushed|committed|merged"
                r"|attached|done"
                r"|ready|fixed|updated|green|back|gone|up|down|there|fine|good|ok|okay|correct|clear|visible|to|no"
                r"|a)\b)\S+"
            ),
            "user ids are ULIDs",
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
    r"|expires? every"
    r"|runs? on|points? to|depends? on|talks? to|belongs? to|is called|means?)"
    r" (?:always |only |in |on |at |by |our |an? |the |team |port |version |every )*"
    r"(?:[A-Z][\w./-]*|[\w./:-]*\d[\w./:-]*|`[^`]+`|\S+@\S+|/\S+|\w+://\S+|\w+[./_]\w\S*|\w+[a-z][A-Z]\w*"
    r"|[\w ]{1,30}, not )"
)
# A tool or a style that the agent should have taken: "no, use pnpm".
CORRECTED = re.compile(
    r"^(?:no|nope|nah)[,.:]? (?:please )?use (?!(?:the|this|that|these|those|it|my|your|a|an|one|both|all"
    r"|option)\b)[\w@./+-]+[.!]?$",
    re.IGNORECASE,
)
