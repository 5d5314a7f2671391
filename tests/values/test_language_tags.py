import pytest

from trasmallo.values.language_tags import primary


@pytest.mark.parametrize(
    ("tag", "language"),
    [("es", "es"), ("es-MX", "es"), ("ES_mx", "es"), (" zh-Hant-TW ", "zh"), ("und", "und"), ("", ""), ("-", "")],
)
def test_the_language_of_a_tag_is_what_comes_before_country_and_script(tag: str, language: str) -> None:
    assert primary(tag) == language
