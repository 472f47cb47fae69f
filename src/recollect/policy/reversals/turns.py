"""Tables of the words by which a statement says that something changed, in English, German and Japanese.

A pattern's group `old` is what is given up, `new` is what takes its place; both are the text of a clause, of which the
first (`old`, `new`) or the last words (`before`) name the thing.
"""

import re

from recollect.policy.rule import Rule, any_of, table

_C = r"(?:[^,;!?\n.:()。、]|[.:](?=\S)){1,80}"  # the text of a clause; a dot inside a name belongs to it
_L = _C + "?"
_MOVED = (
    r"(?:moved?|moving|migrat\w+|switch\w*|chang\w+|went|going|upgrad\w+"
    r"|downgrad\w+|convert\w*|transition\w*|port(?:ed)?"
    r"|rewr\w+|renam\w+|relocat\w+|bump\w*|rais\w+|lower\w*|increas\w+"
    r"|decreas\w+|reduc\w+|drop(?:ped)?|cut|grew|extended)"
)
_GONE = (
    r"(?:gone|dead|deprecated|obsolete|history|removed|dropped|retired"
    r"|abandoned|decommissioned|scrapped|abolished|lifted"
    r"|cancell?ed|discontinued|sunset(?:ted)?|terminated|ended|withdrawn|repealed|waived|revoked"
    r"|shut\ down|switched\ off|turned\ off|outdated|over|killed|off\ the\ table|no\ more|out)"
)
_IS = r"(?:is|are|was|were|has\ been|have\ been|got|gets)"

