"""How often bytes become the right text: with no hint, with right hints, and where the page wrongly says UTF-8.

`python benchmarks/encodings.py [FOLDER]`: the texts are the translations in a folder's catalogues (`*/LC_MESSAGES/*.po`), those
of Sphinx when none is given. Each language is written in the encodings that its web pages have had; a sample is right when its
text comes out letter by letter. Peers are measured on the bytes without hints.
"""

from __future__ import annotations

import ast
import importlib
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from trasmallo.clean.charsets import charset_name
from trasmallo.clean.decode import decode

SEED = 20261116
SIZES = (120, 400, 1_000, 4_000)
FORMS = ("plain", "page", "busy page")
FURNITURE = (
    "<script>var menu = document.getElementById('menu'); function next(item) { return item + 1; }</script>\n"
    "<div class='nav'><a href='/home.html'>Home</a> <a href='/about.html'>About us</a></div>\n"
) * 40
"""What a busy page has before and after its text."""
WRITTEN = {
    "nn is ca gl eu ga af id ms sq en_GB ast br lb fy": "windows-1252 iso-8859-1 iso-8859-15",
    "es fr de it pt pt_BR pt_PT nl sv da nb nb_NO fi": "windows-1252 iso-8859-1 iso-8859-15 macintosh",
    "pl cs sk hu sl hr bs sr_Latn sr@latin dsb hsb": "windows-1250 iso-8859-2",
    "ro": "windows-1250 iso-8859-2 iso-8859-16",
    "ru bg": "windows-1251 iso-8859-5 koi8-r ibm866 x-mac-cyrillic",
    "uk": "windows-1251 koi8-u iso-8859-5 x-mac-cyrillic",
    "be mk sr sr_RS": "windows-1251 iso-8859-5",
    "el": "windows-1253 iso-8859-7",
    "tr tr_TR az": "windows-1254 iso-8859-9",
    "he": "windows-1255 iso-8859-8",
    "ar": "windows-1256 iso-8859-6",
    "fa": "windows-1256",
    "lt lv": "windows-1257 iso-8859-13 iso-8859-4",
    "et": "windows-1257 iso-8859-13 iso-8859-15",
    "vi": "windows-1258",
    "th": "windows-874",
    "ja": "shift_jis euc-jp iso-2022-jp",
    "zh_CN zh_Hans": "gbk gb18030 hz-gb-2312",
    "zh_TW zh_Hant": "big5",
    "ko ko_KR": "euc-kr iso-2022-kr",
    "cy": "iso-8859-14",
    "eo": "iso-8859-3",
}
"""Encodings that the web pages of these languages have had, beside UTF-8 and UTF-16."""
ENCODINGS = {language: listed.split() for languages, listed in WRITTEN.items() for language in languages.split()}
PYTHON = {
    "x-mac-cyrillic": "mac_cyrillic", "macintosh": "mac_roman", "windows-874": "cp874", "hz-gb-2312": "hz",
    "euc-kr": "cp949", "shift_jis": "cp932", "gbk": "gbk", "big5": "cp950", "iso-2022-kr": "iso2022_kr",
}  # fmt: skip
"""Codecs of Python, where they are named otherwise."""


class Sample(NamedTuple):
    """A text in an encoding, `form` is how it is presented: one of FORMS."""

    language: str
    encoding: str
    size: int
    form: str
    text: str


def catalogues(folder: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.rglob("LC_MESSAGES/*.po")):
        yield path.parent.parent.name, path


def messages(path: Path) -> list[str]:
    """The translations of a catalogue."""
    text = re.sub(r'"\n"', "", path.read_text("utf-8"))
    found = re.findall(r'^msgstr(?:\[\d\])? ("(?:[^"\\\n]|\\.)*")$', text, re.MULTILINE)
    return [line for quoted in found[1:] if (line := ast.literal_eval(quoted)).strip()]


def samples(folder: Path) -> list[Sample]:
    chance = random.Random(SEED)
    texts: dict[str, list[str]] = {}
    for language, path in catalogues(folder):
        texts.setdefault(language, []).extend(messages(path))
    found = []
    for language, lines in sorted(texts.items()):
        for encoding in ["utf-8", "utf-16le", *ENCODINGS.get(language, ())]:
            for size in SIZES:
                for form in FORMS:
                    text = drawn(lines, size, encoding, chance)
                    if text:
                        found.append(Sample(language, encoding, size, form, text))
    return found


def drawn(lines: list[str], size: int, encoding: str, chance: random.Random) -> str:
    """Messages until there are so many characters, references in place of those the encoding lacks; "" for mostly ASCII."""
    text = ""
    for line in chance.sample(lines, len(lines)):
        text += line + "\n"
        if len(text) >= size:
            break
    codec = PYTHON.get(encoding, encoding)
    text = text[:size].encode(codec, "xmlcharrefreplace").decode(codec)
    return text if sum(letter > "\x7f" for letter in text) >= 5 else ""


