"""Tell from the grammar of a user's sentence whether it states something that lasts: a rule, a limit, a fact, a choice.

`judge` goes through tables of forms, in this order:

1. `NO_STATEMENT`: questions, reports, corrections, thanks
2. `EXPLICIT`: always, never, from now on, I prefer …: it lasts in so many words
3. `CHOICES`: something is chosen, or put off
4. `PASSING`: it is about now, about the thing at hand, or a complaint
5. `FORMS`: declarative sentences in the present tense about the project, and orders that hold for many cases

A sentence that no table knows is undecided; a fitted model may judge it (`statements`).
"""

import re
from typing import NamedTuple

from recollect.policy.rule import Rule, any_of, table

NONE = "none"
PLAIN, LIKELY = 0.85, 0.7
"""The certainty of what lasts in so many words, and of what lasts by its form."""

# -- words that lead up to a statement ---------------------------------------------------------------------------------

_SEPARATOR = r"[\s,.:;!\u2013\u2014-]*"
_FILLERS = (
    r"(?:and|but|also|so|ok|okay|btw|by the way|please|pls|hi|hey|hello|alright|actually|then)\b"
    r"|(?:yes|yeah|yep|no|nope|nah|hm+|ah+|oh+|right|good|fine|great|well|nice|cool|thanks|thank you|thx|perfect|sorry|wait"
    r"|correct|true)\b(?=\s*[,.:;!\u2013\u2014-])"
)
# Words that announce something to keep: "remember: …", "one rule for the future: …".
_ANNOUNCED = (
    r"(?:please )?(?:remember|note|keep in mind|bear in mind|be aware|don'?t forget|mind you)(?: (?:also|please))?"
    r"(?: (?:this|that|it) for [^:]{1,40}(?= ?:)| that\b|(?=[ ]*[:,-])|(?= (?:we|our|all|the|every|to (?:always|never))\b))"
    r"|(?:just )?(?:fyi|for your information|for (?:future )?reference|for the record|for context|important|heads[ -]?up"
    r"|reminder|just so (?:you|that you) know|so you know|in case you (?:wonder|need it)|good to know|background|note)\b"
    r"(?: that\b)?"
    r"|(?:one|another|some|a|small|quick|general|house|two|last|first|our|my|the|new|also)"
    r"(?: (?:more|other|general|house|last|quick|small|new|project|team|coding|important|standing))*"
    r" (?:thing|rule|remark|note|point|wish|convention|preference|reminder|ground rule|request)s?"
    r"(?: (?:for|about|on|before|in|of|to)\b[^:.!?]{0,40})?(?= ?[:,-])"
    r"|(?:rule|convention|conventions|naming|style|code style|preference|constraint|limit|policy|fact|decision)(?= ?:)"
)
_LEAD = re.compile(rf"^(?:[\s(*_\"'-]*(?:{_FILLERS}|{_ANNOUNCED}){_SEPARATOR})+", re.IGNORECASE)
_ANNOUNCING = re.compile(_ANNOUNCED, re.IGNORECASE)
_POLITE = re.compile(
    r"^(?:can|could|would|will) (?:you|we|u)(?: please| pls)?(?: make sure(?: that)?(?: you| we)?)?[ ]+"
    r"(?=(?:please )?(?:always|never|from now on|in (?:the )?future|going forward)\b)"
    r"|^(?:i'?d like you to|i want you to|i need you to|you should|you must|you need to|make sure (?:to|you|that you))[ ]+"
    r"(?=(?:please )?(?:always|never)\b)",
    re.IGNORECASE,
)

# -- 1. no statement ---------------------------------------------------------------------------------------------------

