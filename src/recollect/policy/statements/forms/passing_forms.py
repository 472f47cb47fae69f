"""Forms of sentences that state nothing lasting: questions, reports, orders about now, complaints, asides."""

import re

from recollect.policy.rule import table

# -- no statement ---------------------------------------------------------------------------------------------------

_TASKS = (
    r"add|fix|write|run|rerun|show|check|look|create|update|rename|remove|delete|implement|move|change|build|commit"
    r"|push|pull|try|give|find|refactor|open|close|explain|tell|list|print|set|bump|deploy|review|rebase|merge|clean"
    r"|convert|generate|revert|wire|extract|split|start|restart|stop|do|make|take|get|go|continue|proceed|investigate"
    r"|analy[sz]e|compare|debug|test|verify|validate|replace|install|uninstall|upgrade|import|export|port|migrate"
    r"|apply|address|respond|reply|file|bring|put|read|summari[sz]e|describe|document|draft|design|plan|research"
    r"|search|grep|see|let|help|copy|paste|insert|append|integrate|improve|optimi[sz]e|simplify|adjust|tweak|rewrite"
    r"|rework|redo|undo|reset|format|sort|style|center|align|highlight|hide|display|render|connect|configure|enable"
    r"|disable|turn|switch|save|load|download|upload|fetch|call|send|ping|post|publish|release|ship|tag|finish"
    r"|complete|wrap|double[ -]?check|git|ensure|make sure|execute|perform|return|allow|support|handle|include|expose"
    r"|introduce|drop|reduce|increase|expand|extend|collapse|combine|join|link|map|mock|cover|provide|use|follow|keep"
    r"|consider|reproduce|resolve|solve|scan|inspect|trace|profile|measure|benchmark|evaluate|estimate|suggest"
    r"|propose|recommend|recheck|retry|leave"
)
_WRONG = (
    r"(?:not (?:correct|right|true|working|what i)|wrong|incorrect|broken|failing|fails|failed(?! \w+s\b)|crash\w*"
    r"|missing|buggy"
    r"|a bug|an? (?:error|issue|problem|mistake|typo|regression)|doesn'?t work|don'?t work|not work|isn'?t working"
    r"|stuck(?! on| at)|odd|weird|strange|ugly|confusing|misleading|empty|outdated|too (?:big|small|large|long|short"
    r"|slow|much|many|high|low|wide|narrow|dark|bright|complicated|complex|verbose)|off by|unclear|a mess|red again"
    r"|flaky)"
)
NO_STATEMENT = table(
    (
        ("question", r"\?\W*$", "do we use pnpm?"),
        (
            "report",
            (
                r"^(?:created|added|removed|updated|fixed|changed|committed|pushed|merged|renamed|moved|installed"
                r"|tried|ran|tested|deployed|found|got|diagnosed|identified"
                r"|resolved|implemented|refactored|verified|set up|when (?:you )?(?:finish\w*|done|are done))\b"
                r"|\b(?:never"
                r"|not) (?:called|used|read|set|cleared|checked|closed|tested|awaited)\b|\b(?:is|are|looks?"
                r"|seems?) (?:dead code|unused"
                r"|redundant)\b|\b(?:crash\w*|fails?|hangs?|breaks?|dies|freezes) (?:always|never)\b"
            ),
            "fixed the login",
        ),
        ("lead to something else", r":\W*$", "to use pnpm, run:"),
        (
            "question",
            (
                r"^(?:(?:tell|show|give) me (?:which|what|how|why|where|who|if)|why|how|where|who|what|which"
                r"|when(?= (?:is|are|do|does|did|will|can|should|was|were)\b)|is|are"
                r"|was|were|do(?= (?:we|you|i|they|all|the|these|those)\b)|does|did|am|should|could|would"
                r"|can(?= (?:we|you|i|u)\b)|shall|may i|have (?:we|you)|has (?:it|this|that|the)|isn'?t|aren'?t"
                r"|doesn'?t|didn'?t|wouldn'?t|couldn'?t|shouldn'?t|won'?t)\b(?! (?:you|we|u)(?: please)? (?:always"
                r"|never))"
            ),
            "can we use pnpm",
        ),
        (
            "own report",
            (
                r"^(?:i|we)(?:'ve|'ll|'m (?!on\b)|'re (?!(?:still |stuck )?on\b|using\b|going (?:with|for)\b"
                r"|(?:moving|switching|migrating|staying)\b)|'d (?!like you)|'d like (?!you|all|every|\w+s to)"
                r"| have(?= (?:a|an|to|some|the|just|also|already|not|been|no idea)\b)| had| was| were| did| didn'?t"
                r"| got| get| see| saw| just| think| guess| wonder| mean| thought| feel| tried| ran| noticed| found"
                r"| need| needed| wish| hope| know| believe| suppose| assume| see| can see| can'?t (?:see|find|get"
                r"|reproduce|tell)| don'?t (?:know|see|understand|think|get|mind|care|need to)| wanted"
                r"| could| would| might"
                r"| may| also (?:think|need|want|see|got)| am (?!on\b)| are (?!(?:still |stuck )?on\b|using\b"
                r"|not (?:allowed|permitted)\b|limited\b|bound\b|required\b"
                r"|going (?:with|for)\b|(?:moving|switching|migrating|staying)\b)| want (?:to|you|a|an|the|this|that"
                r"|it)\b| want\W*$| should| went(?! with)| made| added| removed| changed| updated| pushed| forgot"
                r"| missed| started| said| asked| told| like (?:it|this|that|the)| love| love (?:it|this|that)"
                r"| will)\b"
            ),
            "I've still got a red build",
        ),
        (
            "correction",
            (
                r"^(?:(?:that|this|it|these|those|they|he|she|everything|something|nothing|same|both|neither|none|one"
                r"|here|there|you|your|my bad|again|still|now|not|never mind|nvm|nevermind|looks|seems|works|sounds"
                r"|got it|sure|done|maybe|perhaps|probably|apparently|interesting|exactly|agreed|understood|correct"
                r"|true)(?:'s|'re|'ll|'ve|'d)?)\b(?! (?:repo|project|code ?base|service|package|team|company|library"
                r"|api|app|machine|monorepo|workspace|module|product|database|system)\b)"
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
            (
                r"\b(?:i (?:also )?(?:think|guess|wonder|suppose|feel|believe)|^not sure|i(?:'m| am) not sure|maybe"
                r"|perhaps|probably|might)\b"
            ),
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
        ("there is no", r"^there(?:'s| is| are) (?:no|only|exactly|at most)\b", "there is no staging environment"),
        (
            "everything",
            (
                r"^(?:everything|anything|nothing|none of) (?:[\w/.]+ ){0,5}?(?:may|must|can|should|goes|gets|lives?"
                r"|runs|counts?)\b"
            ),
            "nothing there may be changed",
        ),
    ),
    re.IGNORECASE,
)

# -- about now, or about the thing at hand --------------------------------------------------------------------------

PASSING = table(
    (
        (
            "now",
            (
                r"^(?:for )?now\b|\b(?:right away|today|tonight|tomorrow|yesterday|this (?:time|once|week|morning"
                r"|afternoon)"
                r"|yet|(?<!not )(?<!that )(?<!has )(?<!have )just|again|already|so far|quickly|asap|once more"
                r"|for a (?:moment|second)|anyway"
                r"|instead of (?:this|that|it)|still (?!on\b|runs? on\b|supports?\b)|before you (?:continue|proceed"
                r"|go)|seems?"
                r"|will still|would)\b"
            ),
            "now use pnpm",
        ),
        (
            "thing at hand",
            (
                r"\b(?:this|these|those|here's) (?!(?:repo\w*|project|code ?base|service|package|team|company|library"
                r"|app|machine|monorepo|workspace|product|board|device|firmware|stack|org|game|engine|cluster|environment|is|are"
                r"|means?|way|quarter|year|month|sprint|release"
                r"|season)\b)\w+|\b(?:for|with|to|in|on|at|of|from|like|do|does|use|fix|see|add|change|make|put|about"
                r"|into|after|before) (?:this|that|it|these|those|them)\b(?! (?:repo|project|code ?base|team|company"
                r"|service|package|app|library|machine|board|device|firmware|stack|org|game|engine|cluster)\b)"
                r"|\bthat (?:one|file|function|method|test|line|page"
                r"|component|feature|task|issue|ticket|part|section|bug|error|problem|thing|commit|branch|pr|change"
                r"|approach|idea|button|endpoint|folder|case|way)\b|\bthe last (?:commit|change|one|step|time|line"
                r"|part|message|thing|run|test)\b|\b(?:the|your|my) (?:above|below|following|first|second|third|other"
                r"|latest|previous|current|same|whole|entire|pr|branch(?! names?)|diff|change|changes|commit|plan|fix"
                r"|error|issue|bug|problem|output|result|ticket|task|conflict|conflicts|review|comment|comments"
                r"|feedback|screenshot|attached|question|idea|suggestion|approach|answer|log|logs|trace|stack trace"
                r"|status|response|goal|point|reason|cause|solution)\b|\boption \w+\b|#\d+"
            ),
            "use pnpm for this",
        ),
        ("complaint", rf"\b{_WRONG}\b", "the header is too big"),
        ("measure", r"\d ?(?:px|rem|em|vh|vw|pt)\b|[:\u2026]$|\.\.\.$", "the width is 40 px"),
        (
            "hypothesis",
            (
                r"^(?:if(?! (?:you|we|your changes?) [^,]{2,80}, )|suppose|assuming|imagine|say|unless|given|since"
                r"|because|although|while|like)\b"
            ),
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
# What is stated is what to build: "the export must have a header line, add it".
ASKED_FOR = re.compile(
    r"\b(?:add|fix|map|build|implement|change|make|create|remove|show) (?:it|that|this)[.!]?$|\bso (?:just|please) \w+"
    r"|\bfor this (?:script|run|file|page|function|class|demo|exercise|prototype|poc|spike|component|screen)\b",
    re.IGNORECASE,
)
AT_HAND = re.compile(
    r"\b(?:this|that) (?:one|pr|branch|change|file|function|approach|way|idea|test)\b|\boption \w+\b|#\d+"
    r"|^(?:skip|leave|use|keep|take|do|fix|drop) (?:it|this|that|them)\b|\blook at (?:it|this|that)\b",
    re.IGNORECASE,
)
ONCE = re.compile(
    r"\b(?:for (?:now|the moment|this (?:one|time|pr|change|test|run|experiment))|this (?:once|time)|just once"
    r"|in this (?:change|pr|commit|branch|file|turn|function|test|case)|until i|right now|yet)\b",
    re.IGNORECASE,
)

# A noun, though it looks like a verb: "commit messages", "test files".
NOUN = re.compile(
    r"^(?:commit|test|build|release|branch|review|merge|deploy|check|log|file|import|export|format|style|design|plan"
    r"|map"
    r"|link|config|post|search|support|print|sort) (?:messages?|names?|data|files?|mode|cases?|runs?|notes?"
    r"|branch(?:es)?"
    r"|suites?|jobs?|times?|images?|scripts?|titles?|bodies|subjects?|keys?|tables?|fixtures?|helpers?|doubles?|lines"
    r"|paths?|orders?|docs|tickets?|results|index\w*|servers?|service)\b",
    re.IGNORECASE,
)
ORDER = re.compile(rf"^(?:{_TASKS})\b", re.IGNORECASE)
# An order about now, or about a place in the code.
ORDER_NOW = re.compile(
    r"\b(?:now|at the moment|currently|(?<!in )here|there|today|for the moment)\b(?<!from now)", re.IGNORECASE
)
# What is said of a part of the screen is what to build: "the title must be centered".
ON_SCREEN = re.compile(
    r"^(?:the|a|an) (?:[\w-]+ ){0,2}(?:button|page|form|modal|dialog|dropdown|title|header|footer|sidebar|colou?r"
    r"|font|icon"
    r"|label|text|image|logo|toast|menu|tab|screen|card|animation|layout|tooltip|popup|panel|checkbox|toggle|slider"
    r"|spinner|background|banner|avatar)s? (?:should|must|needs?|has to|have to|is|are)\b",
    re.IGNORECASE,
)
# An order, not a noun such as "commit messages" or "test files".
TASK = re.compile(
    r"^(?:add|fix|implement|create|remove|delete|make|give|show|write|rename|move|check|try|find|explain|tell|verify"
    r"|ensure|convert|replace|raise|lower|revert|print|get|look|bring|investigate|analy[sz]e|compare|debug|validate"
    r"|install|apply|address|respond|reply|read|summari[sz]e|describe|refactor|generate|extract|split|improve"
    r"|optimi[sz]e|simplify|adjust|rewrite|rework|redo|reset|hide|render|configure|enable|disable|send|limit|handle"
    r"|include|expose|introduce|reduce|increase|provide|resolve|solve|reproduce|inspect|suggest|propose|recommend"
    r"|consider|let|help|copy|insert|append|integrate|clean|kubectl|git)\b(?! (?:has|have|is|are|must|mode)\b)"
    rf"|^(?:{_TASKS}) (?:the|an?|this|that|it|all|my|your|our|to|from|in|into|on|up|out|me|us|them|these|those|some"
    rf"|new|and|with"
    r"|for|if|whether|how|why|what|by|at|as|of|\S+ and)\b",
    re.IGNORECASE,
)
# Orders that FORMS knows, because they hold for many cases.
RULE_ORDER = re.compile(
    r"^(?:use|keep|ask|tell|run|format|lint|update|bump|test|build|regenerate|leave|skip|let'?s|put"
    r"|go)\b",
    re.IGNORECASE,
)
PROHIBITION = re.compile(r"^(?:don'?t|do not|prefer|avoid|stop|no)\b", re.IGNORECASE)
