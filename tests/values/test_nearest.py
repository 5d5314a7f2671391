from trasmallo.values.nearest import nearest


def test_the_known_name_most_like_a_misspelt_one_is_named() -> None:
    assert nearest("wrods", ["pages", "words", "links"]) == "words"


def test_some_known_name_is_given_unless_more_likeness_is_asked_for() -> None:
    assert nearest("zzz", ["pages"]) == "pages"
    assert nearest("zzz", ["pages"], at_least=0.6) == ""
    assert nearest("pagse", iter(["pages"]), at_least=0.6) == "pages"


def test_nothing_known_is_nothing_near() -> None:
    assert nearest("words", []) == ""
