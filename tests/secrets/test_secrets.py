from itertools import pairwise

import corpus as halves
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import each

from recollect.policy.secrets import detector
from recollect.policy.secrets.rules import RULES

NAMES = set(detector.NAMES)
NASTY = (
    "password" * 20_000,
    "a" * 1_000_000,
    "=:=:" * 50_000,
    "QUJDRGVm0K" * 50_000,
    "-----BEGIN" * 1_000,
    "-----BEGIN RSA PRIVATE KEY-----\n" * 1_000,
    "key=" * 10_000,
    'password="' * 10_000,
    "password is " * 10_000,
    "cookie: a=b; " * 10_000,
    "password,a\n" * 10_000,
    "data:\n a: b\n" * 10_000,
    "eyJaaaaaaaaaaaaaa." * 10_000,
    "://a:b" * 20_000,
    "password" + " " * 100_000,
    "insert into a (token) values ('" + "''" * 10_000,
    "insert into a (b) values " * 5_000,
    '{"kty" "d":"' * 5_000,
    'password: Some("' * 10_000,
    "token **" * 10_000,
    "password\x1b[0m" * 10_000,
    "eyJ" + "a" * 100_000,
    "login " * 20_000,
    "eyJ" + "密" * 60,
    "eyJ" + "a" * 50 + "密",
)


def is_gone(secret, text):
    if secret in text:
        return False
    return len(secret) < 24 or not any(secret[at : at + 12] in text for at in range(len(secret) - 11))


def judge(half, *, least, most):
    """Assert both bars on one part of the corpus and show what went wrong."""
    credentials, others = halves.secrets(half), halves.lookalikes(half)
    missed = [one for one in credentials if not is_gone(one.secret, detector.redact(one.text))]
    changed = [one for one in others if detector.redact(one.text) != one.text]
    caught, alarmed = 1 - len(missed) / len(credentials), len(changed) / len(others)
    shown = "\n".join(f"{one.type}: {one.text!r}" for one in (*missed, *changed))
    assert caught >= least, f"{caught:.1%} of the credentials are gone\n{shown}"
    assert alarmed <= most, f"{alarmed:.1%} of the look-alikes are changed\n{shown}"


def test_bars_on_the_tune_half():
    judge("tune", least=0.97, most=0.01)


def test_bars_on_the_test_half():
    judge("test", least=0.97, most=0.01)


def test_bars_on_the_fresh_part():
    judge("fresh", least=0.95, most=0.03)


def marked(rule, text):
    """The text with what the rule alone finds between « and »."""
    for start, end in sorted(detector.hits_of(rule, text), reverse=True):
        text = f"{text[:start]}«{text[start:end]}»{text[end:]}"
    return text


@pytest.mark.parametrize("rule", RULES, ids=[rule.id for rule in RULES])
def test_a_rule_finds_its_example_and_leaves_its_counter_example(rule):
    text = rule.example.replace("«", "").replace("»", "")
    assert text != rule.example
    assert marked(rule, text) == rule.example
    assert detector.hits_of(rule, rule.counter_example) == set()
    assert any(is_gone(text[start:end], detector.redact(text)) for start, end in detector.hits_of(rule, text))


def test_a_rule_says_what_it_finds_and_why():
    assert len({rule.id for rule in RULES}) == len(RULES)
    assert [rule.id for rule in RULES if not rule.finds or not rule.reason.endswith(".")] == []


def test_no_rule_is_dead():
    items = [*halves.secrets("tune"), *halves.secrets("test")]

    def catches(rule, item):
        hits = detector.hits_of(rule, item.text)
        return any(not is_gone(item.secret, item.text[start:end]) for start, end in hits)

    assert [rule.id for rule in RULES if not any(catches(rule, item) for item in items)] == []


def test_triggers_are_lower_case_and_never_empty():
    assert all(trigger and trigger == trigger.lower() for rule in RULES for trigger in rule.triggers)
    assert all(rule.triggers for rule in RULES)


def test_marks_carry_the_names_of_rules_and_redaction_is_final_on_the_tune_half():
    for item in halves.secrets("tune"):
        found = detector.find(item.text)
        assert {one.rule for one in found} <= NAMES
        assert all(one.end <= two.start for one, two in pairwise(found))
        redacted = detector.redact(item.text)
        assert detector.find(redacted) == []
        assert detector.redact(redacted) is redacted


PIECES = st.sampled_from(
    ("password", "token: ", "key=", " is ", '"', "'", "\\", "\n", "://", "@", "[redacted:password]", "[redacted:", "]",
     "-----BEGIN PRIVATE KEY-----", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj", "Blumenkohl9", "ghp_", "|", ",", "--",
     "Zk3uX9aLq2Wm8Rt5vB7nC4xD6fG1hJ0kLpQs", "Cookie: ", "sid=", " -p", "mysql", "${", "}", "İ", "user:", "eyJ",
     '{"kty":"oct","k":"', "\x1b[0m",
     "Some(", "?", "arn:aws:s3:::", "INSERT INTO t (token) VALUES ('",
     "密码是", "NetworkCredential(", " auth ", "}")
)  # fmt: skip


@given(st.text())
def test_any_text_goes_through(text):
    redacted = detector.redact(text)
    assert detector.redact(redacted) == redacted