_TASKS = (
    r"add|fix|write|run|rerun|show|check|look|create|update|rename|remove|delete|implement|move|change|build|commit|push"
    r"|pull|try|give|find|refactor|open|close|explain|tell|list|print|set|bump|deploy|review|rebase|merge|clean|convert"
    r"|generate|revert|wire|extract|split|start|restart|stop|do|make|take|get|go|continue|proceed|investigate|analy[sz]e"
    r"|compare|debug|test|verify|validate|replace|install|uninstall|upgrade|import|export|port|migrate|apply|address"
    r"|respond|reply|file|bring|put|read|summari[sz]e|describe|document|draft|design|plan|research|search|grep|see|let"
    r"|help|copy|paste|insert|append|integrate|improve|optimi[sz]e|simplify|adjust|tweak|rewrite|rework|redo|undo|reset"
    r"|format|sort|style|center|align|highlight|hide|display|render|connect|configure|enable|disable|turn|switch|save"
    r"|load|download|upload|fetch|call|send|ping|post|publish|release|ship|tag|finish|complete|wrap|double[ -]?check|git"
    r"|ensure|make sure|execute|perform|return|allow|support|handle|include|expose|introduce|drop|reduce|increase"
    r"|expand|extend|collapse|combine|join|link|map|mock|cover|provide|use|follow|keep|consider|reproduce|resolve|solve"
    r"|scan|inspect|trace|profile|measure|benchmark|evaluate|estimate|suggest|propose|recommend|recheck|retry|leave"
)
_WRONG = (
    r"(?:not (?:correct|right|true|working|what i)|wrong|incorrect|broken|failing|fails|failed|crash\w*|missing|buggy|a bug"
    r"|an? (?:error|issue|problem|mistake|typo|regression)|doesn'?t work|don'?t work|not work|isn'?t working|stuck|odd"
    r"|weird|strange|ugly|confusing|misleading|empty|outdated|too (?:big|small|large|long|short|slow|much|many|high|low"
    r"|wide|narrow|dark|bright|complicated|complex|verbose)|off by|unclear|a mess|red again|flaky)"
)
NO_STATEMENT = table(
    (
        ("question", r"\?\W*$", "do we use pnpm?"),
        ("lead to something else", r":\W*$", "to use pnpm, run:"),
        (
            "question",
            (
                r"^(?:why|how|where|who|what|which|when(?= (?:is|are|do|does|did|will|can|should|was|were)\b)|is|are|was"
                r"|were|do(?= (?:we|you|i|they|all|the|these|those)\b)|does|did|am|should|could|would|can(?= (?:we|you|i|u)"
                r"\b)|shall|may i|have (?:we|you)|has (?:it|this|that|the)|isn'?t|aren'?t|doesn'?t|didn'?t|wouldn'?t"
                r"|couldn'?t|shouldn'?t|won'?t)\b(?! (?:you|we|u)(?: please)? (?:always|never))"
            ),
            "can we use pnpm",
        ),
        (
            "own report",
            (
                r"^(?:i|we)(?:'ve|'ll|'m (?!on\b)|'re (?!(?:still |stuck )?on\b|using\b|going (?:with|for)\b|(?:moving|switching|migrating|staying)\b)|'d (?!like you)"
                r"|'d like (?!you|all|every|\w+s to)| have(?= (?:a|an|to|some|the|just|also|already|not|been|no idea)\b)| had| was| were| did| didn'?t| got| get| see| saw| just| think| guess| wonder| mean| thought| feel"
                r"| tried| ran| noticed| found| need| needed| wish| hope| know| believe| suppose| assume| see| can see"
                r"| can'?t (?:see|find|get|reproduce|tell)| don'?t (?:know|see|understand|think|get|mind|care)| wanted"
                r"| could| would| might| may| also (?:think|need|want|see|got)| am (?!on\b)| are (?!(?:still |stuck )?on\b|using\b|going (?:with|for)\b|(?:moving|switching|migrating|staying)\b)| want (?:to|you|a|an|the|this"
                r"|that|it)\b| want\W*$| should| went| made| added| removed| changed| updated| pushed| forgot| missed"
                r"| started| said| asked| told| like (?:it|this|that|the)| love| love (?:it|this|that)| will)\b"
            ),
            "I've still got a red build",
        ),
        (
            "correction",
            (
                r"^(?:(?:that|this|it|these|those|they|he|she|everything|something|nothing|same|both|neither|none|one|here"
                r"|there|you|your|my bad|again|still|now|not|never mind|nvm|nevermind|looks|seems|works|sounds|got it|sure"
                r"|done|maybe|perhaps|probably|apparently|interesting|exactly|agreed|understood|correct|true)"
                r"(?:'s|'re|'ll|'ve|'d)?)\b(?! (?:repo|project|code ?base|service|package|team|company|library|api|app|machine"
                r"|monorepo|workspace|module|product|database|system)\b)"
            ),
            "that is not correct, it is added by the hook",
        ),
        (
            "complaint",
            rf"\b(?:is|are|was|were|looks?|seems?|gets?|feels?|still|being) (?:\w+ )?{_WRONG}\b",
            "it is broken",
        ),
        (
            "thought",
            r"\b(?:i (?:also )?(?:think|guess|wonder|suppose|feel|believe)|not sure|maybe|perhaps|probably|might)\b",
            "maybe",
        ),
    ),
    re.IGNORECASE,
)
# These too begin with "you", "one", "not", "here", "both", "it", "this" …, but state something.
NOT_A_CORRECTION = table(
    (
        (
            "you must",
            r"^you (?:must|may|can only|should|are) (?:always|never|not|only)\b",
            "you must never push to main",
        ),
        ("one per", r"^one \w+ per \w+", "one migration per PR"),
        ("not this", r"^not (?:\w+[.,] ?\w+)", "not yarn, bun"),
        ("there is no", r"^there (?:is|are) (?:no|only|exactly|at most)\b", "there is no staging environment"),
        ("nothing", r"^(?:nothing|none of) \w+ (?:may|must|can|should|goes|gets)\b", "nothing there may be changed"),
    ),
    re.IGNORECASE,
)

