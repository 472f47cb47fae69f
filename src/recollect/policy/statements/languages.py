"""Lasting statements in languages other than English: rules, limits, facts and choices by their plain forms.

`judge` finds the language by its letters and its most frequent words, then goes through that language's rows: forms
that state nothing lasting, then forms that do, each named after the kind of memory that it makes.
"""

import re
from typing import NamedTuple

from recollect.policy.rule import Rule, table
from recollect.policy.statements.lasting import LIKELY, NONE, NOTHING, PLAIN, Verdict

_NO_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
LEAST_SIGNS = 6
"""A sentence in a script without spaces has at least so many signs."""


class Language(NamedTuple):
    """How a language is recognised, and what its sentences state: rows named `none` or after a kind."""

    name: str
    sign: re.Pattern[str]
    """Matches its letters, or its frequent words; two of those are needed."""
    least: int
    rows: tuple[Rule, ...]


_GERMAN = table(
    (
        (
            NONE,
            (
                r"\?\W*$|^(?:kannst|könntest|können|warum|wieso|wie|was|wo|wer|welche\w*|ist das|sind das"
                r"|soll(?:en)? wir)\b"
            ),
            "wie?",
        ),
        (
            NONE,
            (
                r"^(?:das (?:ist|war|geht|funktioniert|sieht|muss|soll|klappt|passt|hat|wird|kann|habe?|mit)|dies\w*"
                r"|es|er|sie|ich (?:habe|hab|sehe|glaube|denke|will|möchte (?!kein|immer)|hätte|war)"
                r"|danke)\b"
            ),
            "das ist gut",
        ),
        (
            NONE,
            (
                r"\b(?:jetzt(?<!ab jetzt)|gerade|heute|morgen|gestern|nochmal|noch mal|noch nicht|schon wieder|kaputt"
                r"|fehlgeschlagen|fehl|stürzt|abgestürzt|immer noch|falls|geht nicht|funktioniert nicht"
                r"|dies(?:e[rsmn]?|en) (?!repo|projekt|code)\w+)\b"
            ),
            "mach das jetzt",
        ),
        (
            NONE,
            (
                r"^(?:bitte )?(?:stell|mach|füg|schau|lass|bau|prüf|zeig|lies|änder|entfern|lösch|erstell|korrigier"
                r"|behebe?|starte?|teste?)\w*\b(?!.*\b(?:immer|nie|niemals|künftig|ab jetzt|ab sofort)\b)"
            ),
            "stell den Runner auf das neue Image um",
        ),
        (
            "tech_debt",
            r"\b(?:später|nächste[nrs]? (?:woche|sprint|quartal|release|version)|erst ?mal so|verschieben)\b",
            "später",
        ),
        (
            "decision",
            (
                r"\bwir (?:nehmen|bleiben (?:bei|auf)|gehen (?:mit|auf)|wechseln (?:auf|zu)|entscheiden uns"
                r"|haben (?:uns )?\w* ?(?:entschieden|beschlossen|geeinigt))\b"
            ),
            "wir nehmen Postgres, weil wir es kennen",
        ),
        (
            "constraint",
            (
                r"\b(?:d(?:arf|ürfen) (?:nicht|nie|nur|kein\w*|maximal|höchstens)|nicht erlaubt|verboten|untersagt"
                r"|schreibgeschützt|nur lesend|nur lesbar|höchstens|maximal|mindestens|pro (?:sekunde|minute|stunde"
                r"|tag|monat)|d(?:arf|ürfen) [^.]{0,60}\bnicht\b|nur (?:über|im|aus dem) (?:vpn|büro)"
                r"|kann nicht (?:geändert|aktualisiert|erweitert)|eingefroren)\b"
            ),
            "die Datenbank darf nicht geändert werden",
        ),
        (
            "preference",
            (
                r"\b(?:immer|nie|niemals|ab jetzt|ab sofort|künftig|in zukunft|zukünftig|grundsätzlich|generell"
                r"|von nun an|auf keinen fall|standardmäßig|bei uns|in diesem (?:repo|projekt))\b"
                r"|\bwir (?:\w+ )?(?:verwenden|benutzen|nutzen|schreiben|setzen|halten|testen|mergen|deployen"
                r"|committen|benennen|speichern|machen das|arbeiten)\b|\b(?:verwenden|benutzen|nutzen|nehmen"
                r"|schreiben) wir\b|\blieber\b.{3,80}\bals\b"
            ),
            "wir verwenden pnpm",
        ),
        (
            "preference",
            (
                r"^(?:bitte )?keine? \w+(?: \w+){0,4} (?:im|in|ohne|für|mit|bei|auf)\b|\bich (?:bevorzuge|mag"
                r"|möchte (?:kein|immer))|^(?:bitte )?(?:antworte|schreib|kommentiere?)\w* (?:\w+ )?(?:auf"
                r"|in) (?:deutsch|englisch|kurzen)|^[\w-]+(?: \w+){0,3} bitte (?:auf|in|immer|mit|ohne)\b"
            ),
            "bitte keine Kommentare im Code",
        ),
        (
            "discovery",
            (
                r"^(?:bei fragen\b.{0,60}\b)?frag(?:e|t|en sie)? \w+|\b(?:ist|sind) (?:zuständig"
                r"|verantwortlich) für\b|\bgehört (?:dem|zum) team\b|\b(?:liegt|liegen|steht|stehen|läuft|laufen"
                r"|befindet sich|befinden sich|heißt|heißen|lauscht) (?:\w+ )?(?:in|im|unter|auf|bei|hinter)\b"
            ),
            "die Konfiguration liegt in config/",
        ),
        (
            "preference",
            (
                r"^(?!(?:ich|du|wir|bitte)\b)[\w-]+(?: [\w-]+){0,3} (?:werden|wird) [^.]{3,80}\w(?:t|en)\W*$"
                r"|^(?!(?:ich|du|bitte)\b)[\w-]+(?: [\w-]+){0,4} (?:gehen über|geht über|laufen über|läuft über"
                r"|gehören in|gehört in|kommen in|kommt in|sind in|müssen|muss|sollen|folgen|brauchen|braucht"
                r"|beginnen mit|enden auf|sind (?:genau|alle|immer|nur)|werden nicht|heißen|haben immer)\b \w+"
            ),
            "Beträge werden in Cent gespeichert",
        ),
    ),
    re.IGNORECASE,
)
_JAPANESE = table(
    (
        (NONE, r"[?\uff1f]\s*$|(?:ですか|でしょうか|ますか|かな|のか)[。\uff01]?$", "使いますか"),
        (
            NONE,
            r"今回|今日|今すぐ|とりあえず|一旦|このPR|このブランチ|このファイル|この関数|エラーが|動かない|動きません|失敗",
            "今回は",
        ),
        (
            "tech_debt",
            r"後回し|あとで(?:対応|修正|直)|次の(?:スプリント|リリース)|来週(?:対応|修正)|技術的負債",
            "後回しにする",
        ),
        (
            "decision",
            r"に(?:決めました|決定|決まりました|しました)|を採用|に移行(?:する|します|しました)|に切り替え",
            "Postgresを採用する",
        ),
        (
            "constraint",
            r"禁止|上限|できません|できない|不可|以内|以下で|読み取り専用|変更してはいけ|触らない|最大\s*\d|最低\s*\d|まで(?:です|しか)",
            "デプロイは金曜日に禁止",
        ),
        (
            "preference",
            (
                r"常に|いつも|必ず|絶対に|決して|今後|これから|毎回|原則|統一|しないで|しないこと|してはいけ|てはならない|ないように|使わない|使用しない|を使います|を使う(?:こと|。|$)"
                r"|を使って(?:います|いる)|使用します|を使用し(?:ています|ている|てください)|すること[。\uff01]?$|ルール|規約|方針|好みます|(?:日本語|英語)で(?:応答|回答|答え"
                r"|書い|返答|返信)"
            ),
            "常にpnpmを使う",
        ),
        (
            "discovery",
            (
                r"に(?:あります|ある|置いて|置きます|保存され|格納)|ポート\s*\d|番ポート|で動いて|担当|に(?:聞いて|確認して|問い合わせ)|と呼(?:びます|ばれ)|管理して(?:います|いる)"
                r"|が所有"
            ),
            "設定は config/ にあります",
        ),
        (
            "preference",
            r"^[^、。]{2,30}は[^。]{2,60}(?:です|である|形式|単位|で(?:書き|保存し|管理し|記述し)\S*)[。\uff01]?$",
            "金額は最小単位です",
        ),
    )
)
_OTHERS = (
    # Name, frequent words, and the words that say that something lasts.
    (
        "french",
        r"\b(?:le|la|les|des|une?|est|sont|nous|dans|pour|pas|avec|du|sur|il)\b",
        (
            r"\b(?:toujours|jamais|désormais|dorénavant|à l'avenir|nous utilisons|on utilise|interdit|il est interdit"
            r"|par convention)\b"
        ),
        "nous utilisons toujours pnpm",
    ),
    (
        "spanish",
        r"\b(?:el|la|los|las|de|que|en|una?|para|con|por|se|del|nosotros|es|son)\b",
        (
            r"\b(?:siempre|nunca|a partir de ahora|de ahora en adelante|usamos|utilizamos|prohibido|no se permite"
            r"|por convención)\b"
        ),
        "siempre usamos pnpm en el proyecto",
    ),
    (
        "italian",
        r"\b(?:il|lo|gli|di|che|un[ao]?|con|nel|nella|della|sono|è|si|del)\b",
        r"\b(?:sempre|mai|d'ora in poi|da ora in poi|usiamo|utilizziamo|vietato|per convenzione)\b",
        "nel progetto usiamo sempre pnpm",
    ),
    (
        "portuguese",
        r"\b(?:o|os|de|que|em|uma?|para|pra|com|por|da|na|são|é|a gente)\b",
        r"\b(?:sempre|nunca|a partir de agora|de agora em diante|usamos|a gente usa|proibido|por convenção)\b",
        "sempre usamos pnpm no projeto",
    ),
    (
        "dutch",
        r"\b(?:het|een|van|dat|niet|voor|met|zijn|wij|op|aan|ook|naar|moet|worden)\b",
        r"\b(?:altijd|nooit|vanaf nu|voortaan|we gebruiken|wij gebruiken|verboden|mag niet)\b",
        "voor het project gebruiken we altijd pnpm",
    ),
    (
        "polish",
        r"[ąćęłńśźż]|\b(?:nie|jest|się|na|przed|przy|ten)\b",
        r"\b(?:zawsze|nigdy|od teraz|używamy|zabronione)\b",
        "zawsze nie używamy",
    ),
    (
        "russian",
        r"[\u0400-\u04ff]",
        r"\b(?:всегда|никогда|используем|\u0441 этого момента|впредь|запрещено|нельзя)\b",
        "всегда используем pnpm",
    ),
    (
        "chinese",
        r"[\u3400-\u9fff]",
        r"总是|始终|从不|必须|一律|禁止|不允许|我们(?:使用|用)|以后|今后|统一|永远不要|不要(?:使用|用)",
        "我们始终使用 pnpm",
    ),
    ("korean", r"[\uac00-\ud7af]", r"항상|절대|반드시|앞으로|금지|사용합니다|사용하지 마", "항상 pnpm을 사용합니다"),
)
_GERMAN_WORDS = (
    r"\b(?:der|die|das|und|ist|sind|nicht|wir|für|mit|auf|ein|eine|einen|bitte|kein|keine|keinen|immer|nie|werden"
    r"|wird|von|im|den|dem|zu|bei|nur|auch|mir|laufen|erlaubt|maximal|niemals|pro|habe|du|kannst|mal|noch|muss|müssen"
    r"|darf|dürfen|nach|über|unter|ab|liegt|heißt|frag|wegen|ohne|als|wenn|ich|hier|aus|vom|zum|zur)\b"
)


