"""Places of tokens: from characters to tokens and back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.entities.token_places import TokenPlaces
from trasmallo.study.sentences import cut


@given(st.text(alphabet="ab ,.ñ\n", min_size=1, max_size=40), st.data())
def test_tokens_of_their_characters_are_themselves(text: str, data: st.DataObject) -> None:
    places = TokenPlaces.of(cut(text, "es"))
    if not len(places.starts):
        return
    low = data.draw(st.integers(0, len(places.starts) - 1))
    high = data.draw(st.integers(low + 1, len(places.starts)))
    assert places.tokens(*places.characters(low, high)) == (low, high)


def test_part_of_a_token_is_the_token() -> None:
    places = TokenPlaces.of(cut("uno dos tres", "es"))
    assert places.tokens(5, 9) == (1, 3)
    assert places.tokens(3, 4) == (1, 1)