GIVEN_UP: tuple[Rule, ...] = table(
    (
        (
            "from to",
            rf"\b{_MOVED}\b(?P<about>{_L})?\ from\ (?P<old>{_L})\ (?:over\ )?(?:to|onto|into)\ (?P<new>{_C})",
            "we moved from yarn to pnpm",
        ),
        (
            "away from",
            rf"\b(?:away\ from|(?:{_MOVED}|got|are|we're|now)\ off(?:\ of)?)\ (?P<old>{_C})",
            "we moved off yarn",
        ),
        (
            "forget",
            rf"^(?:\w+,?\ ){{0,3}}(?:forget|scratch|scrap)\ (?:about\ )?(?!(?:what|that|the|it|my|our)\b)(?P<old>{_C})",
            "forget yarn",
        ),
        (
            "replaced by",
            (
                rf"(?P<before>{_L})\ (?:{_IS}|gets|being)\ (?:now\ )?(?:replaced|superseded|swapped)\ (?:by|with|"
                rf"for)\ (?P<new>{_C})"
            ),
            "yarn is replaced by pnpm",
        ),
        (
            "replace with",
            rf"\b(?:replac\w+|swap\w*|substitut\w+)\ (?P<old>{_L})\ (?:with|by|for)\ (?P<new>{_C})",
            "we replaced yarn with pnpm",
        ),
        (
            "replaces",
            (
                rf"(?P<newbefore>{_L})\ (?:replac(?:es|ed)|supersed(?:es|ed)"
                rf"|takes\ over\ from|took\ over\ from)\ (?P<old>{_C})"
            ),
            "pnpm replaces yarn",
        ),
        ("instead of", rf"\b(?:instead\ of|in\ place\ of|rather\ than)\ (?P<old>{_C})", "pnpm instead of yarn"),
        ("no longer", rf"\b(?:no\ longer|not\ any\ ?more)\ (?P<oldaction>{_C})", "we no longer use yarn"),
        (
            "is no longer",
            (
                rf"(?P<before>{_L})\ (?:is|are)\ (?:no\ longer\ (?:used|in\ use|supported|needed|valid|wanted|required|"
                rf"allowed|true|a\ thing|our|the|what)|not\ (?:used|in\ use|needed|supported)\ any\ ?more)"
            ),
            "yarn is no longer used",
        ),
        (
            "not any more",
            rf"\b(?:don't|do\ not|doesn't|does\ not|won't|not|isn't|aren't|never)\ (?P<oldaction>{_L})\ any\ ?more\b",
            "we don't use yarn any more",
        ),
        ("stop", rf"\b(?:stop(?:ped)?|quit|ceas\w+)\ (?P<oldaction>{_C})", "stop using yarn"),
        (
            "drop",
            (
                rf"(?:^|\b(?:we|i|they|let's|please|and|just|to|have|we've"
                rf"|i've|now|,|;)\s)\s*(?:drop(?:ped)?|ditch(?:ed)?|"
                rf"scrap(?:ped)?|abandon(?:ed)?|retired?|removed|deprecated?|phas(?:e|ed|ing)\ out|g[eo]t\ rid\ of|"
                rf"dropping|ditching|scrapping|abandoning|retiring|removing|deprecating|sunsetting|killing|leaving|"
                rf"gave\ up\ on|gave\ up|kill(?:ed)?|done\ with|ripped\ out|left"
                rf"|decommissioned|finished\ with)\ (?P<old>{_C})"
            ),
            "we dropped yarn",
        ),
        (
            "is gone",
            (
                rf"(?P<before>{_L})\ {_IS}\ (?:now\ |all\ |finally\ |completely\ "
                rf"|officially\ )?{_GONE}(?=\s*(?:[,;.!:]|"
                rf"$|and\b|now\b|for\ good|so\b|-|—|use\b|since\b|we\b|as\b))"
            ),
            "yarn is gone",
        ),
        ("no more", rf"\bno\ more\ (?P<old>{_C})", "no more yarn"),
        ("not but", rf"\bnot\ (?P<old>{_L})\ (?:but|any\ ?more\ but)\ (?P<new>{_C})", "not yarn but pnpm"),
        (
            "German from to",
            (
                rf"\bvon\ (?P<old>{_L})\ (?:auf|zu|nach|zum|zur)\ (?P<new>{_L})\ (?:um\w*|ge(?:wechselt|ändert|"
                rf"zogen|gangen)|migriert\w*|erhöht|gesenkt|verlegt)"
            ),
            "wir sind von yarn auf pnpm umgestiegen",
        ),
        (
            "German replaced",
            rf"(?P<before>{_L})\ (?:wurden?|wird|werden|ist|sind)\ durch\ (?P<new>{_L})\ (?:ersetzt|abgelöst)",
            "yarn wurde durch pnpm ersetzt",
        ),
        (
            "German replace",
            rf"\b(?:ersetz\w+|tausch\w+)\ (?P<old>{_L})\ (?:durch|gegen)\ (?P<new>{_C})",
            "wir ersetzen yarn durch pnpm",
        ),
        (
            "German have replaced",
            rf"\bhaben\ (?P<old>{_L})\ durch\ (?P<new>{_L})\ ersetzt",
            "wir haben yarn durch pnpm ersetzt",
        ),
        ("German instead", rf"\b(?:statt|anstatt|anstelle\ von)\ (?P<old>{_C})", "pnpm statt yarn"),
        (
            "German not any more but",
            rf"\bnicht\ (?:mehr\ )?(?P<old>{_C})[,]?\ sondern\ (?P<new>{_C})",
            "nicht mehr yarn, sondern pnpm",
        ),
        ("German no more", rf"\bkeine?n?\ (?P<old>{_L})\ mehr\b", "kein yarn mehr"),
        (
            "German use no more",
            (
                rf"(?P<before>{_L})\ (?:benutzen|nutzen|verwenden|brauchen"
                rf"|nehmen|machen|gilt|gelten)\ (?:wir\ )?nicht\ mehr"
            ),
            "yarn benutzen wir nicht mehr",
        ),
        (
            "German we use no more",
            rf"\b(?:benutzen|nutzen|verwenden|nehmen|brauchen)\ (?P<old>{_L})\ nicht\ mehr",
            "wir benutzen yarn nicht mehr",
        ),
        (
            "German is gone",
            (
                rf"(?P<before>{_L})\ (?:ist|sind|wurden?)\ (?:jetzt\ "
                rf"|nun\ )?(?:weg|raus|abgeschafft|veraltet|Geschichte|"
                rf"abgelöst|gestrichen|Vergangenheit|entfernt|aufgehoben|abgeschaltet)\b"
            ),
            "yarn ist abgeschafft",
        ),
        (
            "Japanese from to",
            (
                r"(?P<jold>[^、。から]{1,30})から、?(?P<jnew>[^、。に]{1,30})(?:へ"
                r"|に)(?:移行|変更|切り替|切替|乗り換|移し|移り|変え|変わ|引っ越|"
                r"なり|統一)"
            ),
            "yarnからpnpmに移行しました",
        ),
        (
            "Japanese not but",
            (
                r"(?P<jold>[^、。]{1,30}?)(?:では"
                r"|じゃ)なく(?:て)?、?(?P<jnew>[^、。]{1,30})"
            ),
            "yarnではなくpnpmを使います",
        ),
        (
            "Japanese instead",
            (
                r"(?P<jold>[^、。]{1,30}?)の(?:代わり"
                r"|かわり)に、?(?P<jnew>[^、。]{1,30})"
            ),
            "yarnの代わりにpnpmを使います",
        ),
        (
            "Japanese stopped",
            (
                r"(?P<jold>[^、。]{1,30}?)(?:は|を|の使用は|の使用を|の利用を)(?:もう|今後"
                r"|これ以上|すでに)?(?:使わ(?:な|ず)|使いません|使っていな|使っていません|"
                r"使用しな|使用しません|利用しな|廃止|やめ|止め|禁止になり|なくな|不要)"
            ),
            "yarnはもう使いません",
        ),
    ),
    re.IGNORECASE | re.VERBOSE,
)
"""What names the thing that is given up."""