_COMPLAINTS = (
    r"\b(?:error|erreur|errore|erro|fout|błąd|ошибка|timeout|falla|crash\w*|plante|échoue|affiche|no responde"
    r"|nunca responde|dostaję|werkt niet|no funciona|ne marche)\b"
)


def _other(words: str, example: str) -> tuple[Rule, ...]:
    """Return the rows of a language of which only the words are known that say that something lasts."""
    rows = ((NONE, r"[?\uff1f]\W*$", "?"), (NONE, _COMPLAINTS, "siempre da error"), ("preference", words, example))
    return table(rows, re.IGNORECASE)


LANGUAGES = (
    Language("japanese", re.compile(r"[\u3040-\u30ff]"), 1, _JAPANESE),
    Language("german", re.compile(_GERMAN_WORDS, re.IGNORECASE), 2, _GERMAN),
    *(
        Language(name, re.compile(sign, re.IGNORECASE), 2 if "(?:" in sign else 1, _other(words, example))
        for name, sign, words, example in _OTHERS
    ),
)
_ENGLISH = re.compile(
    r"\b(?:the|and|is|are|not|we|for|with|on|in|of|to|a|an|it|this|that|always|never|use|be|must|our|all|only|don't"
    r"|no|by|from)\b",
    re.IGNORECASE,
)


