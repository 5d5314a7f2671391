"""Language tags as pages, files and people write them ("es", "es-MX", "ES_mx"; BCP 47)."""

from __future__ import annotations

_CODES = """
aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es
et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj
kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv
ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th
ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
_TWO_LETTERS = frozenset(_CODES.split())
"""The codes of ISO 639-1, and two that were withdrawn but are still written: bh and sh."""


def is_code(text: str) -> bool:
    """Whether a text is the code of a language: one of two letters that is given out, or any of three (ISO 639-3 has 7,900)."""
    return text in _TWO_LETTERS if len(text) == 2 else len(text) == 3 and text.isascii() and text.isalpha() and text.islower()


def primary(tag: str) -> str:
    """The language of a tag in lower case, without country or script: "es" for "es-MX" and " ES_mx"; "" for ""."""
    return tag.replace("_", "-").partition("-")[0].strip().lower()