MOVED_TO: tuple[Rule, ...] = table(
    (
        (
            "moved to",
            (
                rf"\b(?:moved|migrated|switched|changed|went|upgraded|downgraded|converted|transitioned|renamed|"
                rf"relocated|bumped|raised|lowered|increased|decreased|reduced|standardi[sz]ed|settled|gone\ over|"
                rf"are\ back|'re\ back|went\ back|is\ back)\b(?P<about>{_L})??\ (?:over\ )?(?:to"
                rf"|onto|on)\ (?P<new>{_C})"
            ),
            "we switched to pnpm",
        ),
        (
            "switch to",
            (
                rf"(?:^|\b(?:please|now|and|let's|we|us|,)\s)\s*(?:switch"
                rf"|migrate|move|change|convert)\b(?P<about>{_L})??\ "
                rf"(?:over\ )?(?:to|onto)\ (?P<new>{_C})"
            ),
            "let's switch to pnpm",
        ),
        (
            "rewrote in",
            rf"\b(?:rewrote|rewritten|reimplemented|ported)\b(?P<about>{_L})??\ (?:in|to)\ (?P<new>{_C})",
            "the worker was rewritten in rust",
        ),
        (
            "German moved to",
            (
                rf"\b(?:auf|zu|nach)\ (?P<new>{_L})\ (?:umgestiegen|gewechselt"
                rf"|migriert|umgestellt|umgezogen|gewechselt|"
                rf"geändert)"
            ),
            "wir sind auf pnpm umgestiegen",
        ),
        (
            "Japanese moved to",
            (
                r"(?P<jnew>[^、。はを]{1,30})(?:へ"
                r"|に)(?:移行|変更|切り替|切替|乗り換|統一)"
            ),
            "pnpmに移行しました",
        ),
    ),
    re.IGNORECASE | re.VERBOSE,
)
"""What names only the thing that takes the place."""

MARKERS: tuple[Rule, ...] = table(
    (
        ("instead", r"\b(?:instead|rather\ than)\b", "use pnpm instead"),
        (
            "now",
            r"\b(?:now|nowadays|these\ days|meanwhile)\b(?!\s*(?:please|commit|run|push|go|let))",
            "the port is now 9090",
        ),
        (
            "from now on",
            (
                r"\b(?:from\ now\ on|from\ here\ on|going\ forward|henceforth|as\ of\ (?:now|today|this|v?\d)|"
                r"starting\ (?:now|today|with|from|this))"
            ),
            "from now on use pnpm",
        ),
        ("no longer", r"\b(?:no\ longer|any\ ?more|no\ more|again|stopped|back\ (?:on|to|with))\b", "not any more"),
        (
            "changed",
            (
                r"\b(?:has|have|was|were|got|been|we|i|we've|i've)\s+(?:changed|moved|switched|migrated|replaced|"
                r"renamed|raised|lowered|bumped|increased|reduced|dropped|updated)\b"
            ),
            "the port has changed",
        ),
        (
            "changed it",
            (
                r"\bchanged?\ (?:our|my)\ minds?|\bon\ second\ thoughts?|\bscratch\ that|\bcorrection\b|\bafter\ all\b|"
                r"\bupdate:|\bnew\ (?:rule|policy|value|owner|default|limit)\b"
            ),
            "we changed our mind",
        ),
        (
            "was wrong",
            (
                r"\b(?:forget|ignore|disregard)\b[^.;]{0,60}\b(?:rule|said|convention|policy|preference|decision|"
                r"about)\b"
            ),
            "forget the rule about commits",
        ),
        (
            "allowed now",
            r"\b(?:ban|rule|restriction|freeze)\b[^.;]{0,40}\b(?:lifted|gone|over|off|dropped)\b",
            "the ban on yarn is lifted",
        ),
        (
            "German now",
            (
                r"\b(?:ab\ sofort|ab\ jetzt|ab\ heute|von\ nun\ an|künftig|inzwischen|mittlerweile|neuerdings|"
                r"jetzt|nun|stattdessen|nicht\ mehr|wieder|neu:|vergiss)\b"
            ),
            "ab sofort pnpm",
        ),
        (
            "Japanese now",
            (
                r"今後は|今後|今日から|これからは|これから|現在は|以後|以降|今は|もう(?=[^、。]*な)"
                r"|変更(?:しま|にな|され|し)|変わりま|代わりに|やめ|廃止|移行|切り替"
            ),
            "今後はpnpmを使います",
        ),
    ),
    re.IGNORECASE | re.VERBOSE,
)
"""What says that something changed, without a name."""

