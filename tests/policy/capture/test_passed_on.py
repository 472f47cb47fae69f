"""Words that the user only passes on never become the user's; the user's own do, whatever is pasted around them."""

from tables import each
from telling import happenings
from words import OWN_SEEN, OWN_UNSEEN, PASSED_ON_SEEN, PASSED_ON_UNSEEN

from recollect.policy.capture import session_story
from recollect.policy.capture.draft import QUOTED, Draft

STATED = ("preference", "decision", "constraint", "tech_debt")


def drafts(prompt: str) -> list[Draft]:
    """What a session would be remembered by in which the user says something after a first turn."""
    events = happenings(
        ("ask", "hi, let us look at the parser today", ""),
        ("answer", "", "Sure, which file?"),
        ("ask", prompt, ""),
        ("answer", "", "Understood."),
    )
    return session_story.drafts(events, is_over=True)


@each(("form", "prompt"), [*PASSED_ON_SEEN, *PASSED_ON_UNSEEN])
def test_what_is_pasted_quoted_attributed_doubted_or_imagined_is_never_the_users(form, prompt):
    for draft in drafts(prompt):
        assert draft.kind not in STATED or draft.origin == QUOTED, form
        assert draft.fields.get("strength") != "strong", form


@each("prompt", [*OWN_SEEN, *OWN_UNSEEN])
def test_a_users_own_sentence_is_the_users_whatever_is_pasted_around_it(prompt):
    assert any(draft.origin == "user" for draft in drafts(prompt))