def body(sample: Sample, meta: str = "") -> tuple[str, bytes]:
    """The text as it should come out, and its bytes."""
    declared = f'<meta charset="{meta}">' if meta else ""
    text = sample.text
    if sample.form != "plain" or meta:
        around = FURNITURE if sample.form == "busy page" else ""
        lines = "".join(f"<p class='text'>{line}</p>\n" for line in text.split("\n"))
        text = (
            f"<!DOCTYPE html>\n<html><head>{declared}<title>Page</title></head>\n<body>{around}{lines}{around}</body></html>\n"
        )
    return text, text.encode(PYTHON.get(sample.encoding, sample.encoding))


def same(one: str, other: str) -> bool:
    """Romanian has two letters with a comma below, for which older standards have a cedilla in the same places."""
    return one == other or one.translate(_COMMAS) == other.translate(_COMMAS)


_COMMAS = str.maketrans("ŞşŢţ", "ȘșȚț")


Reader = Callable[[bytes], str]


def peers() -> dict[str, Reader]:
    """Detectors that are installed, each as a reader of bytes without hints."""
    found: dict[str, Reader] = {}
    try:
        normalizer = importlib.import_module("charset_normalizer")
        found["charset-normalizer"] = lambda data: str(normalizer.from_bytes(data).best() or "")
    except ImportError:
        print("charset-normalizer skipped: not installed")
    chardet = importlib.import_module("chardet")
    found["chardet alone"] = lambda data: data.decode(chardet.detect(data)["encoding"] or "latin-1", "replace")
    return found


def without_hint(sample: Sample) -> tuple[str, str]:
    text, data = body(sample)
    return text, decode(data).text


def http_right(sample: Sample) -> tuple[str, str]:
    text, data = body(sample)
    return text, decode(data, sample.encoding).text


def meta_right(sample: Sample) -> tuple[str, str]:
    text, data = body(sample, sample.encoding)
    return text, decode(data).text


def meta_wrong(sample: Sample) -> tuple[str, str]:
    text, data = body(sample, "utf-8")
    return text, decode(data).text


def http_wrong(sample: Sample) -> tuple[str, str]:
    text, data = body(sample)
    return text, decode(data, "utf-8").text


HINTS: dict[str, Callable[[Sample], tuple[str, str]]] = {
    "no hint": without_hint,
    "HTTP right": http_right,
    "meta right": meta_right,
    "meta wrongly utf-8": meta_wrong,
    "HTTP wrongly utf-8": http_wrong,
}
"""What a page and its header say, and a reader that gives the text as it should be and as it came out."""


def suited(made: list[Sample], hint: str) -> list[Sample]:
    """UTF-16 has no declaration in the page, and UTF-8 is never wrongly so called."""
    in_ascii = [sample for sample in made if not (sample.encoding.startswith("utf-16") and hint.startswith("meta"))]
    return [sample for sample in in_ascii if not ("wrongly" in hint and sample.encoding.startswith("utf"))]


def failures(made: list[Sample], read: Callable[[Sample], tuple[str, str]]) -> Counter[tuple[str, str]]:
    """What does not come out right, by language and encoding."""
    return Counter((sample.language, sample.encoding) for sample in made if not same(*read(sample)))


def report(name: str, made: list[Sample], read: Callable[[Sample], tuple[str, str]]) -> None:
    began = time.process_time()
    wrong = failures(made, read)
    spent = time.process_time() - began
    right = len(made) - wrong.total()
    print(
        f"{name:20} {100 * right / len(made):7.2f} %  {right:5} of {len(made):5}  {len(made) / spent:6,.0f} a CPU s", end="  "
    )
    print(", ".join(f"{language} {encoding} {number}" for (language, encoding), number in wrong.most_common(5)))


def read_by(peer: Reader) -> Callable[[Sample], tuple[str, str]]:
    return lambda sample: (body(sample)[0], peer(body(sample)[1]))


def sphinx_folder() -> Path:
    return Path(importlib.import_module("sphinx").__file__ or "").parent / "locale"


def main() -> None:
    made = samples(Path(sys.argv[1]) if len(sys.argv) > 1 else sphinx_folder())
    assert all(charset_name(sample.encoding) for sample in made)
    languages, encodings = len({sample.language for sample in made}), len({sample.encoding for sample in made})
    print(f"{len(made):,} samples: {languages} languages, {encodings} encodings, {SIZES} characters, {', '.join(FORMS)}")
    for hint, read in HINTS.items():
        report(hint, suited(made, hint), read)
    for name, peer in peers().items():
        report(name, made, read_by(peer))


if __name__ == "__main__":
    main()