@given(st.lists(PIECES, max_size=25).map("".join))
def test_redaction_is_final(text):
    redacted = detector.redact(text)
    assert detector.redact(redacted) == redacted
    for one in detector.find(text):
        assert one.rule in NAMES
        assert 0 <= one.start < one.end <= len(text)


@pytest.mark.parametrize("at", range(len(NASTY)))
def test_nasty_texts_come_to_an_end(at):
    detector.redact(NASTY[at])


@each(
    ("text", "redacted"),
    [
        ("DB_PASSWORD=Blumenkohl9", "DB_PASSWORD=[redacted:password]"),
        ('{"password": "Blumenkohl9", "user": "ann"}', '{"password": "[redacted:password]", "user": "ann"}'),
        ("<password>Blumenkohl9</password>", "<password>[redacted:password]</password>"),
        ("postgres://app:Blumenkohl9@db:5432/shop", "postgres://app:[redacted:url-password]@db:5432/shop"),
        ("Pwd=Blumenkohl9;Encrypt=True", "Pwd=[redacted:password];Encrypt=True"),
        ("mysql -uroot -pBlumenkohl9 shop", "mysql -uroot -p[redacted:password] shop"),
        ("the root password is Blumenkohl9.", "the root password is [redacted:password]."),
        ("Das Passwort lautet Blumenkohl9, bitte merken", "Das Passwort lautet [redacted:password], bitte merken"),
        ("ALTER USER ann IDENTIFIED BY 'Blumenkohl9'", "ALTER USER ann IDENTIFIED BY '[redacted:password]'"),
        ("user,password\nann,Blumenkohl9", "user,password\nann,[redacted:credentials]"),
        ("x-api-key: 3f9a1c7b2e8d4f6a9b0c", "x-api-key: [redacted:key]"),
        ("PIN: 4711", "PIN: [redacted:pin]"),
        ('db_password: Some("Blumenkohl9")', 'db_password: Some("[redacted:password]")'),
        ("sql.Open('app:Blumenkohl9@tcp(db:3306)/shop')", "sql.Open('app:[redacted:url-password]@tcp(db:3306)/shop')"),
        ('BORG_PASSPHRASE="seven green turnips"', 'BORG_PASSPHRASE="[redacted:password]"'),
        ("ADMIN_PASSWORD='$ommer-kohl'", "ADMIN_PASSWORD='[redacted:password]'"),
        ('password: "84920175"', 'password: "[redacted:password]"'),
        (
            "\x1b[1mpassword\x1b[0m=\x1b[33mBlumenkohl9\x1b[0m",
            "\x1b[1mpassword\x1b[0m=\x1b[33m[redacted:password]\x1b[0m",
        ),
        (
            "INSERT INTO t (a, token) VALUES (1, 'Blumenkohl9')",
            "INSERT INTO t (a, token) VALUES (1, '[redacted:credentials]')",
        ),
        (
            " id | password\n----+----------\n  4 | Blumenkohl9",
            " id | password\n----+----------\n  4 | [redacted:credentials]",
        ),
        ("la contraseña es Blumenkohl9", "la contraseña es [redacted:password]"),
        ("密码是 Blumenkohl9\uff0c谢谢", "密码是 [redacted:password]\uff0c谢谢"),
        ("NetworkCredential('ann', 'Blumenkohl9', 'CORP')", "NetworkCredential('ann', '[redacted:password]', 'CORP')"),
    ],
)
def test_credentials_are_replaced(text, redacted):
    assert detector.redact(text) == redacted


@each(
    "text",
    [
        "The password must be at least 12 characters long.",
        'password = os.environ["DB_PASSWORD"]',
        "password: ${DB_PASSWORD}",
        "DB_PASSWORD=changeme",
        "max_tokens: 4096",
        "token: str | None = None",
        "postgres://postgres:postgres@localhost/postgres",
        "nextPageToken: EAAaBlBUOkNBVQ3x9KdL3mPq8",
        "commit 8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d01234567 add secret scanning",
        "public key is MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=",
        "password: [redacted:password]",
        '{"session_id":"f81660ad-488e-4b8b-ab21-42a7c0f08c9b","tool_use_id":"toolu_01Q8aF3kZx7LmN2pRtVwYbCd"}',
        '{"sessionId":"f81660ad-488e-4b8b-ab21-42a7c0f08c9b","requestId":"req_011CSx7pLmN2kQ8aF3Zx7LmN"}',
        '{"id":"msg_01Q8aF3kZx7LmN2pRtVwYbCd","usage":{"input_tokens":4,"output_tokens":120}}',
        "KMS key arn:aws:kms:us-east-1:439738456676:key/7735a118-a515-41d3-b8cf-35d37ac1b7e1",
        "secret: arn:aws:secretsmanager:eu-central-1:736713365282:secret:ledger-Ab3dEf",
        "var e={password:1,token:2};return e",
        "password: ${DB_PASSWORD:?must be set}",
        "cache hit key=user:d4b26f24-554c-4d10-8700-f6c0c596ac46:permissions",
        "data:application/json;base64,eyJzZWNyZXQiOiJhYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5eiJ9",
    ],
)
def test_look_alikes_stay_the_same_object(text):
    assert detector.redact(text) is text
