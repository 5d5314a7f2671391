"""Finds what errors say in the source: the code of every sentence that can become part of a `TrasmalloError`.

A sentence that is put together where it is said (an f-string, a sum of texts) has no code. A name is followed to its
assignments, to constants of other modules, and, where it is a parameter, to the calls of its function; what cannot be followed
is told as such.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import trasmallo
from trasmallo.values.messages import places

SOURCE = Path(trasmallo.__file__).parent
MESSAGE = "Message"

_TABLES = (("clean/slicing/criterion.py", "_PROBLEMS"),)
"""What is looked up by the one who raises the error."""


class Said(NamedTuple):
    """The code of a sentence, and the module that says it."""

    module: str
    text: str


class _Place(NamedTuple):
    """Where an expression stands: in a module, in a function, None at its top."""

    module: str
    function: ast.FunctionDef | ast.AsyncFunctionDef | None


class Unknown(Exception):
    """An expression that cannot be followed."""


class Messages:
    """All texts of errors under `source`, and the expressions that could not be followed."""

    def __init__(self, source: Path = SOURCE) -> None:
        self._trees = {
            str(path.relative_to(source)): ast.parse(path.read_text(encoding="utf-8")) for path in sorted(source.rglob("*.py"))
        }
        self._errors = _error_names(self._trees)
        self._calls: dict[str, list[tuple[_Place, ast.Call]]] = {}
        for module, tree in self._trees.items():
            for place, call in _calls(module, tree):
                self._calls.setdefault(_name_of(call.func), []).append((place, call))
        self._homes = {id(node): module for module, tree in self._trees.items() for node in ast.walk(tree)}
        self._imports = {module: dict(_imports(tree)) for module, tree in self._trees.items()}
        self._known: dict[tuple[str, int, str], list[str] | None] = {}
        self.said: set[Said] = set()
        self.unknown: set[Said] = set()
        self.unfilled: set[Said] = set()
        for name in (*self._errors, MESSAGE):
            for place, call in self._calls.get(name, ()):
                self._take(place, call)
        for module, name in _TABLES:
            self.said |= {Said(module, text) for text in self._table(module, name)}

    def _table(self, module: str, name: str) -> Iterator[str]:
        """The sentences in a constant that holds problems and repairs."""
        (named,) = (node for node in ast.iter_child_nodes(self._trees[module]) if name in _names_of(node))
        for node in ast.walk(named):
            if isinstance(node, ast.Tuple):
                yield from (text for element in node.elts for text in self._texts(_Place(module, None), element, 0))

    def _take(self, place: _Place, call: ast.Call) -> None:
        given = {word.arg for word in call.keywords}
        for argument in call.args[: 1 if _name_of(call.func) == MESSAGE else 2]:
            try:
                said = {Said(place.module, text) for text in self._texts(place, argument, 0)}
            except Unknown as unknown:
                self.unknown.add(Said(place.module, str(unknown)))
                continue
            self.said |= said
            if None not in given:  # **arguments
                self.unfilled |= {one for one in said if not given.issuperset(places(one.text))}

    def _texts(self, place: _Place, node: ast.expr, depth: int) -> list[str]:
        if depth > 6:
            raise Unknown(ast.unparse(node))
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return [node.value]
        if isinstance(node, ast.Call) and _name_of(node.func) == MESSAGE:
            return []  # which says it itself
        if isinstance(node, ast.IfExp):
            return self._texts(place, node.body, depth + 1) + self._texts(place, node.orelse, depth + 1)
        if isinstance(node, ast.BoolOp):
            return [text for value in node.values for text in self._texts(place, value, depth + 1)]
        if isinstance(node, ast.Name):
            return self._named(place, node.id, depth)
        if isinstance(node, ast.Attribute) and node.attr in ("problem", "repair"):
            return []  # of another error, which says it itself
        raise Unknown(ast.unparse(node))

    def _named(self, place: _Place, name: str, depth: int) -> list[str]:
        """What a name may be, found out once; None stands for what is being found out or cannot be."""
        known = place.module, id(place.function), name
        if known not in self._known:
            self._known[known] = None
            self._known[known] = self._follow(place, name, depth)
        found = self._known[known]
        if found is None:
            raise Unknown(name)
        return found

    def _follow(self, place: _Place, name: str, depth: int) -> list[str]:
        values = list(self._assigned(place, name))
        if not values and place.function is not None and name in _parameters(place.function):
            values = list(self._given(place.function, name))
        if not values:
            raise Unknown(name)
        return [text for scope, value in values for text in self._texts(scope, value, depth + 1)]

    def _assigned(self, place: _Place, name: str) -> Iterator[tuple[_Place, ast.expr]]:
        """What a name is set to in its function, or else in its module or the one that it comes from."""
        local = list(_assignments(place.function, name)) if place.function is not None else []
        if local:
            yield from ((place, value) for value in local)
            return
        if place.function is not None and name in _parameters(place.function):
            return
        yield from ((_Place(place.module, None), value) for value in _assignments(self._trees[place.module], name, top=True))
        if name in self._imports[place.module]:
            module = self._module(self._imports[place.module][name])
            yield from ((_Place(module, None), value) for value in _assignments(self._trees[module], name, top=True))

    def _given(self, function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> Iterator[tuple[_Place, ast.expr]]:
        """What callers of a function give for a parameter; `self` is not counted, nor is a default."""
        names = [each for each in _parameters(function) if each not in ("self", "cls")]
        for place, call in self._calls.get(function.name, ()):
            if function.name.startswith("_") and place.module != self._homes[id(function)]:
                continue
            given = dict(zip(names, call.args, strict=False)) | {word.arg: word.value for word in call.keywords if word.arg}
            if name in given:
                yield place, given[name]
        defaults = dict(zip(reversed(names), reversed(function.args.defaults), strict=False))
        if name in defaults:
            yield _Place(self._homes[id(function)], None), defaults[name]

    def _module(self, dotted: str) -> str:
        path = dotted.removeprefix("trasmallo.").replace(".", "/")
        return next(name for name in (f"{path}.py", f"{path}/__init__.py", "__init__.py") if name in self._trees)


def _error_names(trees: dict[str, ast.Module]) -> set[str]:
    classes = [node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    found, before = {"TrasmalloError"}, 0
    while len(found) > before:
        before = len(found)
        found |= {one.name for one in classes if any(_name_of(base) in found for base in one.bases)}
    return found


def _calls(module: str, tree: ast.Module) -> Iterator[tuple[_Place, ast.Call]]:
    def walk(node: ast.AST, function: ast.FunctionDef | ast.AsyncFunctionDef | None) -> Iterator[tuple[_Place, ast.Call]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Call):
                yield _Place(module, function), child
            inner = child if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) else function
            yield from walk(child, inner)

    yield from walk(tree, None)


def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((alias.asname or alias.name, node.module) for alias in node.names)


def _assignments(tree: ast.AST, name: str, *, top: bool = False) -> Iterator[ast.expr]:
    for node in ast.iter_child_nodes(tree) if top else ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name) and target.id == name:
                    yield node.value
                elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs = zip(target.elts, node.value.elts, strict=False)
                    yield from (value for one, value in pairs if isinstance(one, ast.Name) and one.id == name)
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and _name_of(node.target) == name and node.value is not None:
            yield node.value


def _names_of(node: ast.AST) -> set[str]:
    """What a statement of a module defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    arguments = function.args
    return [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def _name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
