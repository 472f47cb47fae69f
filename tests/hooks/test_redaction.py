import ast
import json
import random
import runpy
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import each

from recollect.hooks import redaction as module
from recollect.hooks.redaction import redact
from recollect.policy.secrets import carriers, columns, names, scan, settings_files, shapes, table
from recollect.policy.secrets.table import ALPHABETS, TOKENS

MARK = "[redacted:credential]"
BODY = "q7Zx2Lm9Kd4Rv8Tn3Wc6Hb5Yj0Fs1Gp" * 2
KEY = "-----BEGIN PRIVATE KEY-----\n" + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj\n" * 4 + "-----END PRIVATE KEY-----"
HALVES = runpy.run_path(str(Path(__file__).parents[1] / "secrets" / "corpus.py"))


def event(text):
    """An event as a client gives it to its hook."""
    return json.dumps({"session_id": "f81660ad-488e-4b8b-ab21-42a7c0f08c9b", "tool_input": {"command": text}}).encode()


def in_event(text):
    """What becomes of a text inside an event, whose other fields must stay."""
    told = json.loads(redact(event(text)))
    assert told == json.loads(event(told["tool_input"]["command"]))
    return told["tool_input"]["command"]


def in_text(text):
    return redact(text.encode()).decode()


def is_gone(secret, text):
    if secret in text:
        return False
    return len(secret) < 24 or not any(secret[at : at + 12] in text for at in range(len(secret) - 11))


def judge(half, become, *, least, most):
    """Assert both bars on one part of the corpus and show what went wrong."""
    credentials, others = HALVES["secrets"](half), HALVES["lookalikes"](half)
    missed = [one for one in credentials if not is_gone(one.secret, become(one.text))]
    changed = [one for one in others if become(one.text) != one.text]
    caught, alarmed = 1 - len(missed) / len(credentials), len(changed) / len(others)
    shown = "\n".join(f"{one.type}: {one.text!r}" for one in (*missed, *changed))
    assert caught >= least, f"{caught:.1%} of the credentials are gone\n{shown}"
    assert alarmed <= most, f"{alarmed:.1%} of the look-alikes are changed\n{shown}"


@pytest.mark.parametrize("become", [in_text, in_event])
@pytest.mark.parametrize(("half", "least"), [("tune", 0.94), ("test", 0.93), ("fresh", 0.93)])
def test_most_credentials_of_the_corpus_are_replaced_and_hardly_a_look_alike(half, least, become):
    judge(half, become, least=least, most=0.01)


@each(
    ("prefix", "alphabet", "least"),
    [(prefix, row[2], row[3]) for row in TOKENS for prefix in row[1].split()],
)
def test_the_token_of_a_provider_is_replaced(prefix, alphabet, least):
    signs = [sign for sign in ALPHABETS[alphabet] if sign.isalnum()]
    body = "".join(random.Random(prefix).choices(signs, k=max(least, 16 - len(prefix))))
    token = prefix + body
    assert in_event(f"export IT={token}\necho done") == f"export IT={MARK}\necho done"
    assert in_text(f'run "{token}", then stop') == f'run "{MARK}", then stop'


@each(
    ("text", "redacted"),
    [
        ("DB_PASSWORD=Blumenkohl9", f"DB_PASSWORD={MARK}"),
        ("\npassword: Blumenkohl9\n", f"\npassword: {MARK}\n"),
        ('{"password": "blumenkohl", "user": "ann"}', f'{{"password": "{MARK}", "user": "ann"}}'),
        ("<password>Blumenkohl9</password>", f"<password>{MARK}</password>"),
        ("postgres://app:Blumenkohl9@db:5432/shop", f"postgres://app:{MARK}@db:5432/shop"),
        ("Pwd=Blumenkohl9;Encrypt=True", f"Pwd={MARK};Encrypt=True"),
        ("?user=ann&passwd=Blumenkohl9&x=1", f"?user=ann&passwd={MARK}&x=1"),
        ("the root password is Blumenkohl9.", f"the root password is {MARK}."),
        ("psql --password 'Blumenkohl9' shop", f"psql --password '{MARK}' shop"),
        ('["--password", "Blumenkohl9"]', f'["--password", "{MARK}"]'),
        ("ALTER USER ann IDENTIFIED BY 'Blumenkohl9'", f"ALTER USER ann IDENTIFIED BY '{MARK}'"),
        ('{"name": "x-auth-token", "value": "3f9a1c7b2e8d4f6a9b0c"}', f'{{"name": "x-auth-token", "value": "{MARK}"}}'),
        ('const API_KEY: &str = "3f9a1c7b2e8d4f6a9b0c";', f'const API_KEY: &str = "{MARK}";'),
        ("Authorization: Bearer 3f9a1c7b2e8d4f6a9b0c", f"Authorization: Bearer {MARK}"),
        ("my api key is 3f9a1c7b2e8d4f6a9b0c, thanks", f"my api key is {MARK}, thanks"),
        ("Cookie: lang=de; sessionid=3f9a1c7b2e8d4f6a9b0c; a=1", f"Cookie: lang=de; sessionid={MARK}; a=1"),
        ("git clone https://ghp_" + BODY[:36] + "@github.com/a/b", f"git clone https://{MARK}@github.com/a/b"),
        (f"cat key.pem\n{KEY}\n$ ", f"cat key.pem\n{MARK}\n$ "),
        (json.dumps({"key": KEY}), json.dumps({"key": MARK})),
    ],
)
def test_a_credential_is_replaced_and_what_is_around_it_stays(text, redacted):
    assert in_text(text) == redacted
    assert in_event(text) == redacted


