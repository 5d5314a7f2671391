import pytest

from trasmallo.values.language_tags import is_code, primary


@pytest.mark.parametrize(
    ("tag", "language"),
    [("es", "es"), ("es-MX", "es"), ("ES_mx", "es"), (" zh-Hant-TW ", "zh"), ("und", "und"), ("", ""), ("-", "")],
)
def test_the_language_of_a_tag_is_what_comes_before_country_and_script(tag: str, language: str) -> None:
    assert primary(tag) == language


@pytest.mark.parametrize(
    ("text", "known"),
    [("es", True), ("hr", True), ("ast", True), ("xx", False), ("ES", False), ("español", False), ("", False)],
)
def test_codes_are_those_that_are_given_out(text: str, known: bool) -> None:
    assert is_code(text) == known
