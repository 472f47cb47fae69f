"""What the encoder answered is kept from one worker to the next, without any text."""

import json

import pytest
from telling import Telling, kept

from recollect.jobs import encoder_answers
from recollect.policy.capture import messages
from recollect.policy.encoder import encoder

RULE = "In this repo we never squash release branches"


@pytest.fixture(autouse=True)
def nothing_known():
    """What the encoder, and those who ask it, remember of other tests is forgotten."""
    encoder.answers().clear()
    messages.users_statements.cache_clear()
    messages.stated.cache_clear()


def told(box):
    Telling(box).asks("Hi.").answers("Hi.").asks(f"{RULE}.").answers("Ok.").ends().drained()
    return box.home / "runtime" / encoder_answers.FILE


def test_a_worker_leaves_its_answers_to_the_next(box):
    file = told(box)
    known = dict(encoder.answers())
    encoder.answers().clear()
    assert encoder_answers.restore(box.home) == len(known) > 0
    assert encoder.answers().keys() == known.keys()
    assert all(
        shares == pytest.approx(known[digest], abs=1e-4) for digest, shares in json.loads(file.read_text()).items()
    )


def test_the_file_holds_no_word_of_the_user_and_is_private(box):
    file = told(box)
    assert "squash" not in file.read_text()
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("kept_text", ["", "{", "[1]", '{"x": [0.5]}', '{"x": "y"}', "[" * 100_000, '{"x": [null, 1]}'])
def test_a_damaged_file_counts_as_empty(box, kept_text):
    file = box.home / "runtime" / encoder_answers.FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(kept_text)
    assert encoder_answers.restore(box.home) == 0
    told(box)
    assert [memory["title"] for memory in kept(box)] == [RULE]


def test_a_file_that_cannot_be_written_is_no_reason_to_lose_an_event(box):
    file = box.home / "runtime" / encoder_answers.FILE
    file.mkdir(parents=True)
    told(box)
    assert [memory["title"] for memory in kept(box)] == [RULE]


def test_only_the_newest_answers_are_kept(box):
    encoder.answers().update({str(number): [1.0] * 6 for number in range(encoder_answers.MOST)})
    file = told(box)
    found = json.loads(file.read_text())
    assert len(found) == encoder_answers.MOST
    assert "0" not in found