@each(
    "text",
    [
        "The password must be at least 12 characters long.",
        'password = os.environ["DB_PASSWORD"]',
        "password: ${DB_PASSWORD}",
        "DB_PASSWORD=changeme",
        "token: str | None = None",
        "max_tokens: 4096",
        "postgres://postgres:postgres@localhost/postgres",
        "commit 8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d01234567 add secret scanning",
        "public key is MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=",
        "git log -p 8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d01234567",
        "secret: arn:aws:secretsmanager:eu-central-1:736713365282:secret:ledger-Ab3dEf",
        '{"tool_use_id":"toolu_01Q8aF3kZx7LmN2pRtVwYbCd","requestId":"req_011CSx7pLmN2kQ8aF3Zx7LmN"}',
        '{"sessionId":"f81660ad-488e-4b8b-ab21-42a7c0f08c9b","sessionID":"ses_4f2a8b7c6d5e9f3a2b1c"}',
        '{"prompt":"what is the password","id":"Qz8aF3kZx7LmN2pRtVwYbCd"}',
        '{"usage":{"input_tokens":4,"output_tokens":12012345678901234567}}',
        "src/recollect/policy/secrets.py:120: password = read()",
        "def f():\n    pass  # Since 2024-Q3\n",
        f"password: {MARK}",
        "git clone https://[redacted:url-token]@github.com/a/b",
        "",
    ],
)
def test_a_text_without_credentials_stays_the_same_object(text):
    for data in (text.encode(), event(text)):
        assert redact(data) is data


def test_a_credential_in_a_key_stays_so_that_no_key_is_lost():
    data = json.dumps({"ghp_" + BODY[:36]: "ghp_" + BODY[:36], "password: Blumenkohl9": 1}).encode()
    assert json.loads(redact(data)) == {"ghp_" + BODY[:36]: MARK, "password: Blumenkohl9": 1}


def test_a_json_document_inside_a_string_is_redacted_too():
    inner = {"password": "Blumenkohl9", "env": ["TOKEN=ghp_" + BODY[:36]], "text": "a\npwd: Blumenkohl9\n"}
    for _ in range(3):
        inner = json.dumps(inner)
    told = in_event(inner)
    for _ in range(3):
        told = json.loads(told)
    assert told == {"password": MARK, "env": [f"TOKEN={MARK}"], "text": f"a\npwd: {MARK}\n"}


def test_the_modules_load_nothing_but_each_other_and_lazy():
    ours = (carriers, columns, settings_files, names, scan, shapes, table)
    for loaded in (module, *ours):
        tree = ast.parse(Path(loaded.__file__).read_text(encoding="utf-8"))
        plain = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
        froms = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert plain == []
        assert froms <= {"recollect.policy.secrets", "recollect.lazy", *(light.__name__ for light in ours)}


PIECES = st.sampled_from(
    ("password", "token: ", "key=", " is ", '"', "'", "\\", "\n", "\\n", "://", "@", MARK, "[redacted:", "]", "secret",
     "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj", "\t,1E+5,",
     "Blumenkohl9", "ghp_", "|", ",", ":", "--", "Zk3uX9aLq2Wm8Rt5vB7nC4xD6fG1hJ0kLpQs", "Cookie: ", "sid=", "pw ", "$",
     "{", "}", "İ", "ä", "user:", "eyJ", ".", "/", "=", "&", "\x00", "\x1b[0m", "密码", "\ud83d", "da", "pi", "value",
     "identified by ", "npm_", "1//0", "0123456789abcdef", "\x85", "\xa0")
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=20).map("".join) | st.text()
DOCUMENTS = st.recursive(
    TEXTS | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
LAYOUTS = st.fixed_dictionaries(
    {
        "ensure_ascii": st.booleans(),
        "indent": st.sampled_from((None, 2, "\t")),
        "separators": st.sampled_from(((",", ":"), (", ", ": "), (" ,\t", "\t:\n"))),
    }
)


def is_same_but_for_strings(before, after):
    if isinstance(before, str):
        return after == before or MARK in after
    if isinstance(before, dict):
        return list(before) == list(after) and all(is_same_but_for_strings(before[key], after[key]) for key in before)
    if isinstance(before, list):
        return len(before) == len(after) and all(map(is_same_but_for_strings, before, after))
    return type(before) is type(after) and before == after


@given(DOCUMENTS, LAYOUTS)
def test_json_stays_json_and_only_its_strings_change(document, layout):
    data = json.dumps(document, **layout).encode("utf-8", "surrogatepass")
    told = json.loads(redact(data).decode("utf-8", "surrogatepass"))
    assert is_same_but_for_strings(json.loads(data.decode("utf-8", "surrogatepass")), told)


@given(TEXTS)
def test_redaction_is_final_and_leaves_utf_8_whole(text):
    data = text.encode("utf-8", "replace")
    redacted = redact(data)
    assert redact(redacted) is redacted
    redacted.decode()


@given(st.binary())
def test_any_bytes_go_through(data):
    assert redact(redact(data)) == redact(data)


@each(
    "text",
    [
        "password" * 20_000,
        "password=" * 20_000,
        'password="' * 20_000,
        "a" * 1_000_000,
        "QUJDRGVm0K" * 50_000,
        "-----BEGIN PRIVATE KEY-----\n" * 5_000,
        '-----BEGIN PRIVATE KEY-----"' * 5_000,
        "://a:b@" * 20_000,
        "eyJaaaaaaaaaaaaaa." * 10_000,
        "key=ghp_" + "\\" * 200_000 + '"',
        '\\"' * 200_000,
        "token is " * 20_000 + BODY,
    ],
)
def test_a_nasty_text_comes_to_an_end(text):
    redact(text.encode())