NOT_YET: tuple[Rule, ...] = table(
    (
        (
            "future",
            (
                r"\b(?:will|going\ to|plan(?:s|ning|ned)?\ to|might|maybe|perhaps|consider\w*|eventually|someday|"
                r"thinking\ (?:of|about)|next\ (?:week|month|quarter|year|sprint|release)|once|until|if\ we|want\ to|"
                r"would\ like|should\ we|could|hope\ to|soon|not\ yet|propos\w+|werden\ wir|vielleicht|demnächst|"
                r"bald|eventuell)\b"
            ),
            "we might move to pnpm",
        ),
        ("Japanese future", r"予定|かもしれ|検討|つもり|たい(?:です|と)", "移行する予定です"),
    ),
    re.IGNORECASE | re.VERBOSE,
)
"""A turn that is only thought about."""

EXCEPTIONS: tuple[Rule, ...] = table(
    (
        (
            "except",
            r"\b(?:except(?:ion\w*|ed|ing)?|unless|apart\ from|other\ than|excluding|exempt\w*|aside\ from)\b",
            "except in tests",
        ),
        (
            "fine",
            (
                r"\b(?:is|are|it's|that's|be|its)\ (?:(?:also|still|totally|perfectly|quite)\ )?(?:fine|ok|okay|"
                r"allowed|acceptable|permitted|all\ right|alright|tolerated|good\ enough)\b"
            ),
            "npm is ok in scripts",
        ),
        (
            "may",
            (
                r"\bonly\b[^.;]{0,40}\b(?:may|can|is\ allowed)\b|\b(?:may|can)\ (?:still|stay|keep|also|continue|"
                r"remain)\b|\b(?:stays?|remains?|keeps?)\ (?:on|with|using)\b"
            ),
            "scripts may still use npm",
        ),
        (
            "not for",
            (
                r"\b(?:does(?:n't|\ not)|do(?:n't|\ not)|need(?:n't|\ not))\ (?:apply"
                r"|hold|count|matter)\b|\bthat\ rule\ is\ "
                r"not\ for\b"
            ),
            "it does not apply to tests",
        ),
        ("though", r"\bthough\b|\bhowever\b", "in the examples it is fine, though"),
        (
            "German",
            (
                r"\b(?:ausnahme\w*|außer|ausgenommen|allerdings|abgesehen\ von|es\ sei\ denn)\b|\b(?:ist|sind|"
                r"darf|dürfen)\b[^.;]{0,40}\b(?:ok|okay|erlaubt|in\ ordnung|weiterhin)\b"
            ),
            "außer in Tests",
        ),
        (
            "Japanese",
            (
                r"除いて|除き|例外|ただし|以外|構いません|かまいません|してもよい|しても良い"
                r"|でもよい|大丈夫|ても(?:OK|いい|よい|良い|構)"
            ),
            "テストを除いて",
        ),
    ),
    re.IGNORECASE | re.VERBOSE,
)
"""What narrows a rule and does not take it back."""

_RULE = r"(?:rule|convention|policy|preference|decision|requirement|ban|restriction|regel|vorgabe)s?"
_NAMED = r"[\w'./-]+(?:\ [\w'./-]+){0,4}?"
_ENDED = (
    r"(?:is|was|has\ been|no\ longer|does\ not|doesn't)\ (?:gone|dropped|lifted|off|dead|over|applies|apply|history"
    r"|abolished|removed|cancelled|scrapped|obsolete|outdated)"
)
RETRACTED = re.compile(
    rf"""\b(?:forget|ignore|disregard|scrap|drop|scratch|lift|vergiss|ignorier\w*)\ (?:about\ )?
        (?:(?:the|that|my|our|what|die|das|meine)\ )*
        (?: (?:(?:old|earlier|previous)\ )?{_RULE}\ (?:about|on|for|of|that|to|against|with|zu|über|für|mit)\s
            (?P<about>[^,;.!?\n]{{1,80}})
          | (?:i|we)\ said\ (?:about|on)\ (?P<said>[^,;.!?\n]{{1,80}})
          | (?P<named>{_NAMED})\ {_RULE}\b )
      | \b(?:the|our|my)\ (?P<rule>{_NAMED})\ {_RULE}\ {_ENDED}
      | \bthe\ {_RULE}\ (?:about|on|for|against|that|to)\ (?P<gone>[^,;.!?\n]{{1,80}}?)\ {_ENDED}
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""A rule that is taken back by name."""

IS_MARKED, IS_NOT_YET, IS_EXCEPTION = any_of(MARKERS), any_of(NOT_YET), any_of(EXCEPTIONS)
