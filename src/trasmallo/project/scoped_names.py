"""Names of projects in addresses with the scope that is asked about: `/p/press::language=es/search`.

The scope stands in the part of the address that every page of a project begins with, so that each link keeps it.
"""

from __future__ import annotations

SEPARATOR = "::"
_CODES = (("%", "%25"), ("/", "%2F"))
"""What would end that part of an address."""


def scoped_name(project: str, scope: str) -> str:
    """The name of a project as it is asked about in a scope; "" is all of it."""
    name = split_name(project)[0]
    for letter, code in _CODES:
        scope = scope.replace(letter, code)
    return f"{name}{SEPARATOR}{scope}" if scope else name


def split_name(name: str) -> tuple[str, str]:
    """A project's own name and the scope, "" for all of it."""
    project, _, scope = name.partition(SEPARATOR)
    for letter, code in reversed(_CODES):
        scope = scope.replace(code, letter)
    return project, scope