# -- 2. it lasts in so many words --------------------------------------------------------------------------------------

_COMPLAINS = (
    r"(?:fail\w*|crash\w*|error\w*|break\w*|broke\w*|null|empty|undefined|the same|wrong|seen|worked?|works|happen\w*|been"
    r"|had|mind|got|gets|a problem|shown|shows|show|hang\w*|time\w* out|reload\w*|appear\w*|close[sd]?|fire[sd]?|called"
    r"|used|set|reached|cleared|read|updated|returned|returns?|triggered|executed|invoked|ends? up|seems?|really|quite"
    r"|actually|thought|understood|liked|wanted|heard|tried|did|does)"
)
EXPLICIT = table(
    (
        (
            "preference",
            (
                r"\b(?:from now on|going forward|from here on|from today on|henceforth|in (?:the )?future|for the future"
                r"|as a (?:general )?rule|by convention|house rule|at all times|under no circumstances|without exception"
                r"|no exceptions|every single time|next time|as a habit)\b"
            ),
            "from now on use pnpm",
        ),
        (
            "preference",
            (
                rf"^(?:always|never|don'?t ever|do not ever) (?!{_COMPLAINS}\b|(?:an?|the|with|again|want|saw|knew|good|nice|ok|in|on"
                r"|at|\w+ed)\b)\w+"
            ),
            "always run the linter",
        ),
        (
            "preference",
            (
                rf"^(?:if|when(?:ever)?|before|after) [^,]{{1,100}}, (?:please )?(?:always|never) (?!{_COMPLAINS}\b)\w+"
                rf"|^(?:we|you|\w+ code|(?:[\w/-]+ ){{0,3}}[\w/-]+s(?<!\bwas)(?<!\bhas)(?<!\bis)(?<!\bdoes)(?<!\bthis)(?: (?:in|of|for|on|from|under) [\w ]{{1,30}}?)?) (?:(?:are|must"
                rf"|should|have to|need to|get) )?(?:always|never) (?!{_COMPLAINS}\b)\w+"
                r"|\b(?:must|should) (?:always|never) |, (?:and )?never \w+|\b(?:please|pls),? always\b|, always\W*$"
            ),
            "amounts are always in minor units",
        ),
        (
            "preference",
            (
                r"^i (?:(?:always|generally|usually|strongly|really|would|much) )?(?:prefer|hate|dislike) "
                r"(?!(?:to (?:look|see|wait|do|have|keep|leave|go)|not|it|that|this|the (?:first|second|other|last))\b)\w+"
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
                r"\b(?:we|i)(?:'ve| have)? (?:finally |just |now )?(?:decided|agreed|settled|chosen|chose|opted|standardi[sz]ed)"
                r" (?:to|on|that|against|for|not)\b|\bit(?:'s| is| was) (?:decided|settled)\b|\bwe(?:'re| are) (?:going with|moving"
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
                r"\b(?:leave|leaves|stays?|postpone\w*|defer\w*|park(?:ed|ing)?|skip|put aside|hold off|can (?:stay|wait)"
                r"|we(?:'ll| will)? (?:fix|do|add|merge|refactor|switch|pick|tackle|repair|upgrade|migrate|rework|redo|replace)"
                r"|(?:is|are) (?:known|something for)|will be (?:fixed|done|added|replaced|migrated)|comes? (?:later|after|in|with))"
                r"\b(?! (?:it|this|that)\b).{0,80}\b(?:later|next (?:week|month|quarter|sprint|release|year|version|major)"
                r"|(?:in|till|until) q[1-4]|after the \w+|until (?:we|the|someone|somebody|v?\d)|for now|another (?:day|time|pr"
                r"|ticket)|(?:own|separate) (?:pr|ticket|issue)|as is|in v?\d|some ?day|once (?:we|the))\b"
            ),
            "leave the csv export for later",
        ),
        (
            "decision",
            (
                r"^(?:then )?(?:let'?s|we(?:'ll| will)?|i(?:'ll)?) (?:go (?:with|for)|take|choose|pick|stick (?:with|to)|stay (?:with"
                r"|on)|switch (?:back )?to|move (?:back )?to|go back to|adopt|buy|use|keep|drop|standardi[sz]e on) "
                r"(?!(?:it|this|that|these|those|them|option|the (?:first|second|third|last|other|same|following|one)|one|a look"
                r"|care|\d|your|a break|going|all|both|either|any|some|me|us)\b)"
                r"\S.{0,200}?(?:\b(?:because|since|as|so that|instead of|rather than|over|not|no|after all|for (?:the|our|all))\b"
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
            r"^(?:then )?(?:let'?s|we(?:'ll| will)?) (?:go (?:with|for)|take|stick (?:with|to)|stay (?:with|on)|switch to|move to"
            r"|use|adopt) (?-i:[A-Z][\w.+#-]*|[a-z]+[-_.\d][\w.-]*)(?: [\w.-]+)?[.!]?$",
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
_AT_HAND = re.compile(
    r"\b(?:this|that) (?:one|pr|branch|change|file|function|approach|way|idea|test)\b|\boption \w+\b|#\d+"
    r"|\b(?:skip|leave|use|keep|take|do|fix|drop) (?:it|this|that|them)\b|\blook at (?:it|this|that)\b",
    re.IGNORECASE,
)
_EXPLICIT_ONCE = re.compile(
    r"\b(?:for (?:now|the moment|this (?:one|time|pr|change|test|run|experiment))|this (?:once|time)|just once"
    r"|in this (?:change|pr|commit|branch|file|turn|function|test|case)|until i|right now|yet)\b",
    re.IGNORECASE,
)

# -- 3. about now, or about the thing at hand --------------------------------------------------------------------------

PASSING = table(
    (
        (
            "now",
            (
                r"\b(?:(?<!from )now|right away|today|tonight|tomorrow|yesterday|this (?:time|once|week|morning|afternoon)|yet"
                r"|just|again|already|so far|at the moment|currently|quickly|asap|once more|for a (?:moment|second)|anyway"
                r"|instead of (?:this|that|it)|still (?!on\b|runs? on\b)|before you (?:continue|proceed|go)|seems?|will still|would)\b"
            ),
            "use pnpm now",
        ),
        (
            "thing at hand",
            (
                r"\b(?:this|these|those|here's) (?!(?:repo\w*|project|code ?base|service|package|team|company|library"
                r"|app|machine|monorepo|workspace|product|is|are|means?|way|folder there)\b)\w+"
                r"|\b(?:for|with|to|in|on|at|of|from|like|do|does|use|fix|see|add|change|make|put|about|into|after|before) "
                r"(?:this|that|it|these|those|them|here|there)\b(?! (?:repo|project|code ?base|team|company|service|package|app"
                r"|library|machine)\b)"
                r"|\bthat (?:one|file|function|method|test|line|page|component|feature|task|issue|ticket|part|section|bug|error"
                r"|problem|thing|commit|branch|pr|change|approach|idea|button|endpoint|folder|case|way)\b"
                r"|\bthe last (?:commit|change|one|step|time|line|part|message|thing|run|test)\b"
                r"|\b(?:the|your|my) (?:above|below|following|first|second|third|other|latest|previous|current|same|whole"
                r"|entire|pr|branch(?! names?)|diff|change|changes|commit|plan|fix|error|issue|bug|problem|output|result|ticket|task"
                r"|conflict|conflicts|review|comment|comments|feedback|screenshot|attached|question|idea|suggestion|approach"
                r"|answer|log|logs|trace|stack trace|status|response|goal|point|reason|cause|solution)\b"
                r"|\boption \w+\b|#\d+"
            ),
            "use pnpm for this",
        ),
        ("complaint", rf"\b{_WRONG}\b", "the header is too big"),
        ("measure", r"\d ?(?:px|rem|em|vh|vw|pt)\b|[:\u2026]$|\.\.\.$", "the width is 40 px"),
        (
            "hypothesis",
            r"^(?:if|suppose|assuming|imagine|say|unless|given|since|because|although|while|like)\b",
            "if we used pnpm",
        ),
        ("role", r"^(?:you are|act as|your (?:task|job|role)|as an? \w+)\b", "you are a senior engineer"),
        (
            "wish for now",
            r"^(?:i|we)(?:'d| would| could| should| need| want| have| can| may| might| will|'ll)\b",
            "we should log it",
        ),
    ),
    re.IGNORECASE,
)
# -- 4. forms ----------------------------------------------------------------------------------------------------------

_NOT_DEFINITE = r"(?!(?:the|this|that|these|those|it|them|anything|everything|a|an|my|your|his|her|so|too|much|me)\b)"
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_ADVERB = r"(?:(?:only|always|never|usually|generally|normally|all|also|mostly|both|still|automatically|strictly) )*"
# A subject without an article, or with one that takes in many: "migrations", "all SQL", "our API", "a PR".
_MANY = (
    r"^(?:(?:all|every|each|any|no|new|our|both|most|public|internal|only|a|an)\b )*"
    r"(?!(?:the|this|that|these|those|it|he|she|they|there|i|we|you|here|what\w*|which\w*|who\w*|my|your|please|let'?s|can|is"
    r"|are|was|will|would|has|had|have|don'?t|do|not|need|needs|as|to|and|or|but|in|on|at|of|by|users?|with|still|also|lets|enter)\b)"
    r"(?:[\w.@/`'\"<>()&+-]+ ){1,5}?"
)
_THE = r"^(?:the|our|their|his|her|my) (?:[\w.@/`'\"<>()&+-]+ ){1,5}?"
_ONE_THING = r"(?:" + _MANY[1:] + "|" + _THE[1:] + ")"
_HABITS = (
    r"(?:deployed|built|released|generated|published|reviewed|merged|formatted|written|created|cut|made|signed|encrypted"
    r"|cached|validated|versioned|returned|thrown|raised|wrapped|translated|handled|tested|run|started|triggered|done|based"
    r"|backed|derived|imported|synced|rotated|archived|deleted|purged|logged|sent|shipped|packaged|pinned|mirrored"
    r"|replicated|sorted|paginated|named|called|prefixed|suffixed|tagged|numbered|kept|stored|hosted|defined|documented"
    r"|tracked|managed|placed|squashed|rebased|set|configured|injected|resolved|measured|counted|given|taken|used|loaded"
    r"|mocked|linted|compiled|bundled|provisioned|scheduled|owned|maintained|operated|approved|served|exposed)"
)
_STATES = (
    r"(?:read[ -]?only|write[ -]?only|append[ -]?only|immutable|frozen|deprecated|off[ -]limits|generated|auto-?generated"
    r"|vendored|confidential|mandatory|required|forbidden|banned|prohibited|not (?:allowed|permitted|supported|accepted|to be"
    r" \w+)|unsupported|case[ -]sensitive|end of life|taboo|blocked|not an option)"
)
_HOLDS = (
    r"(?:is|are|has|have|takes?|gets?|allows?|accepts?|supports?|gives?|sends?|lets?|needs?|must|may|can|costs?|lasts?)"
)
_LIMITED = (
    rf"(?:{_HOLDS}\b.{{0,40}}\b(?:at most|at least|no more than|up to|max(?:imum)?|minimum|limited to|capped at|per (?:second|minute"
    r"|hour|day|week|month|user|request|token))|(?:can'?t|cannot|won'?t) be (?:changed|upgraded|updated|extended|installed|modified"
    r"|touched|removed|renamed|moved)|can only|may only|may not|must not|must (?:never|stay|remain|keep)|mustn'?t"
    r"|only (?:accepts?|allows?|supports?|works?|compiles?|speaks?|lets?|accessible|reachable|available)|stuck on|stuck at"
    r"|(?:is|are) (?:not )?(?:allowed|permitted) to)"
)
_VERBS = (
    r"(?:uses?|follows?|needs?|requires?|expects?|supports?|accepts?|allows?|speaks?|talks? to|depends? on|comes? from"
    r"|writes? to|reads? from|happens?|starts? (?:with|at|on|from)|ends? (?:in|with|at)|begins? with|ships?|takes? (?:about )?\d"
    r"|expires?|stays?|go(?:es)? (?:out|into|in|to|through|via|over|under|next|behind|at|on)|lives?|belongs?|sits?|resides?"
    r"|runs? (?:in|on|under|inside|with|via|every|at|as|only|nightly|daily|against)|listens? on|carr(?:y|ies)|holds?"
    r"|counts? as|means?|stands? for|replaces?|targets?|inherits? from|extends?|wraps?|maps? to|points? to|must"
    r"|default to|defaults to)"
)
_WE = (
    r"(?:use|run|write|keep|deploy|ship|follow|squash|rebase|merge|store|put|name|call|version|support|target|release|build"
    r"|test|mock|log|document|review|require|avoid|commit|tag|branch|pin|host|track|manage|format|lint|import|wrap|return|throw"
    r"|raise|validate|translate|measure|count|treat|mark|speak|sign|encrypt|rotate|generate|vendor|stick|rely|depend"
    r"|communicate|allow|accept|spell|abbreviate|prefix|group|sort|separate|split|serve|expose|load|read|type|pair|estimate"
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
            r"^(?:we (?:must|can'?t|cannot|may not|are not allowed to|have to|only have|only get|only support)|only \w+"
            r"(?: \w+){0,4} (?:can|may|has|have|are allowed)|no \w+(?: \w+){0,3} (?:access|available|allowed)"
            r"|(?:we(?:'re| are)|i(?:'m| am)) (?:still |stuck )*on \w+)\b",
            "only ops can access the production database",
        ),
        (
            "constraint",
            r"\b(?:limit|quota|maximum|minimum|max|min|cap|timeout|budget|sla|ttl)\b[^.]{0,40}\b(?:is|are|of) [^.]{0,20}\d"
            r"|\bis the (?:minimum|maximum|limit|oldest|newest|only)\b",
            "the max upload size is 25 MB",
        ),
        (
            "note",
            r"^(?:ask|ping|talk to|contact|check with|speak to|cc) (?!(?:me|us|him|her|them|it|the user|claude)\b)@?\w+"
            r"(?: \w+){0,3} (?:about|for|if|when|on|regarding)\b",
            "ask Petra about the billing service",
        ),
        (
            "note",
            (
                rf"{_ONE_THING}(?:owns?|maintains?|reviews|approves|(?:is|are) (?:responsible for|in charge of|the (?:owner|contact"
                r"|lead|maintainer|reviewer)s?\b|owned by|maintained by|run by|operated by|managed by)|looks? after|takes? care of)\b"
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
                rf"{_ONE_THING}(?:(?:is|are) (?:{_ADVERB})?(?:kept|stored|hosted|located|found|documented|tracked|defined|called"
                r"|named|served|exposed|reachable|deployed|mounted|listed|described|checked in) (?:in|at|on|under|by|as|to|from|via"
                r"|\S)|(?:lives?|sits?|resides?|listens?|runs?) (?:only |all )?(?:in|at|on|under|inside|next to|beside|behind))\b"
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
                r"|^(?:don'?t|do not) (?:use|add|write|commit|push|mock|edit|touch|modify|hard-?code|import|put|create|call|log"
                r"|print|store|install|introduce|rely|depend|mix|include|amend|force|squash|catch|swallow|expose|throw|assume"
                r"|guess|invent|abbreviate|explain|summari[sz]e) " + _NOT_DEFINITE + r"\w+"
                r"|^(?:don'?t|do not) \w+ .{0,60}\b(?:by hand|directly|manually|without (?:asking|a|my|approval|tests?|review)"
                r"|to (?:main|master|prod\w*)|in production)\b"
            ),
            "don't use default exports",
        ),
        (
            "preference",
            (
                r"^no (?!(?:worries|problem|need|idea|luck|changes?|errors?|output|longer|wait|rush|thanks?|one|way|clue"
                r"|difference|matter|such|questions?|that|this|it|not|i|you|we|the|please|just|more questions|\w+ changes|don'?t)\b)"
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
                r"(?:, ?(?:not|never|no)\b|\b(?:not|instead of|rather than|over|everywhere|by default|whenever|when \w+ing)\b"
                r"|\bfor (?:all |any |every |new )?(?!the\b|this\b|that\b|it\b|now\b|a\b|an\b|my\b)[\w-]+(?:s|ing|ion|ent)\b"
                r"|\bin (?:the |all |our )?(?:docs|tests|code|comments|commits|commit messages|ui|api|scripts|specs|migrations)\b)"
                r"|^for (?:all |any |every |new )?[\w-]+(?: [\w-]+)?,? (?:please )?(?:use|prefer|take)\b"
            ),
            "use tabs for indentation",
        ),
        (
            "preference",
            (
                r"^keep (?:all |every |your |the )?(?:\w+ )?(?:functions|methods|files|classes|modules|commits|prs|answers|responses"
                r"|replies|components|tests|comments|messages|names|lines|controllers|handlers|summaries|diffs|explanations)\b"
                r"|^(?:ask|tell|warn|check with|talk to|inform|ping)\b.{0,30}\bbefore (?:you |we |any\w* )?\w+"
                r"|^(?:please )?(?:answer|respond|reply|speak|talk|write)(?: \w+){0,3} in (?:english|german|french|spanish|japanese"
                r"|short|plain|full|british|american)\b"
                r"|^(?:run|format|lint|update|bump|test|build|regenerate)\b.{1,60}\b(?:before|after|on|for|with) (?:every|each|any"
                r"|all|committing|pushing|merging|a commit|a release|a push)\b"
                r"|^(?:when(?:ever)?|before|after|each time|every time|if) you (?!are|have|finish|get|need|think|want|can|see|do|complete)\w+ "
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
                r"^(?:(?:all|new|our|both|most|public|internal)\b )*(?!(?:the|this|that|these|those|there|what|which|things|changes"
                r"|users|thanks)\b)(?:[\w-]+ ){0,2}(?:\w+s|data|code|people|money)\b(?: (?:in|of|for|on|from|to|with|under|shown to)"
                r" [\w ]{1,30}?)? (?:are|have|stay|come|end|start|begin) (?!\w+ing\b|(?:been|pushed|committed|merged|attached|done"
                r"|ready|fixed|updated|green|back|gone|up|down|there|fine|good|ok|okay|correct|clear|visible|to|no|a)\b)\S+"
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
    r"^(?:[Tt]he|[Oo]ur|[Mm]y) (?:[\w.@/`'-]+ ){1,5}?(?:is|are|uses?|speaks?|targets?|comes? from|starts? at|expires? every"
    r"|runs? on|points? to|depends? on|talks? to|belongs? to|is called|means?)"
    r" (?:always |only |in |on |at |by |our |an? |the |team |port |version |every )*"
    r"(?:[A-Z][\w./-]*|[\w./:-]*\d[\w./:-]*|`[^`]+`|\S+@\S+|/\S+|\w+://\S+|\w+[./_]\w\S*|\w+[a-z][A-Z]\w*|[\w ]{1,30}, not )"
)
_ORDER = re.compile(rf"^(?:{_TASKS})\b", re.IGNORECASE)
# An order, not a noun such as "commit messages" or "test files".
_TASK = re.compile(
    r"^(?:add|fix|implement|create|remove|delete|make|give|show|write|rename|move|check|try|find|explain|tell|verify|ensure"
    r"|convert|replace|raise|lower|revert|print|get|look|bring|investigate|analy[sz]e|compare|debug|validate|install|apply|address"
    r"|respond|reply|read|summari[sz]e|describe|refactor|generate|extract|split|improve|optimi[sz]e|simplify|adjust|rewrite|rework"
    r"|redo|reset|hide|render|configure|enable|disable|send|limit|handle|include|expose|introduce|reduce|increase|provide|resolve"
    r"|solve|reproduce|inspect|suggest|propose|recommend|consider|let|help|copy|insert|append|integrate|clean|kubectl|git)\b"
    rf"|^(?:{_TASKS}) (?:the|an?|this|that|it|all|my|your|our|to|from|in|into|on|up|out|me|us|them|these|those|some|new|and|with"
    r"|for|if|whether|how|why|what|by|at|as|of|\S+ and)\b",
    re.IGNORECASE,
)
_NO_STATEMENT, _NOT_CORRECTION, _PASSING = map(any_of, (NO_STATEMENT, NOT_A_CORRECTION, PASSING))


# Orders that FORMS knows, because they hold for many cases.
_RULE_ORDER = re.compile(
    r"^(?:use|keep|ask|tell|run|format|lint|update|bump|test|build|regenerate|leave|skip|let'?s|put|go)\b", re.I
)


class Verdict(NamedTuple):
    """The kind of memory that a sentence would be, `none` if it states nothing lasting, and how certain that is."""

    kind: str
    certainty: float


NOTHING = Verdict(NONE, PLAIN)


def bare(sentence: str) -> str:
    """Return a sentence without the words that lead up to it: "By the way: …", "ok, remember that …"."""
    rest = _LEAD.sub("", sentence.strip()).strip(" \t*_-")
    return rest or sentence.strip()


def judge(sentence: str) -> Verdict | None:
    """Return what a user's sentence states, as far as its grammar tells; None where it does not."""
    lead, said = _LEAD.match(sentence), bare(sentence)
    is_announced = bool(lead and _ANNOUNCING.search(lead[0]))
    said = _POLITE.sub("", said)
    if _NO_STATEMENT.search(said) and not _NOT_CORRECTION.search(said):
        return NOTHING
    explicit = _first(EXPLICIT, said)
    if explicit:
        return NOTHING if _EXPLICIT_ONCE.search(said) else Verdict(_kind(explicit, said), PLAIN)
    choice = "" if _AT_HAND.search(said) else _first(CHOICES, said)
    if choice:
        return Verdict(choice, LIKELY)
    if _PASSING.search(said):
        return NOTHING
    form = _first(FORMS, said) or ("note" if VALUE.match(said) else "")
    if form and not (_TASK.match(said) and not _RULE_ORDER.match(said)):
        return Verdict(_kind(form, said), PLAIN if is_announced else LIKELY)
    return NOTHING if _ORDER.match(said) else None


def _first(rules: tuple[Rule, ...], said: str) -> str:
    return next((rule.name for rule in rules if rule.pattern.search(said)), "")


_HARD_LIMIT = re.compile(
    r"\b(?:must|can'?t|cannot|may not|mustn'?t|not allowed|forbidden|read[ -]?only|limit\w*|at most|no more than|maximum|max"
    r"|minimum|never leave|quota|required by|law|legal|gdpr|compliance|licen[cs]e|certif\w+)\b",
    re.IGNORECASE,
)


def _kind(kind: str, said: str) -> str:
    """Return the kind of a form: a rule about a limit is a constraint, unless it is an order to the agent."""
    is_limit = (
        bool(_HARD_LIMIT.search(said))
        and not _ORDER.match(said)
        and not re.match(r"(?i)(?:always|never|we|i|please)\b", said)
    )
    return "constraint" if kind == "preference" and is_limit else kind
