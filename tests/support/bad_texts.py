"""Texts that a web of strangers brings: of any length, in no language or in a hundred at once, in every encoding of a word."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from itertools import cycle, islice

PROSE = "La red de pesca quedó en el muelle, según dijo ayer la vieja pescadora. "
WATER = (
    "agua water eau Wasser acqua água aigua auga ura uisce dŵr dour su сув вода ввода "
    "вода̀ vatn vatten vand vann vesi víz woda voda vода ūdens vanduo ujë νερό წყალი ջուր "
    "מים ماء آب پانی पानी पाणी પાણી ਪਾਣੀ জল தண்ணி தண்ணீர் నీరు ನೀರು വെള്ളം ජලය น้ำ ນ້ຳ ទឹក "
    "ရေ 水 水分 みず 물 nước air tubig banyu cai toya wai vai rano maji amanzi metsi mvura omi "
    "mmiri ruwa biyo ውሃ ማይ ཆུ ус усан суу су сыу шыв вӱд ву дзы psy chi nam yaku y atl ha' "
    "nibi tó imaq wài uma ao pani uisge ushtey dour aqua ὕδωρ जलम् akvo akva daher dlo awa "
    "wota wara watra waser wâter wetter wodá woda vaduo ūdiņ jukna"
)
SAME = {"canción": ["canción", "canci" + "o\u0301n", "can\u00adción", "can\u00adcio\u0301n"]}
"""One word, in each of the ways in which it can be encoded."""


def repeated(unit: str) -> Callable[[int], str]:
    """As many characters as asked for."""
    return lambda size: "".join(islice(cycle(unit), size))


TEXTS: dict[str, Callable[[int], str]] = {
    "empty": lambda _size: "",
    "one line": repeated(PROSE),
    "one word": repeated("a"),
    "one number": repeated("1"),
    "control characters": repeated("".join(map(chr, range(32))) + "\x7f\x80\x9f"),
    "control characters in words": repeated("p\x00esca\x07 la\x1fred\x9f que queda en el muelle, dijo ayer la vieja. "),
    "a hundred languages": repeated(WATER + ". "),
    "soft hyphens": repeated("pes\u00adca re\u00addes \u00ad\u00ad mue\u00adlle. "),
    "combining accents": repeated(unicodedata.normalize("NFD", "La canción también está aquí, en Ávila. ")),
    "accents without letters": repeated("\u0301\u0323" * 15 + " "),
    "both forms": repeated("canción cancio\u0301n can\u00adción CANCIÓN CANCIO\u0301N. "),
    "capitals": repeated(PROSE.upper()),
    "l33t": repeated("3l p3sc4d0r h4ck34 l4 r3d d3 @dm1n, c0n 1 +1nt0... "),
    "signs": repeated("...!!!???\"'«»()[]{}—–- "),
    "invisible": repeated("\u200b\u200d\ufeff\u2060\u202e "),
    "lines": repeated("a\n\n\r\n"),
}
"""By what is bad in them; each makes a text of so many characters."""

NONSENSE = frozenset({"control characters"})
"""Those that are no texts at all, and are not studied."""
