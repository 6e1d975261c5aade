"""Rules that are refused, and with which words."""

import pytest

from spades_env import RulesError


def refused(make, *said: str) -> str:
    """Return the message when rules are refused: one sentence that contains all of `said`."""
    with pytest.raises(RulesError) as caught:
        make()
    message = str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert "\n" not in message
    for words in said:
        assert words in message
    return message
