"""The bars of both detectors on the generated corpus, and single cases of what it is made of."""

import json

import generated
import pytest
from tables import each

from recollect.hooks.redaction import redact
from recollect.policy.secrets import detector

MARK = "[redacted:credential]"


def hook(text):
    """What becomes of a text inside an event."""
    return json.loads(redact(json.dumps({"tool_input": {"command": text}}).encode()))["tool_input"]["command"]


@pytest.mark.parametrize("redact", [hook, detector.redact], ids=["hook", "full"])
@pytest.mark.parametrize("half", ["tune", "held"])
@pytest.mark.parametrize(("samples", "bar"), [(generated.named, 0.995), (generated.bare, 0.97)], ids=["named", "bare"])
def test_bars_on_generated_credentials(samples, bar, half, redact):
    told = samples(half)[:: 8 if redact is hook else 24]  # the table in docs/security.md is checked on all of them
    missed = [sample for sample in told if not generated.is_gone(sample, redact(sample.text))]
    shown = "\n".join(f"{sample.family} in {sample.carrier}" for sample in missed)
    assert 1 - len(missed) / len(told) >= bar, shown


TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
FOUND = [
    ('apiKey := "q7Zx2Lm9Kd4Rv8Tn"', 'apiKey := "{}"'),
    ('const apiToken: string = "q7Zx2Lm9Kd4Rv8Tn" as const;', 'const apiToken: string = "{}" as const;'),
    ("API_KEY ?= q7Zx2Lm9Kd4Rv8Tn", "API_KEY ?= {}"),
    ('if password == "Blumenkohl9":', 'if password == "{}":'),
    ("<password>\n  Blumenkohl9\n</password>", "<password>\n  {}\n</password>"),
    ("id,password,n\n1,Blumenkohl9,2\n2,Rosenkohl77,3", "id,password,n\n1,{},2\n2,{},3"),
    ("| user | token |\n|---|---|\n| ann | `q7Zx2Lm9Kd4R` |", "| user | token |\n|---|---|\n| ann | `{}` |"),
    ("\x1b[1mDB_PASSWORD\x1b[0m=\x1b[32mBlumenkohl9\x1b[0m", "\x1b[1mDB_PASSWORD\x1b[0m=\x1b[32m{}\x1b[0m"),
    ("db.internal:5432:shop:app:Blumenkohl9", "db.internal:5432:shop:app:{}"),
    ("LOGIN_OTP=493817", "LOGIN_OTP={}"),
    ("your verification code: 493817", "your verification code: {}"),
    (f"tokenX{TOKEN} and", "tokenX{} and"),
    (f"A_TOKEN={TOKEN}\nsent {TOKEN} again", "A_TOKEN={}\nsent {} again"),
    ("DB_PASSWORD='Blumen+kohl9'\nGET /?p=Blumen%2Bkohl9&x=1", "DB_PASSWORD='{}'\nGET /?p={}&x=1"),
    ("$ cat .env\nPLAIN=yes\nPORT=8080\n", "$ cat .env\nPLAIN={}\nPORT={}\n"),
    ("echo 'COLOUR=blue' >> .env", "echo 'COLOUR={}' >> .env"),
    ("mysql -u root -pBlumenkohl9 shop", "mysql -u root -p{} shop"),
    ("curl -u 'ann:Blumenkohl9' https://x.dev", "curl -u 'ann:{}' https://x.dev"),
    ("aws_access_key_id = AKIAIOSFODNN7EXAMPLE", "aws_access_key_id = {}"),
    ('echo \'{"password": "Blumenkohl9", "n": 1}\'', 'echo \'{{"password": "{}", "n": 1}}\''),
    (
        'say "{\\"password\\": \\"Blumenkohl9\\", \\"n\\": 1}" twice',
        'say "{{\\"password\\": \\"{}\\", \\"n\\": 1}}" twice',
    ),
]


@each(("text", "redacted"), FOUND)
def test_a_credential_is_taken_out_and_nothing_around_it_is_lost(text, redacted):
    expected = redacted.replace("{}", MARK).replace("{{", "{").replace("}}", "}")
    assert hook(text) == expected
    full = detector.redact(text)
    for rule in detector.NAMES:
        full = full.replace(f"[redacted:{rule}]", MARK)
    assert full == expected


def test_the_values_of_a_file_that_is_read_or_written_are_not_kept_when_it_is_an_env_file():
    for path in ("/app/.env", "/app/.env.local", "/app/prod.env", "/app/.envrc"):
        given = {"file_path": path, "content": "COLOUR=blue\nexport NAME='shop one'\n# a comment\n"}
        told = json.loads(redact(json.dumps({"tool_name": "Write", "tool_input": given}).encode()))["tool_input"]
        assert told["content"] == f"COLOUR={MARK}\nexport NAME='{MARK}'\n# a comment\n", path
    given = {"file_path": "/app/settings.py", "content": "COLOUR=blue\n"}
    data = json.dumps({"tool_name": "Write", "tool_input": given}).encode()
    assert redact(data) is data


ORDINARY = [
    "--- PASS: TestX/abc1234 (0.02s)",
    "--- PASS: TestGetGitDirInPath_NotARepo (0.01s)",
    "    --- PASS: TestIsShadowBranch/old_format:_7_hex_chars (0.00s)",
    "    --- PASS: TestTrees/tree1_nil_(all_files_added) (0.00s)",
    "Entire-Session: 2026-01-23-8f76b0e8b8f1",
    'entireSessionID: "2026-01-23-f736da47-b2ca-4f86-bb32-a1bbe582e464",',
    "Implement login feature\n\n  Entire-Checkpoint: a3b2c4d5e6f7",
    "[clinic end generated code: output=da39a3ee5e6b4b0d input=65fab8adff58cf08]",
    "USERXSESSION=$HOME/.xsession",
    "Entire-Session: 2026-01-11-test-session-123",
    "session := ArchivedSession{\\n\\t\\tFolderIndex: i,",
    "pass the same flag that you will pass to `make endpoints deploy`",
    "PASS src/components/Login2.test.tsx",
    "Done. PASS=19 WARN=0 ERROR=0 SKIP=0 TOTAL=19",
    'print("say \\"hello\\" to password")',
    "cp .env.example .env and set PORT=3000 in it",
    "const port = process.env.PORT",
    "KEY_READ | KEY_WOW64_64KEY) as key:",
    "for key, value in items: token = lexer.next_token()",
    "sk-ant-...",
    "export GITHUB_TOKEN=<your-token>",
    "token: ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "Cache restored from key: Linux-node-51b20c7d9e",
    "user.signingkey = D12E33F115011FFA",
    "/secret-stack@8.0.0:",
    "token-service-438771b4a8-jtuh9      1/1     Running",
    "[config] db.password=****** db.user=app db.host=db.internal",
    "the exit code: 4711",
]


@each("text", ORDINARY)
def test_an_ordinary_line_stays_as_it_is(text):
    assert hook(text) == text
    assert detector.redact(text) == text
