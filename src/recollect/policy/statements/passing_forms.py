"""Forms of sentences that state nothing lasting: questions, reports, orders about now, complaints, asides."""

import re

from recollect.policy.rule import table

# -- no statement ---------------------------------------------------------------------------------------------------

_TASKS = (
    r"add|fix|write|run|rerun|show|check|look|create|update|rename|remove|delete|implement|move|change|build|commit"
    r"|push"
    r"|pull|try|give|find|refactor|open|close|explain|tell|list|print|set|bump|deploy|review|rebase|merge|clean"
    r"|convert"
    r"|generate|revert|wire|extract|split|start|restart|stop|do|make|take|get|go|continue|proceed|investigate"
    r"|analy[sz]e"
    r"|compare|debug|test|verify|validate|replace|install|uninstall|upgrade|import|export|port|migrate|apply|address"
    r"|respond|reply|file|bring|put|read|summari[sz]e|describe|document|draft|design|plan|research|search|grep|see|let"
    r"|help|copy|paste|insert|append|integrate|improve|optimi[sz]e|simplify|adjust|tweak|rewrite|rework|redo|undo"
    r"|reset"
    r"|format|sort|style|center|align|highlight|hide|display|render|connect|configure|enable|disable|turn|switch|save"
    r"|load|download|upload|fetch|call|send|ping|post|publish|release|ship|tag|finish|complete|wrap|double[ -]?check"
    r"|git"
    r"|ensure|make sure|execute|perform|return|allow|support|handle|include|expose|introduce|drop|reduce|increase"
    r"|expand|extend|collapse|combine|join|link|map|mock|cover|provide|use|follow|keep|consider|reproduce|resolve"
    r"|solve"
    r"|scan|inspect|trace|profile|measure|benchmark|evaluate|estimate|suggest|propose|recommend|recheck|retry|leave"
)
_WRONG = (
    r"(?:not (?:correct|right|true|working|what i)|wrong|incorrect|broken|failing|fails|failed|crash\w*|missing|buggy"
    r"|a bug"
    r"|an? (?:error|issue|problem|mistake|typo|regression)|doesn'?t work|don'?t work|not work|isn'?t working|stuck|odd"
    r"|weird|strange|ugly|confusing|misleading|empty|outdated|too (?:big|small|large|long|short|slow|much|many|high"
    r"|low"
    r"|wide|narrow|dark|bright|complicated|complex|verbose)|off by|unclear|a mess|red again|flaky)"
)
NO_STATEMENT = table(
    (
        ("question", r"\?\W*$", "do we use pnpm?"),
        ("lead to something else", r":\W*$", "to use pnpm, run:"),
        (
            "question",
            (
                r"^(?:why|how|where|who|what|which|when(?= (?:is|are|do|does|did|will|can|should|was|were)\b)|is|are"
                r"|was"
                r"|were|do(?= (?:we|you|i|they|all|the|these|those)\b)|does|did|am|should|could|would|can(?= (?:we"
                r"|you|i|u)"
                r"\b)|shall|may i|have (?:we|you)|has (?:it|this|that|the)|isn'?t|aren'?t|doesn'?t|didn'?t|wouldn'?t"
                r"|couldn'?t|shouldn'?t|won'?t)\b(?! (?:you|we|u)(?: please)? (?:always|never))"
            ),
            "can we use pnpm",
        ),
        (
            "own report",
            (
                r"^(?:i|we)(?:'ve|'ll|'m (?!on\b)|'re (?!(?:still |stuck )?on\b|using\b|going (?:with|for)\b"
                r"|(?:moving|switching|migrating|staying)\b)|'d (?!like you)"
                r"|'d like (?!you|all|every|\w+s to)| have(?= (?:a|an|to|some|the|just|also|already|not|been"
                r"|no idea)\b)| had| was| were| did| didn'?t| got| get| see| saw| just| think| guess| wonder| mean"
                r"| thought| feel"
                r"| tried| ran| noticed| found| need| needed| wish| hope| know| believe| suppose| assume| see| can see"
                r"| can'?t (?:see|find|get|reproduce|tell)| don'?t (?:know|see|understand|think|get|mind|care)| wanted"
                r"| could| would| might| may| also (?:think|need|want|see|got)| am (?!on\b)| are (?!(?:still "
                r"|stuck )?on\b|using\b|going (?:with|for)\b|(?:moving|switching|migrating|staying)\b)| want (?:to"
                r"|you|a|an|the|this"
                r"|that|it)\b| want\W*$| should| went(?! with)| made| added| removed| changed| updated| pushed"
                r"| forgot| missed"
                r"| started| said| asked| told| like (?:it|this|that|the)| love| love (?:it|this|that)| will)\b"
            ),
            "I've still got a red build",
        ),
        (
            "correction",
            (
                r"^(?:(?:that|this|it|these|those|they|he|she|everything|something|nothing|same|both|neither|none|one"
                r"|here"
                r"|there|you|your|my bad|again|still|now|not|never mind|nvm|nevermind|looks|seems|works|sounds|got it"
                r"|sure"
                r"|done|maybe|perhaps|probably|apparently|interesting|exactly|agreed|understood|correct|true)"
                r"(?:'s|'re|'ll|'ve|'d)?)\b(?! (?:repo|project|code ?base|service|package|team|company|library|api"
                r"|app|machine"
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
        ("there is no", r"^there (?:is|are) (?:no|only|exactly|at most)\b", "there is no staging environment"),
        ("nothing", r"^(?:nothing|none of) \w+ (?:may|must|can|should|goes|gets)\b", "nothing there may be changed"),
    ),
    re.IGNORECASE,
)

# -- about now, or about the thing at hand --------------------------------------------------------------------------

PASSING = table(
    (
        (
            "now",
            (
                r"\b(?:(?<!from )now|right away|today|tonight|tomorrow|yesterday|this (?:time|once|week|morning"
                r"|afternoon)|yet"
                r"|just|again|already|so far|at the moment|currently|quickly|asap|once more|for a (?:moment|second)"
                r"|anyway"
                r"|instead of (?:this|that|it)|still (?!on\b|runs? on\b)|before you (?:continue|proceed|go)|seems?"
                r"|will still|would)\b"
            ),
            "use pnpm now",
        ),
        (
            "thing at hand",
            (
                r"\b(?:this|these|those|here's) (?!(?:repo\w*|project|code ?base|service|package|team|company|library"
                r"|app|machine|monorepo|workspace|product|is|are|means?|way|folder there)\b)\w+"
                r"|\b(?:for|with|to|in|on|at|of|from|like|do|does|use|fix|see|add|change|make|put|about|into|after"
                r"|before) "
                r"(?:this|that|it|these|those|them|here|there)\b(?! (?:repo|project|code ?base|team|company|service"
                r"|package|app"
                r"|library|machine)\b)"
                r"|\bthat (?:one|file|function|method|test|line|page|component|feature|task|issue|ticket|part|section"
                r"|bug|error"
                r"|problem|thing|commit|branch|pr|change|approach|idea|button|endpoint|folder|case|way)\b"
                r"|\bthe last (?:commit|change|one|step|time|line|part|message|thing|run|test)\b"
                r"|\b(?:the|your|my) (?:above|below|following|first|second|third|other|latest|previous|current|same"
                r"|whole"
                r"|entire|pr|branch(?! names?)|diff|change|changes|commit|plan|fix|error|issue|bug|problem|output"
                r"|result|ticket|task"
                r"|conflict|conflicts|review|comment|comments|feedback|screenshot|attached|question|idea|suggestion"
                r"|approach"
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
AT_HAND = re.compile(
    r"\b(?:this|that) (?:one|pr|branch|change|file|function|approach|way|idea|test)\b|\boption \w+\b|#\d+"
    r"|\b(?:skip|leave|use|keep|take|do|fix|drop) (?:it|this|that|them)\b|\blook at (?:it|this|that)\b",
    re.IGNORECASE,
)
ONCE = re.compile(
    r"\b(?:for (?:now|the moment|this (?:one|time|pr|change|test|run|experiment))|this (?:once|time)|just once"
    r"|in this (?:change|pr|commit|branch|file|turn|function|test|case)|until i|right now|yet)\b",
    re.IGNORECASE,
)

ORDER = re.compile(rf"^(?:{_TASKS})\b", re.IGNORECASE)
# An order, not a noun such as "commit messages" or "test files".
TASK = re.compile(
    r"^(?:add|fix|implement|create|remove|delete|make|give|show|write|rename|move|check|try|find|explain|tell|verify"
    r"|ensure"
    r"|convert|replace|raise|lower|revert|print|get|look|bring|investigate|analy[sz]e|compare|debug|validate|install"
    r"|apply|address"
    r"|respond|reply|read|summari[sz]e|describe|refactor|generate|extract|split|improve|optimi[sz]e|simplify|adjust"
    r"|rewrite|rework"
    r"|redo|reset|hide|render|configure|enable|disable|send|limit|handle|include|expose|introduce|reduce|increase"
    r"|provide|resolve"
    r"|solve|reproduce|inspect|suggest|propose|recommend|consider|let|help|copy|insert|append|integrate|clean|kubectl"
    r"|git)\b"
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
