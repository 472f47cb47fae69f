"""The columns that the hook reader selects are those of a found memory, in their order."""

from recollect.model.found_memory import COLUMNS
from recollect.model.recall_values import SHOWN_SENSITIVITIES
from recollect.store.hook_reader.columns import FIELDS, IS_SHOWN_SENSITIVITY


def test_the_selected_columns_are_the_fields_of_a_found_memory_in_their_order():
    assert tuple(field for field, _ in FIELDS) == COLUMNS


def test_the_condition_on_sensitivity_names_those_that_are_shown():
    assert IS_SHOWN_SENSITIVITY.split("'")[1::2] == list(SHOWN_SENSITIVITIES)
