"""Forms of orders that hold for many cases, of permissions, of terse choices and turns away from a rule."""

import re

from recollect.policy.rule import table

_NOT_DEFINITE = (
    r"(?!(?:the|this|that|these|those|it|them|anything|everything|a|an|my|your|his|her|so|too|much|me|for|to|on|in|at"
    r"|up|any of)\b)"
)
_MANY_THINGS = (
    r"(?:functions|methods|files|classes|modules|commits|prs|answers|responses|replies|components|tests|comments"
    r"|messages|names|lines|controllers|handlers|summaries|diffs|explanations|changes|functionality|dependencies)"
)
_TIMES = (
    r"(?:session|commit|pr|pull request|release|change|time|turn|feature|endpoint|function|test|component|migration"
    r"|message|answer|response|reply|deploy|deployment|merge|push|module|class|method|task|edit|step|call|new \w+)"
)
_NO_RULE = (
    r"(?:worries|problem|need|idea|luck|changes?|errors?|output|longer|wait|rush|thanks?|one(?!-| should| may| can)"
    r"|way|clue|difference|matter|such|questions?|that|this|it|not|i|you|we|the|please|just|more|\w+ changes|don'?t"
    r"|he|she|they|what|why|how|there|still|go|do|use|make|add|keep|leave)"
)
_VERBS = (
    r"(?:use|add|write|commit|push|mock|edit|touch|modify|hard-?code|import|put|create|call|log|print|store|install"
    r"|introduce|rely|depend|mix|include|amend|force|squash|catch|swallow|expose|throw|assume|guess|invent|abbreviate"
    r"|explain|summari[sz]e|duplicate|nest|wrap|export|suppress|disable|ignore|skip|leave|return|inline|reformat"
    r"|rebase|paste|propose|generate|define|pass|read|query|block|bypass|shorten|translate|apologi[sz]e|repeat"
    r"|over-?engineer)"
)
_STYLE_VERBS = (
    r"use|prefix|suffix|indent|name|format|write|wrap|include|start|end|begin|group|order|quote|document|log|store|save"
    r"|return|throw|raise|escape|pass|treat|squash|mark|tag|put|place|define|declare|import|export|keep|commit"
    r"|respect|follow|mock|validate|annotate|type|capitali[sz]e|abbreviate|catch"
    r"|access|pin"
)
# Many things, or a material: "unused variables", "camelCase", "fixed-width types".
_GENERAL_OBJECT = (
    r"(?!(?:the|this|that|these|those|it|them|an?|my|our|me|us|his|her|its|some|everything|instructions|one|two"
    r"|three|both|more|up|out|off|on|in|at"
    r"|to|with|for|tests? for|docs for|option|\d)\b)(?:[\w`/.<>-]+ ){0,3}?(?:[\w`-]*[a-z`]s|[a-z]+[A-Z]\w*|`[^`]+`"
    r"|(?:snake|kebab|camel|pascal|upper|lower)[ _-]?case|code|data|money|text|sql|typescript|english|german)"
)
ORDERS = table(
    (
        (
            "preference",
            (
                rf"^(?:prefer|avoid|favou?r|prioriti[sz]e|stop (?!and\b|the\b|here\b)\w+ing) {_NOT_DEFINITE}\S+"
                rf"|^(?:don'?t|do not) (?:ever )?{_VERBS} {_NOT_DEFINITE}\S+"
                r"|^(?:don'?t|do not) \w+ .{0,80}\b(?:by hand|directly|manually|yourself|anywhere|ever|unless"
                r"|in production|in this (?:repo|project|code ?base)|without (?:asking|an?|my|approval|tests?|review"
                r"|talking|permission|me|checking)|to (?:main|master|prod\w*)|until (?:i|the user|it is|approved))\b"
            ),
            "don't use default exports",
        ),
        (
            "constraint",
            (
                r"^(?:please )?(?:don'?t|do not) (?!(?:worry|forget|bother|know|care|mind"
                r"|understand)\b)\w+ [^,;]{3,80}[,;]"
                r" (?:because )?(?:it(?:'s| is| gets)|they(?:'re| are)|there(?:'s| is| are)|the \w+(?: \w+)? \w+s|our"
                r" \w+(?: \w+)? \w+s?)\b(?! (?:not|fine|good|ok|okay|correct|right|done|broken|wrong|already|still"
                r"|working|a"
                r" very|too|just)\b)(?!.*\b(?:now|yet|today|still)\b)"
            ),
            "don't touch src/generated, it's overwritten by the build",
        ),
        (
            "preference",
            (
                rf"^no (?!{_NO_RULE}\b)(?:[\w/().!'-]+ ){{0,4}}?[\w/().!'-]+(?: \([^)]*\))?"
                r"(?: (?:in|on|for|without|with|from|under|during|outside|unless|please|anywhere|allowed|at all"
                r"|except|here|pls|after|before|ever|anymore)\b|, \w+ \w+)|^no (?:[\w/-]+ ){1,3}\([^)]+\)$"
            ),
            "no force pushes on shared branches",
        ),
        (
            "preference",
            (
                rf"^(?:for (?:all |any |every |new )?[\w-]+(?: [\w-]+)?,? )?(?:only )?use {_NOT_DEFINITE}.{{1,80}}?"
                r"(?:, ?(?:not|never|no)\b|\((?:not|never|no)\b|\b(?:not|instead of|rather than|over|everywhere"
                r"|by default|whenever|when \w+ing)\b|\bfor (?:all |any |every |new )?(?!(?:the|this|that|it|now|a|an"
                r"|my)\b)[\w-]+(?:s|ing|ion|ent)\b|\bin (?:the |all |our )?(?:docs|tests|code|comments|commits"
                r"|commit messages|ui|api|scripts|specs|migrations)\b)|^for (?:all |any |every "
                r"|new )?[\w-]+(?: [\w-]+)?,? (?:please )?(?:use|prefer|take)\b|^use the \S+ (?:\w+ )?(?:instead of"
                r"|rather than)\b"
            ),
            "use tabs for indentation",
        ),
        (
            "preference",
            (
                rf"^keep (?:all |every |your |the )?(?:\w+ )?{_MANY_THINGS}\b"
                r"|^(?:ask|tell|warn|check with|talk to|inform|ping)\b.{0,30}\bbefore (?:you |we |any\w* )?\w+"
                r"|^(?:answer|respond|reply|speak|talk|write)(?: \w+){0,3} in (?:english|german|french|spanish"
                r"|japanese|short|plain|full|british|american)\b|^(?:put|place|store) (?!(?:the|this|that|it|a|an"
                r"|them|my|your)\b)[\w -]{3,40} (?:in|into|under|next to) \S*[/.]\S+"
                r"|^stick to (?:the )?[\w -]{3,40}(?: where(?:ver)? possible|[.!]?$)|^be (?:extremely |very |more "
                r"|as )?(?:concise|brief|terse|explicit|consistent|direct|short)\b"
            ),
            "keep functions under 40 lines",
        ),
        (
            "preference",
            (
                rf"^(?:\w+)\b.{{1,80}}\b(?:before|after|on|for|with|at|in|to|by|start|end) (?:every|each"
                rf"|any) {_TIMES}\b|^(?:start|end|begin|finish|open|close|run|test|tag|check|document) (?:every|each"
                rf"|any) {_TIMES}\b"
                r"|^(?:run|format|lint|update|bump|test|build|regenerate)\b.{1,60}\b(?:before|after) (?:committing"
                r"|pushing|merging|releasing|a commit|a release|a push|a merge)\b"
            ),
            "run the linter before every commit",
        ),
        (
            "preference",
            (
                r"^(?:run|check|update|ask|test|lint|format|rebuild|restart|verify|show|tell)\b.{1,60}\bevery ?time\b"
                r"|^for (?:any|every|each|all) [\w/ -]{2,40}?,? (?:the|an?|its|their|there) [\w ]{2,40}?\b(?:gets?"
                r"|must|is|are|goes|needs?|stays?|has to)\b"
            ),
            "for every new endpoint the OpenAPI file gets updated",
        ),
        (
            "preference",
            (
                r"^(?:when(?:ever)?|before|after|each time|every time|if) (?:you|we|asked|your changes?"
                r"|\w+ing\b(?<!doing))(?! (?:are|have|finish|get|need|think|want|can|see|do|complete|like|could|find"
                r"|it|this|that|the (?:above|first))\b)[^,]{2,100}, (?:please |you (?:must|should|need to|have to) "
                r"|we |make sure |be sure )?(?:add|fix|write|run|update|rename|remove|use|prefer|avoid|ensure|check"
                r"|ask|tell|bump|split|keep|put|create|document|delete|make|include|don'?t|do not|also|follow|start"
                r"|set|move|test|verify|regenerate|mention|log)\b"
            ),
            "when you touch a proto file, bump the version",
        ),
        (
            "preference",
            (
                r"^in (?:all |the |our )?(?:tests|docs|comments|commits|code|migrations|components|specs|scripts|prs"
                r"|reviews),? (?!(?:i|you|it|there|this|that|and|or|we (?:have|need|should)|the)\b)\w+ \w+"
            ),
            "in tests compare whole objects",
        ),
        (
            "preference",
            (
                r"^[\w:./+-]+(?: [\w:./+-]+){0,2} for (?:all |every |new |any )?[\w -]{3,40}(?: ?\(?,? ?(?:not|never"
                r"|no|instead)\b|,? please$|,? always$)|^[\w:./+-]+ for (?:anything|everything) (?:new|that|we|else)\b"
                r"|^(?!(?:use|it|this|that|they|try|make|show|add|do|put|set|go|get|return|and|or|but"
                r"|maybe)\b)[\w:./+-]+"
                r"(?: [\w-]+)? (?:instead of|rather than) (?!(?:the|this|that|it|a|an)\b)[\w:./+-]+|^(?:[\w-]+ ){0,3}"
                r"(?:names|messages|titles?|keys|format|style|ids|dates|branches|casing|naming)(?: in (?:this|the"
                r"|our) \w+)?"
                r": (?!(?:\w+ing|i|the|can|could|please)\b)\S+ \S+|^[\w:./+-]+(?: [\w:./+-]+){0,2} by default\b"
            ),
            "tracing for logging, never println",
        ),
        (
            "preference",
            (
                rf"^(?:{_STYLE_VERBS}) (?:(?:all|any|every|each|only|new|public|unused|your|both) )*"
                rf"{_GENERAL_OBJECT}(?: (?:and|or) [\w`/.<>-]+)? (?:in|with|as|via|through|under|per|at|by|next to"
                r"|inside|behind|from|using|for|on|into|before|after) (?!(?:the (?!\w+s\b)|this|that|it|now)\b)\S+"
                r"|^(?:use|write|follow|keep) [\w./`-]*[\w`](?: [\w/`-]+){0,2} (?:names|branches|commits|queries|types"
                r"|imports|exports|quotes|components|hooks|schemas|conventions|guidelines|style|casing)[.!]?$"
                r"|^(?:format|lint|indent) (?:the |all )?(?:code|files)? ?with \S+"
                r"|^(?:rebase|squash|merge|commit|fixtures|stubs?|mocks?)\b[^.]{0,20}, (?:never|not|don'?t) \w+"
            ),
            "prefix unused variables with an underscore",
        ),
        (
            "preference",
            (
                r"^ask (?:me|us|the user) .{0,40}\b(?:per|each|at a time)\b|^only (?:add|use"
                r"|commit|change|edit|create|test|write|run|call|import|log) (?!(?:the|this|that|it|a|an)\b)\S+ .{0,20}"
                r"\b(?:in|from|on|for|when|if|through|via|after|under|with)\b|^keep (?:all |the )?\S*[/`]\S* \w+"
                r"|^(?:minimal|few|short|small|no|zero|plain) (?:\w+ )?(?:comments|commits|functions|diffs|answers"
                r"|messages|summaries|abstractions)[.!]?$"
            ),
            "ask me one question per turn",
        ),
        (
            "preference",
            (
                r"^when(?:ever)? (?:an?|any|you|new|adding|changing) [\w -]{2,40}\b(?:is|are|gets?|has|needs?|changes)?"
                r"\b[^,.]{0,40},? (?:the|its|an?|all|every|it|you)\b.{0,40}\b(?:must|has to|have to|needs? to|should"
                r"|stays?|goes|gets)\b"
            ),
            "when a class gets renamed the old name has to stay",
        ),
    ),
    re.IGNORECASE,
)
# What is allowed, and what a rule does not hold for.
PERMITS = table(
    (
        (
            "preference",
            (
                r"^(?!.{0,60}\b(?:it|this|that|everything|all|which) (?:is|are)\b)(?:except|apart from"
                r"|other than) (?!(?:that|this|it)\b)\w+|^(?!.{0,60}\b(?:it|this|that|everything|which) (?:is"
                r"|are)\b)in (?:the |our |all )?[\w/. -]{2,30}? (?:\w+"
                r" ){1,3}(?:is|are) (?:fine|ok|okay|allowed|permitted|acceptable|enough)\b|^[\w/`.() -]{3,40} (?:is"
                r"|are) (?:only |not )?(?:fine|ok|okay|allowed|permitted|acceptable) (?:in|for|on|when|there|at"
                r"|as long as|if) (?!(?:now|me|this"
                r"|that|it|the moment)\b)\w+|^(?!(?:after|then|now|that|if|maybe|so|when|once"
                r"|before)\b)(?:[\w/-]+ ){1,3}(?:you|we) (?:can|may) \w+ (?:without|in|on|for|whenever)\b"
                r"|^(?!(?:that|this|it|they|these|which)\b)(?:[\w/-]+ ){1,4}(?:may|can) be \w+(?:ed|n|t) (?:on|in"
                r"|without|at|during|by)\b"
            ),
            "in the test mocks any is fine",
        ),
        (
            "preference",
            (
                r"^you (?:may|can|don'?t (?:have|need) to|needn'?t) (?:(?:also|always|safely) )?(?!(?:see|find|start"
                r"|continue|go|do|close|merge|push|now|just|ignore (?:it|this|that|the))\b)\w+ .{0,60}\b(?:without"
                r"|whenever|unless|for \w+s\b|in [\w.]+/|any(?: |time)|on your own|yourself)"
            ),
            "you can skip the linter for files in scratch/",
        ),
    ),
    re.IGNORECASE,
)
# Terse choices, and turns away from what held before. They may begin like a report ("we've moved …"), or name a fault.
TURNS = table(
    (
        (
            "tech_debt",
            (
                r"^(?!(?:it|this|that|they|i|you)\b)(?:[\w./+#'-]+ ){1,6}?(?:(?:can|has to|have to|must|will have to"
                r"|should) wait\b|(?:comes?|is planned|are planned|is scheduled|follows?) (?:after|in (?:autumn|winter"
                r"|spring|summer|q[1-4]|v?\d|january|february|march|april|may|june|july|august|september|october"
                r"|november|december)|with (?:v?\d|the next)|next (?:week|month|quarter|sprint|release|year"
                r"|version))\b)"
                r"|\b(?:postpone|defer|leave|park|skip|don'?t bother with) (?!(?:it|this|that|them)\b).{3,60}\b(?:for"
                r" (?:later|q[1-4])|till|until|after the|this sprint|once)\b|^(?:ignore|skip|keep|leave|hardcode"
                r"|punt on)"
                r" (?!(?:it|this|that|them)\b).{3,60}\bfor (?:now|the (?:moment|time being))[,;:.] \w+"
            ),
            "ipv6 can wait, nobody asked for it yet",
        ),
        (
            "decision",
            (
                r"^(?!(?:it|this|that|they|i|you|we|go|do|use|try|leave|keep|what|why|how|ok|fine|just|merge|push|run"
                r"|fix|add|show|let|stop|start|back|no|yes|not|and|the|if|when|please|continue|come|see|make|maybe"
                r"|like|perhaps|so|now|until|since)\b)"
                r"[\w.+#/-]+(?: [\w.+#/-]+){0,5} then(?:[.,:;]| \u2013| -|$)"
                r"|^(?!(?:it|this|that|they|hand|go|over|roll|start|move|hover|click)\b)[\w.+#/-]+(?: [\w.+#-]+)? over"
                r" [\w.+#/-]+(?: [\w.+#-]+)?[,:;.]"
                r"|^(?:ok |then )?(?:go|going) (?:with|for) (?!(?:it|this|that|option|the (?:first|second|third|last"
                r"|other|same)|all|both|either|\d|a look|one|whatever|what)\b)[^,.;]{2,60}(?:[,;:] |\. |\b(?:because"
                r"|since)\b)"
                r"|^(?:scrap|forget|ditch|abandon) (?!(?:it|this|that|about (?:it|this|that)|them)\b)[^,.;]{2,60}[,;:] "
                r"|\b(?:is|are) (?:off the table|out of the question|overkill)\b"
            ),
            "zustand then, redux is too much for one list",
        ),
        (
            "decision",
            (
                r"^we(?:'ve| have| just| finally| recently)* (?:migrated|moved|switched|dropped|replaced|retired"
                r"|stopped"
                r"|ditched|abandoned|deprecated|adopted|standardi[sz]ed|removed support|ended|killed|gave up|settled"
                r"|gone"
                r" back|upgraded|renamed|reverted to) (?!(?:it|this|that|them|the (?:button|file|test|function|line"
                r"|page|section|code|class|method|component|column|field))\b)\S+"
                r"|^(?:dropping|ditching|retiring|deprecating|(?:moving|switching|migrating) (?:away )?(?:from|off"
                r"|to)) \S+[^.]{0,60}(?:[:,;\u2013\u2014-] |\bfor\b|\bto\b|\bbecause\b)"
            ),
            "we've migrated off Jest, all tests are Vitest now",
        ),
        (
            "decision",
            (
                r"^(?!(?:it|this|that|they|he|she|i|you|which|release|version)\b)(?:[\w./+#'-]+ ){1,5}?(?:(?:got|was"
                r"|were|has been"
                r"|have been|is|are|is being|are being) (?:cancell?ed|retired|shut down|sunset|decommissioned"
                r"|deprecated|abandoned|discontinued|phased out|replaced (?:by|with)|dropped|superseded|banned)"
                r"|(?:is|are) (?:out|dead|history|gone)(?=[,;:.]? (?:we|use|it'?s|now|only|everything|all|the)\b"
                r"|[,;:] ))(?!.*\?$)"
            ),
            "LaunchDarkly got cancelled, flags are in our own table now",
        ),
        (
            "discovery",
            (
                r"^(?!(?:it|this|that|they|he|she|i|you|which|the (?:error|bug|test|build|issue|problem|page"
                r"|button))\b)(?:[\w./+#'-]+ ){1,6}?(?:(?:is|are|do|does|has|have|may|can|must|needs?|uses?|lives?"
                r"|runs?"
                r"|gets?) no longer\b|no longer (?:\w+s|need|use|have|run|exist|support)\b|(?:isn'?t|aren'?t|don'?t"
                r"|doesn'?t) [^.,]{1,40} any ?more\b)"
            ),
            "the staging db is no longer shared",
        ),
        (
            "discovery",
            (
                r"^(?!(?:it|this|that|they|he|she|i|you|there|which|what|everything|all good"
                r"|(?:the |all )?tests? (?:are|is) (?:green|red|passing|failing))\b)(?:[\w./+#'-]+ ){1,6}?(?:is|are"
                r"|lives?|runs?|uses?|needs?|goes|go|has|have|must|requires?|takes?|listens?|belongs?|may|can|starts?"
                r"|points?) (?!(?:working|work|fine|good|ok|okay|ready|broken|fixed|gone|red|green|slow|fast|done|too"
                r"|empty|missing|better|showing|visible|there|failing|passing|correct)\b)[^?]{1,80}"
                r"\b(?:now|as of (?:today|now|v?\d\S*|\w+))(?: (?:too|instead\b.{0,40}|on))?[.!]?$"
            ),
            "the api port is 9090 now",
        ),
    ),
    re.IGNORECASE,
)
