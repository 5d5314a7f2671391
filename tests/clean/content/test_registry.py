from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.broken_markup import soup
from support.command_line import call
from support.plugin_packages import install, make_visible
from trasmallo import plugins
from trasmallo.clean.content.registry import GROUP, method_named, methods
from trasmallo.clean.dom import see
from trasmallo.clean.layout import lay_out
from trasmallo.values.errors import UsageError

METHODS = plugins.own_names(GROUP)

TOY = """
from trasmallo.clean.content.registry import Method


def find_first(page, layout, *, favour):
    return [number == 0 for number in range(len(layout))]


FIRST = Method(find=find_first, says={"en": "the first block", "es": "el primer bloque"})
"""


@settings(deadline=None)
@given(soup, st.sampled_from(METHODS), st.sampled_from([0.0, 0.5, 1.0]))
def test_never_empty_when_there_is_text(html: str, method: str, favour: float) -> None:
    page, layout = see(html)

    flags = method_named(method).find(page, layout, favour=favour)

    assert len(flags) == len(layout)
    assert any(flags) == bool(layout.text)


@settings(deadline=None)
@given(soup, st.sampled_from(METHODS))
def test_the_same_page_gives_the_same_blocks(html: str, method: str) -> None:
    first, second = see(html), see(html)

    assert method_named(method).find(*first, favour=0.5) == method_named(method).find(*second, favour=0.5)
    assert lay_out(first[0]).text == lay_out(second[0]).text


@pytest.mark.parametrize("method", METHODS)
def test_a_page_of_what_nobody_sees_has_no_blocks(method: str) -> None:
    page, layout = see("<p>&shy;<p>&#xfeff;&shy;")

    assert method_named(method).find(page, layout, favour=0.5) == []


def test_every_method_says_what_it_takes_for_content() -> None:
    assert tuple(methods()) == METHODS
    assert all(set(method.says) == {"en", "es"} and all(method.says.values()) for method in methods().values())
    with pytest.raises(UsageError, match="unknown method 'magic': choose one of all, best, .*plain$"):
        method_named("magic")


def test_a_plug_in_is_a_method_like_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path / "site", GROUP, {"toy": "toy_method:FIRST"}, toy_method=TOY)
    make_visible(tmp_path / "site", monkeypatch)
    page, settings_file = tmp_path / "a.html", tmp_path / "trasmallo.toml"
    page.write_text("<p>uno</p><p>dos</p>")
    settings_file.write_text("[clean]\nmethod = 'toy'\n")
    code = f"""if True:
        import trasmallo
        from pathlib import Path
        from trasmallo import config, config_text
        assert trasmallo.extract("<p>uno</p><p>dos</p>", method="toy").text == "uno"
        assert config.load(Path({str(settings_file)!r})).clean.method == "toy"
        assert "toy" in config_text.schema()["$defs"]["CleanConfig"]["properties"]["method"]["enum"]
    """
    subprocess.run([sys.executable, "-c", code], check=True)

    assert call("text", page, "--method", "toy").out == "uno\n"
    assert call("text", page, "--method", "tyo").refusal().endswith("plain, toy")


def test_a_plug_in_that_is_no_method_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path / "site", GROUP, {"toy": "toy_method:FIRST"}, toy_method="FIRST = len")
    make_visible(tmp_path / "site", monkeypatch)
    page = tmp_path / "a.html"
    page.write_text("<p>uno</p>")

    assert "the plug-in 'toy' of trasmallo.methods is no Method" in call("text", page, "--method", "toy").refusal()
