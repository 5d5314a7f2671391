"""Language tags as pages, files and people write them ("es", "es-MX", "ES_mx"; BCP 47)."""

from __future__ import annotations


def primary(tag: str) -> str:
    """The language of a tag in lower case, without country or script: "es" for "es-MX" and " ES_mx"; "" for ""."""
    return tag.replace("_", "-").partition("-")[0].strip().lower()
