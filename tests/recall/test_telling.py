"""Which memories are told with a prompt by the default profile: those with evidence of their own, and no others."""

import itertools
import json

import pytest
from recall.asking import bring, texts
from tables import each

from recollect.model.recall_values import PROFILES
from recollect.policy.injection import passages
from recollect.policy.ranking import prompt_text, telling

_numbers = itertools.count()
FRIDAY = "デプロイは金曜日に禁止"

NOTES = (
    ("Postgres 16 is the api's database", "The api stores everything in Postgres 16, not in MySQL."),
    ("Production deploys go through Argo CD", "Merge to release, then approve the sync in Argo CD."),
    ("Uploads are limited to 25 MB", "The ingress refuses request bodies above 25 MB."),
    ("The label printer needs ZPL at 203 dpi", "The label printer in the warehouse ignores PDF."),
    ("pnpm, not npm", "We use pnpm for every JavaScript package."),
    ("Product search runs on Meilisearch", "Elasticsearch needed too much memory."),
    ("Commit subjects are imperative", "At most 50 characters, in the imperative."),
    ("Invoice numbers restart every January", "They are prefixed with the year."),
    ("refreshToken rotates on every login", "The old one is revoked at once."),
)


def note(title, text="", **fields):
    return {"title": title, "content": {"text": text or title}} | fields


def tell(box, prompt, session=""):
    """Return what the hook of a prompt injects."""
    event = {"session_id": session or f"t{next(_numbers)}", "cwd": str(box.root), "prompt": prompt}
    stdin = json.dumps(event | {"hook_event_name": "UserPromptSubmit"})
    return box.run("hook", "claude-code", "UserPromptSubmit", stdin=stdin).out


@each(
    ("prompt", "told"),
    [
        ("What database does the api use?", "Postgres 16"),
        ("how do we deploy to production?", "Argo CD"),
        ("what's the limit of an upload?", "25 MB"),
        ("why does the label printer ignore my PDF?", "ZPL"),
        ("pnpm or npm?", "pnpm, not npm"),
        ("what runs our product search?", "Meilisearch"),
        ("how are invoice numbers prefixed?", "every January"),
        ("let refreshToken live for an hour", "rotates on every login"),
    ],
)
def test_a_prompt_about_a_memory_is_told_it(box, prompt, told):
    bring(box, *(note(title, text) for title, text in NOTES))
    box.run("reindex")

    assert told in tell(box, prompt)


@each(
    "prompt",
    [
        "center the logo on the login page",
        "make the label of the search field bold",
        "commit and push",
        "can you look at the PR comments",
        "yes",
        "ok go",
        "lint fail",
        "can you double check again?",
        "rename cnt to number",
        "which region hosts the analytics cluster?",
        "who is on call this week?",
        "what does this regex match: ^[a-z]+$",
    ],
)
def test_a_prompt_that_no_memory_helps_with_is_told_nothing(box, prompt):
    bring(box, *(note(title, text) for title, text in NOTES))
    box.run("reindex")

    assert tell(box, prompt) == ""


def runbook(title, step):
    content = {"trigger": title, "symptoms": [title], "steps": [step], "verification": "The suite passes."}
    return {"kind": "runbook", "title": title, "content": content}


def test_a_runbook_answers_an_error_and_not_a_task(box):
    bring(box, runbook("Checkout times out on the carrier sandbox", "Set CARRIER_TLS=1.2 for the sandbox."))

    assert "CARRIER_TLS" in tell(box, "the checkout fails, the carrier sandbox times out")
    assert "CARRIER_TLS" in tell(box, "what is it with checkout and the carrier sandbox?")
    assert tell(box, "add a field for the carrier to the checkout of the shop") == ""
    assert tell(box, "which carrier do we use in the checkout of the shop?") == ""


def turn(title, answer):
    return note(title, f"Asked: {title}\n\nAnswered: {answer}", kind="turn_summary", origin="assistant")


RETRY = "exponential backoff for the Adyen webhook retries"


def test_a_turn_is_told_only_where_nothing_distilled_says_it(box):
    bring(box, turn(f"let us add {RETRY}", f"Done: {RETRY}, five attempts with jitter."))
    alone = tell(box, f"what happened with the {RETRY} and its jitter?")
    bring(box, note(f"We use {RETRY}", f"{RETRY} with jitter."))

    both = tell(box, f"what happened with the {RETRY} and its jitter?")

    assert "five attempts" in alone
    assert "We use exponential backoff" in both
    assert "five attempts" not in both


def test_an_earlier_turn_of_the_same_slash_command_is_not_told(box):
    bring(box, turn(f"/review {RETRY}", f"Reviewed {RETRY}: looks good."))

    assert tell(box, f"/review {RETRY} again") == ""
    assert "looks good" in tell(box, f"what did we think of the {RETRY}?")


def test_a_turn_is_shown_shortened(box):
    bring(box, turn(f"let us add {RETRY}", "word " * 400))

    assert len(tell(box, f"where do we stand with {RETRY}?")) < 1_400


LONG_ANSWER = "\n".join(
    [
        "## Summary",
        *("Then the next step of the plan went as expected and nothing else was needed." for _ in range(12)),
        "- The Adyen webhook retries stop after five attempts, with jitter.",
        "```",
        "code about the Adyen webhook retries",
        "```",
        *("Afterwards the remaining parts were put in order one after another." for _ in range(12)),
    ]
)


