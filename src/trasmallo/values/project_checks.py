"""Checks of what a project file says, where a type cannot say what fits."""

from __future__ import annotations

import re

from trasmallo.values.errors import ConfigError, Said
from trasmallo.values.language_tags import is_code
from trasmallo.values.local_addresses import canonical_seed
from trasmallo.values.messages import Message
from trasmallo.values.private_places import read_place
from trasmallo.values.site_rules import WISHES, read_rule
from trasmallo.values.urls import LONGEST

LANGUAGE = "^[a-z]{2,3}$"
"""What the code of a language matches."""


def check_languages(codes: tuple[str, ...], source: str) -> None:
    """Raise ConfigError for what is no code of a language; `source` is the name of the file."""
    for text in codes:
        if not is_code(text):
            raise ConfigError(
                "{source}: `clean.languages` has {text!r}, which is no code of a language",
                "write two or three small letters, such as es or en",
                source=source,
                text=text[:60],
            )


def check_language(code: str, source: str) -> None:
    """Raise ConfigError for the code of a project that no language has; that it has the form of one was checked before."""
    if not is_code(code):
        raise ConfigError(
            "{source}: `language` is {text!r}, which is no code of a language",
            "write two or three small letters, such as es or en",
            source=source,
            text=code,
        )


def check_secret(address: str, source: str) -> None:
    """Raise ConfigError for a password: a project file is shown, copied and exported."""
    if re.search(r"//[^/@]*:[^/]*@|password\s*=", address, re.IGNORECASE):
        raise ConfigError(
            "{source}: `cluster.frontier` has a password in it",
            "take it out, and write it into ~/.pgpass or the environment as PGPASSWORD",
            source=source,
        )


def check_texts(key: str, texts: tuple[str, ...], source: str) -> None:
    """Raise ConfigError for a text of [crawl] that does not fit its key; `source` is the name of the file."""
    for text in texts:
        if trouble := _TROUBLES.get(key, trouble_with)(text):
            said = "{source}: `crawl.{key}` has {text!r}, {problem}"
            raise ConfigError(said, trouble.repair, source=source, key=key, text=text[:60], problem=trouble.problem)


def trouble_with(text: str) -> Said | None:
    """What is wrong with a text that addresses are compared with, and the repair; None for nothing."""
    if not text.strip() or text == "$":
        how = Message("write a part of the addresses that are meant, or take it out")
        return Said(Message("which every address matches"), how)
    if not text.isprintable():
        return Said(Message("with a character that no address has"), Message("write it on one line, without tabs"))
    if len(text) > LONGEST:
        problem = Message("which is longer than the {longest} characters of an address", longest=LONGEST)
        return Said(problem, Message("write a shorter part of it"))
    return None


def trouble_with_place(text: str) -> Said | None:
    """What is wrong with a text that should name a private place, and the repair; None for nothing."""
    if read_place(text) is not None:
        return None
    how = Message("write a host, host:port, *.intranet.example or a network such as 10.0.0.0/8")
    return Said(Message("which is no host and no network"), how)


def trouble_with_rule(text: str) -> Said | None:
    """What is wrong with a text that should be a rule for a site, and the repair; None for nothing."""
    if read_rule(text) is not None:
        return None
    how = Message(
        "write a host and one of {wishes}, such as example.org always or example.org decline #no", wishes=", ".join(WISHES)
    )
    return Said(Message("which is no rule for a site"), how)


def canonical_all(addresses: tuple[str, ...]) -> tuple[str, ...]:
    """Addresses as they are compared, each once; raises UsageError for what is none."""
    return tuple(dict.fromkeys(canonical_seed(address) for address in addresses))


_TROUBLES = {"private": trouble_with_place, "render_sites": trouble_with_rule}