def is_long_enough(sentence: str, least_words: int) -> bool:
    """Whether a sentence has enough words, or enough signs in a script without spaces."""
    return len(sentence.split()) >= least_words or len(_NO_SPACES.findall(sentence)) >= LEAST_SIGNS


def language(sentence: str) -> Language | None:
    """Return the language of a sentence; None for English, and where nothing tells."""
    english = len(_ENGLISH.findall(sentence))
    found = [(_evidence(sentence, language), -place) for place, language in enumerate(LANGUAGES)]
    number, place = max((seen for seen in found if seen[0] >= LANGUAGES[-seen[1]].least), default=(0, 0))
    if number and LANGUAGES[0].sign.search(sentence):
        return LANGUAGES[0]
    return LANGUAGES[-place] if number > english else None


def _evidence(sentence: str, language: Language) -> int:
    """Return how many words or letters speak for a language; a form of it counts as another one."""
    is_form = any(rule.pattern.search(sentence) for rule in language.rows if rule.name != NONE)
    return len(language.sign.findall(sentence)) + is_form


def judge(sentence: str, spoken: Language) -> Verdict | None:
    """Return what a sentence in another language states; None where none of its forms tells."""
    for rule in spoken.rows:
        if rule.pattern.search(sentence):
            return NOTHING if rule.name == NONE else Verdict(rule.name, PLAIN if rule.name != "discovery" else LIKELY)
    return None