def test_of_a_long_turn_the_sentences_are_shown_that_the_prompt_is_about(box):
    bring(box, turn("go on with the plan", LONG_ANSWER))

    told = tell(box, "how many attempts do the Adyen webhook retries get?")

    assert "stop after five attempts, with jitter" in told
    assert "code about" not in told
    assert told.count("went as expected") == 0


WEIGHTS = {"adyen": 3.6, "webhook": 2.8, "retri": 2.8, "attempt": 2.0, "commit": 0.4}


@each(
    ("asked", "answer", "shown"),
    [
        ("go on", LONG_ANSWER, "five attempts"),
        ("go on", LONG_ANSWER.replace("The Adyen webhook retries stop", "They stop"), ""),
        ("how many attempts have the Adyen webhook retries?", "Five.", "Five."),
        ("commit the webhook", "Committed the Adyen webhook and pushed it.", ""),
    ],
)
def test_in_a_large_store_a_turn_needs_a_sentence_with_much_of_the_prompt(asked, answer, shown):
    found = passages.passage(f"Asked: {asked}\n\nAnswered: {answer}", WEIGHTS, is_few=False)

    assert shown in found
    assert bool(found) == bool(shown)


# -- the weight of words -----------------------------------------------------------------------------------------------


@each(
    ("word", "stem", "weight"),
    [
        ("make", "make", telling.COMMON_WEIGHT),
        ("branch", "branch", telling.GIT_WEIGHT),
        ("42", "42", telling.GIT_WEIGHT),
        ("tests", "test", telling.EVERYDAY_WEIGHT),
        ("database", "databas", telling.USUAL_WEIGHT),
        ("webhook", "webhook", telling.FREQUENT_WEIGHT),
        ("Meilisearch", "meilisearch", telling.RARE_WEIGHT),
    ],
)
def test_a_word_weighs_by_how_developers_use_it(word, stem, weight):
    assert telling.word_weight(stem, word, 1, 10) == weight


def test_a_word_that_many_memories_contain_says_less():
    weights = [telling.word_weight("meilisearch", "Meilisearch", holding, 100) for holding in (1, 20, 90)]

    assert weights == sorted(weights, reverse=True)
    assert weights[2] < telling.RARE_WEIGHT / 3


def test_a_word_that_no_memory_contains_weighs_at_most_as_a_frequent_one():
    assert telling.word_weight("vacat", "vacation", 0, 100) == telling.UNKNOWN_WEIGHT


# -- what is read from a prompt ----------------------------------------------------------------------------------------


@each(
    ("prompt", "is_question"),
    [
        ("where do backups live", True),
        ("ok, and on which port does it run", True),
        ("is cfg ok as a name?", True),
        ("金曜日にデプロイしていいですか", True),
        ("can you add a test?", False),
        ("could we rename it?", False),
        ("add a test", False),
        ("", False),
        ("x " * 200 + "?", False),
    ],
)
def test_a_question_asks_to_know_something(prompt, is_question):
    assert prompt_text.is_question(prompt) is is_question


@each(
    ("prompt", "is_chore"),
    [("commit and push", True), ("can you rebase on main", True), ("ok, rename it", True), ("add a flag", False)],
)
def test_a_chore_needs_nothing_known(prompt, is_chore):
    assert prompt_text.is_chore(prompt) is is_chore


@each(
    ("prompt", "reports_error"),
    [
        ("TypeError: x is not a function", True),
        ("the build is broken", True),
        ("checkout answers with a 502", True),
        ("request times out", True),
        ("ログインでエラーになる", True),
        ("add a login page", False),
        ("give me 200 rows", False),
    ],
)
def test_an_error_or_a_complaint_is_known_by_its_words(prompt, reports_error):
    assert prompt_text.reports_error(prompt) is reports_error


@each(
    ("prompt", "words"),
    [
        ("look at /home/me/work/shop/api/client.py", "look at api client.py"),
        ("merge ana/kan-12-new-cart into it", "merge  into it"),
        ("no path here", "no path here"),
    ],
)
def test_only_the_end_of_a_path_is_compared_and_no_name_of_a_branch(prompt, words):
    assert prompt_text.own_words(prompt) == words


def test_of_a_long_prompt_the_beginning_and_the_end_are_compared():
    words = prompt_text.own_words("begin " + "middle\n" * 400 + "end")

    assert words.startswith("begin")
    assert words.endswith("end")
    assert len(words) <= prompt_text.HEAD_CHARS + prompt_text.TAIL_CHARS + 1


def test_names_in_code_are_known_by_how_they_are_written():
    found = prompt_text.symbols("call refreshToken() when ECONNRESET or E0499 is seen in GitHub, not OK")

    assert found == {"refreshtoken", "econnreset", "e0499"}


# -- other scripts -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", PROFILES)
def test_text_without_spaces_is_found_in_every_profile(box, profile):
    bring(box, note(FRIDAY), note("Релизы по четвергам"), note("Uploads are limited"))
    box.run("reindex")

    assert FRIDAY in texts(box, "金曜日のデプロイ", "--profile", profile)
    assert "Релизы по четвергам" in texts(box, "когда будут релизы", "--profile", profile)


def test_text_without_spaces_is_told_with_a_prompt(box):
    bring(box, note(FRIDAY), *(note(title, text) for title, text in NOTES))
    box.run("reindex")

    assert FRIDAY in tell(box, "金曜日にデプロイしていいですか")
