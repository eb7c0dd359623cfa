"""What an expression in the product's source may be at run time, as far as it can be told without running it.

Names of a module are looked up in the module itself; locals are followed through their assignments, calls of the
product's own functions into what they return. Where there are several possibilities, each is given: of what is added to
a text only sometimes, both. What cannot be told is UNKNOWN; what depends on a parameter of the function is a `Hole`.
"""

import ast
import builtins
import importlib
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

MAX_POSSIBILITIES, DEEPEST = 512, 12

Function = ast.FunctionDef | ast.AsyncFunctionDef
# What a parameter may be, asked only if it matters.
Known = Mapping[str, Callable[[], list[Any]]]


@dataclass(frozen=True, slots=True)
class Hole:
    """A parameter, or an attribute of one, by its dotted name. In a text it is seen as ⟦name⟧."""

    name: str

    def __str__(self) -> str:
        return f"⟦{self.name}⟧"


UNKNOWN = Hole("?")


class Scope:
    """Where an expression stands: a module, the functions around it, and what is known of their parameters."""

    def __init__(
        self, module: Any, functions: tuple[Function, ...] = (), known: Known | None = None, depth: int = 0
    ) -> None:
        self.module, self.functions, self.known, self.depth = module, functions, dict(known or {}), depth
        self._under_way: dict[str, list[Any]] = {}
        self._found: dict[str, list[Any]] = {}

    def values(self, node: ast.AST | None) -> list[Any]:
        """Everything the expression may be."""
        found = self._values(node)
        return found if len(found) <= MAX_POSSIBILITIES else [UNKNOWN]

    def _values(self, node: ast.AST | None) -> list[Any]:
        match node:
            case ast.Constant():
                return [node.value]
            case ast.Name():
                return self._named(node.id)
            case ast.Attribute():
                return [value for base in self.values(node.value) for value in self._attribute(base, node.attr)]
            case ast.JoinedStr():
                return ["".join(map(str, parts)) for parts in product(*(self.values(part) for part in node.values))]
            case ast.FormattedValue() | ast.NamedExpr() | ast.Await():
                return self.values(node.value)
            case ast.BinOp(op=ast.Add()):
                return _each(_added, self.values(node.left), self.values(node.right))
            case ast.IfExp():
                return self.values(node.body) + self.values(node.orelse)
            case ast.Tuple() | ast.List():
                return [sum(parts, ()) for parts in product(*(self._elements(each) for each in node.elts))]
            case ast.Dict() if all(isinstance(key, ast.Constant) for key in node.keys):
                keys = [key.value for key in node.keys if isinstance(key, ast.Constant)]
                return [dict(zip(keys, parts, strict=True)) for parts in product(*(map(self.values, node.values)))]
            case ast.GeneratorExp() | ast.ListComp():
                return self._generated(node)
            case ast.Subscript():
                return [item for base in self.values(node.value) for item in _items(base, self.values(node.slice))]
            case ast.Call():
                return self._called(node)
        return [UNKNOWN]

    def _named(self, name: str) -> list[Any]:
        if name in self.known:
            return self.known[name]()
        if name in self._under_way:
            return list(self._under_way[name])
        for function in reversed(self.functions):
            if name in _parameters(function):
                return [Hole(name)]
            if name not in self._found:
                self._found[name] = self._assigned(function, name)
            if self._found[name]:
                return self._found[name]
        return [getattr(self.module, name, getattr(builtins, name, UNKNOWN))]

    def _assigned(self, function: Function, name: str) -> list[Any]:
        """What a local may be, by all that is assigned and added to it, in the order of the source."""
        found: list[Any] = []
        self._under_way[name] = found
        for node in sorted(ast.walk(function), key=lambda each: getattr(each, "lineno", 0)):
            match node:
                case ast.Assign(targets=[target]) | ast.AnnAssign(target=target) if node.value is not None:
                    found += _unpacked(target, name, lambda node=node: self.values(node.value))
                case ast.NamedExpr(target=target):
                    found += _unpacked(target, name, lambda node=node: self.values(node.value))
                case ast.For(target=target) | ast.AsyncFor(target=target):
                    found += _unpacked(target, name, lambda node=node: self._iterated(node.iter))
                case ast.AugAssign(target=ast.Name(id=target_name), op=ast.Add()) if target_name == name:
                    found += _each(_added, list(found), self.values(node.value))
                case ast.Call(func=ast.Attribute(value=ast.Name(id=target_name), attr="append")) if target_name == name:
                    found += _each(_added, list(found), [(value,) for value in self.values(node.args[0])])
        del self._under_way[name]
        return found

    def _iterated(self, node: ast.AST) -> list[Any]:
        return [element for of in self.values(node) for element in _elements_of(of)]

    def _elements(self, node: ast.AST) -> list[tuple[Any, ...]]:
        """What an element adds to the list it stands in: itself; of a starred one, everything or nothing."""
        if isinstance(node, ast.Starred):
            every = [tuple(_elements_of(of)) for of in self.values(node.value)]
            return list(dict.fromkeys([(), *every])) if not any(UNKNOWN in of for of in every) else [(UNKNOWN,)]
        return [(value,) for value in self.values(node)]

    def _generated(self, node: ast.GeneratorExp | ast.ListComp) -> list[Any]:
        if len(node.generators) != 1 or not isinstance(target := node.generators[0].target, ast.Name):
            return [(UNKNOWN,)]
        made: list[Any] = []
        for element in self._iterated(node.generators[0].iter):
            inner = Scope(
                self.module, self.functions, {**self.known, target.id: lambda element=element: [element]}, self.depth
            )
            inner._under_way = self._under_way
            made += inner.values(node.elt)
        return [tuple(made)]

    def _attribute(self, base: Any, name: str) -> list[Any]:
        if base is UNKNOWN:
            return [UNKNOWN]
        if isinstance(base, Hole):
            path = f"{base.name}.{name}"
            return self.known[path]() if path in self.known else [Hole(path)]
        return [getattr(base, name, UNKNOWN)]

    def _called(self, node: ast.Call) -> list[Any]:
        if isinstance(node.func, ast.Attribute):
            bases = self.values(node.func.value)
            if all(isinstance(base, str | Hole) for base in bases):
                return [text for base in bases for text in self._text_method(base, node.func.attr, node)]
        (function, *others) = self.values(node.func)
        if others or self.depth > DEEPEST:
            return [UNKNOWN]
        if function is tuple and len(node.args) == 1:
            return self.values(node.args[0])
        written = definition_of(function)
        if written is None:
            return [UNKNOWN]
        module, definition = written
        inner = Scope(module, (definition,), self.arguments(node, definition, module), self.depth + 1)
        returns = [each for each in ast.walk(definition) if isinstance(each, ast.Return)]
        return [value for each in returns for value in inner.values(each.value)] or [UNKNOWN]

    def _text_method(self, base: Any, method: str, node: ast.Call) -> list[Any]:
        if isinstance(base, Hole):
            return [base if method in ("format", "strip", "removeprefix") else UNKNOWN]
        if method == "join":
            return [
                base.join(map(str, parts)) if isinstance(parts, tuple) else UNKNOWN
                for parts in self.values(node.args[0])
            ]
        places = list(product(*(self.values(argument) for argument in node.args)))
        named = self._as_dicts(node.keywords)
        return [
            _formatted(base, positional, given) if method == "format" else UNKNOWN
            for positional in places
            for given in named
        ]

    def arguments(self, call: ast.Call, definition: Function, module: Any) -> Known:
        """What each parameter of a function is when it is called so."""
        declared = definition.args
        names = [each.arg for each in (*declared.posonlyargs, *declared.args)]
        if names and names[0] in ("self", "cls"):
            names = names[1:]
        defaults = dict(zip(reversed(names), reversed(declared.defaults), strict=False))
        defaults |= {a.arg: d for a, d in zip(declared.kwonlyargs, declared.kw_defaults, strict=True) if d is not None}
        every = set(_parameters(definition))
        given: dict[str, Callable[[], list[Any]]] = {name: lambda: [UNKNOWN] for name in every}
        given |= {name: cache(lambda node=node: Scope(module).values(node)) for name, node in defaults.items()}
        passed = [*zip(names, call.args, strict=False), *((k.arg, k.value) for k in call.keywords if k.arg in every)]
        given |= {str(name): cache(lambda node=node: self.values(node)) for name, node in passed}
        if declared.kwarg:
            others = [keyword for keyword in call.keywords if keyword.arg not in every]
            given[declared.kwarg.arg] = cache(lambda: self._as_dicts(others))
        return given

    def _as_dicts(self, keywords: list[ast.keyword]) -> list[Any]:
        """Keyword arguments as the dictionaries that they may be."""
        made = list(product(*(self.values(keyword.value) for keyword in keywords)))
        return [_keywords(zip((keyword.arg for keyword in keywords), values, strict=True)) for values in made]


def definition_of(function: Any) -> tuple[Any, Function] | None:
    """The module and the source of one of the product's functions."""
    function = inspect.unwrap(function) if callable(function) else None
    module = getattr(function, "__module__", None)
    if not inspect.isfunction(function) or not str(module).startswith("apps."):
        return None
    (found,) = ast.parse(inspect.cleandoc("\n" + inspect.getsource(function)) or "").body
    return (importlib.import_module(str(module)), found) if isinstance(found, Function) else None


def _parameters(function: Function) -> list[str]:
    declared = function.args
    named = [*declared.posonlyargs, *declared.args, *declared.kwonlyargs]
    return [each.arg for each in (*named, declared.vararg, declared.kwarg) if each is not None]


def _unpacked(target: ast.AST, name: str, values: Callable[[], list[Any]]) -> list[Any]:
    """What a target of an assignment gives to a name; nothing if it is another name's."""
    if isinstance(target, ast.Name):
        return values() if target.id == name else []
    if isinstance(target, ast.Tuple):
        for at, each in enumerate(target.elts):
            if isinstance(each, ast.Name) and each.id == name:
                return [value[at] if isinstance(value, tuple) and at < len(value) else UNKNOWN for value in values()]
    return []


def _each(make: Callable[[Any, Any], Any], ones: list[Any], others: list[Any]) -> list[Any]:
    return [make(one, other) for one in ones for other in others]


def _added(one: Any, other: Any) -> Any:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return one + other
    return str(one) + str(other)


def _elements_of(value: Any) -> Iterable[Any]:
    if isinstance(value, dict | tuple | list | set | frozenset):
        return list(value)
    return [UNKNOWN]


def _items(base: Any, keys: list[Any]) -> list[Any]:
    """What may be at those keys; everything that is there, where a key is not known."""
    if isinstance(base, Hole) or not isinstance(base, dict | tuple | list):
        return [UNKNOWN]
    try:
        return [base[key] for key in keys]
    except (KeyError, IndexError, TypeError):
        return list(base.values() if isinstance(base, dict) else base)


def _keywords(pairs: Iterable[tuple[str | None, Any]]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for name, value in pairs:
        given |= {name: value} if name else value if isinstance(value, dict) else {}
    return given


class _Given(dict[str, Any]):
    def __missing__(self, name: str) -> Any:
        return UNKNOWN


def _formatted(template: str, positional: tuple[Any, ...], given: dict[str, Any]) -> Any:
    try:
        return template.format(*positional, **given)
    except KeyError:
        return template.format_map(_Given(given))
    except (IndexError, AttributeError):
        return UNKNOWN
