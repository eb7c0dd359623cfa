"""Reading SQL: which tables a statement reads or changes, and which of them it does not bind to a widget.

No grammar, but enough of one for the statements of this project and of Django's ORM: parentheses, table expressions,
aliases, and the equations between ids. What it does not understand counts as not bound. A SELECT, UPDATE or DELETE with
a comment `/* unscoped: the reason */` says that its rows, and those of what stands within it, are not one widget's.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

WIDGETS = "accounts_widget"
THE_WIDGET = r"(?:%\(widget_id\)s|%s)"  # the ORM's parameters have no names

_LITERAL = re.compile(r"E?'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/", re.DOTALL)
_REASON = re.compile(r"/\*\s*unscoped:\s*\S.*\*/", re.DOTALL)
_UNSCOPED = "§unscoped"
_NO_CONDITION = re.compile(r"^\s*SELECT\b.*?(?=\bFROM\b)|\bSET\b.*?(?=\b(?:FROM|WHERE|RETURNING)\b|$)", re.DOTALL)
_CONJUNCTION = re.compile(r"(?:\b(?:WHERE|AND|ON)|\()\s*$")
_FROM = re.compile(
    r"\b(?:FROM|UPDATE)\b(.*?)(?=\b(?:FROM|SET|WHERE|GROUP|ORDER|LIMIT|OFFSET|WINDOW|FOR|HAVING|RETURNING)\b|$)",
    re.DOTALL,
)
_BETWEEN_SOURCES = re.compile(r",|\bUSING\b|(?:\b(?:CROSS|LEFT|RIGHT|FULL|INNER|NATURAL|OUTER)\s+)*\bJOIN\b")
_SOURCE = re.compile(
    r"\s*(?:ONLY\s+|LATERAL\s+)?(?P<name>[a-z_]\w*(?![\w.])|\(§\d+\))(?P<call>\s*\(§\d+\))?(?:\s+AS)?(?:\s+(?P<alias>[a-z_]\w*))?"
)
_TABLE_EXPRESSION = re.compile(
    r"(?:\bWITH|\bRECURSIVE|,)\s+(?P<name>[a-z_]\w*)\s*(?:\(§\d+\)\s*)?AS\s+(?:NOT\s+)?(?:MATERIALIZED\s+)?\(§(?P<at>\d+)\)"
)
_SETS = re.compile(r"\b(?:UNION|EXCEPT|INTERSECT)(?:\s+ALL)?\b")
_ID = r"(?:\w*id)"
_OF_SUBQUERY = re.compile(rf"(?<![\w.])(?:(\w+)\.)?{_ID}\s*(?:=|IN|=\s*ANY)\s*\(§(\d+)\)")
_EQUATION = re.compile(rf"(?<![\w.])(?:(\w+)\.)?{_ID}\s*=\s*(\w+)\.{_ID}\b")


@dataclass(eq=False, slots=True)
class Source:
    """A table, table expression or subquery that a SELECT, UPDATE or DELETE names, under its alias."""

    name: str
    alias: str
    scope: "Scope"
    is_bound: bool = False


@dataclass(eq=False, slots=True)
class Scope:
    """One SELECT, UPDATE or DELETE: its text without what stands in parentheses (`(§3)`), and what it reads."""

    text: str
    parent: "Scope | None"
    sources: list[Source] = field(default_factory=list)

    @property
    def is_unscoped(self) -> bool:
        return _UNSCOPED in self.text or (self.parent is not None and self.parent.is_unscoped)

    def named(self, alias: str) -> Source | None:
        """What an alias stands for, here or around."""
        found = next((source for source in self.sources if source.alias == alias), None)
        return found or (self.parent.named(alias) if self.parent else None)


class Statement:
    """A statement as it is read."""

    def __init__(self, sql: str) -> None:
        self._groups: list[str] = []
        self._scopes: dict[int, list[Scope]] = {}
        self._expressions: dict[str, int] = {}
        whole = self._without_parentheses(_LITERAL.sub(_blanked, _plain(sql)))
        self._groups.append(whole)
        self._read(len(self._groups) - 1, None)
        self._bind()

    @property
    def sources(self) -> list[Source]:
        return [source for scopes in self._scopes.values() for scope in scopes for source in scope.sources]

    def _without_parentheses(self, sql: str) -> str:
        """The text with `(§n)` for each group in parentheses, the innermost first."""
        innermost = re.compile(r"\(([^()]*)\)")
        # `%(name)s` is no group.
        sql = re.sub(r"%\((\w+)\)s", r"%<\1>s", sql)
        while match := innermost.search(sql):
            before, inside = sql[: match.start()], match[1]
            if re.search(r"\b(FROM|JOIN)\s*$", before) and not _is_query(inside):
                sql = f"{before} {inside} {sql[match.end() :]}"  # parentheses around a join
                continue
            if _only_groups(before, inside):
                sql = f"{before}{inside}{sql[match.end() :]}"
                continue
            self._groups.append(inside)
            sql = f"{before}⟨§{len(self._groups) - 1}⟩{sql[match.end() :]}"
        return sql

    def _read(self, at: int, parent: Scope | None) -> None:
        text = self._groups[at].replace("⟨", "(").replace("⟩", ")").replace("%<", "%(").replace(">s", ")s")
        for match in _TABLE_EXPRESSION.finditer(text):
            self._expressions[match["name"]] = int(match["at"])
        scopes = [Scope(part, parent) for part in _SETS.split(text)]
        self._scopes[at] = scopes
        for scope in scopes:
            for inner in re.findall(r"\(§(\d+)\)", scope.text):
                self._read(int(inner), scope)
            scope.sources = list(_sources(scope))

    def _bind(self) -> None:
        found = True
        while found:
            found = False
            for source in self.sources:
                if not source.is_bound and self._is_bound(source):
                    source.is_bound = found = True

    def _is_bound(self, source: Source) -> bool:
        if source.scope.is_unscoped:
            return True
        if (at := self._group_of(source)) is not None:
            return self._gives_bound_rows(at)
        conditions = _NO_CONDITION.sub(" ", source.scope.text)
        if re.search(r"\bOR\b", conditions):
            return False
        column = "id" if source.name == WIDGETS else "widget_id"
        own = rf"(?:{source.alias}\.|{_unqualified(source)})"
        if re.search(rf"{own}{column}(?:\s*\+\s*0)?\s*=\s*{THE_WIDGET}", conditions):
            return True
        return any(self._links(source)) or any(self._is_among_bound(source))

    def _links(self, source: Source) -> Iterator[bool]:
        """Whether an equation of ids leads to something that is bound."""
        for left, right in _EQUATION.findall(source.scope.text):
            for one, other in ((left, right), (right, left)):
                is_own = one == source.alias or (not one and len(source.scope.sources) == 1)
                target = source.scope.named(other) if other != source.alias else None
                yield bool(is_own and target and target is not source and target.is_bound)

    def _is_among_bound(self, source: Source) -> Iterator[bool]:
        """Whether its id is one of, or the one of, a subquery whose rows are bound."""
        for alias, at in _OF_SUBQUERY.findall(source.scope.text):
            is_own = alias == source.alias or (not alias and len(source.scope.sources) == 1)
            yield is_own and self._gives_bound_rows(int(at))

    def _group_of(self, source: Source) -> int | None:
        """The group in parentheses that a source is: a subquery, or a table expression."""
        if source.name.startswith("("):
            return int(source.name.strip("(§)"))
        return self._expressions.get(source.name)

    def _gives_bound_rows(self, at: int) -> bool:
        """Whether a group reads from what is bound (what it reads that is not is told of where it stands)."""
        inner = [int(n) for scope in self._scopes[at] for n in re.findall(r"\(§(\d+)\)", scope.text)]
        own = any(source.is_bound for scope in self._scopes[at] for source in scope.sources)
        return own or any(self._gives_bound_rows(n) for n in inner)


def _plain(sql: str) -> str:
    """The ORM's SQL as it would be written by hand: names without quotes, aliases in small letters."""
    sql = re.sub(r'"(\w+)"', lambda match: match[1].lower(), sql)
    return re.sub(r"\b[A-Z]\d+\b", lambda match: match[0].lower(), sql)


def _blanked(match: re.Match[str]) -> str:
    if match[0].startswith("/*"):
        return f" {_UNSCOPED} " if _REASON.match(match[0]) else " "
    return "''"


def _only_groups(before: str, inside: str) -> bool:
    """Whether parentheses change nothing: around conditions that all have to hold, or around one column."""
    if re.fullmatch(r"\s*\w+\.\w+\s*", inside):
        return bool(re.search(r"=\s*$", before))
    return bool(_CONJUNCTION.search(before)) and not _is_query(inside) and not re.search(r"\bOR\b|,", inside)


def tables_of(sql: str) -> set[str]:
    """The names that stand where a table is named; also where rows are inserted."""
    return {source.name for source in Statement(sql).sources} | set(re.findall(r"\bINTO\s+(\w+)", sql))


def unbound(sql: str, tenants: Mapping[str, object]) -> list[str]:
    """The tenants' tables that a statement reads or changes without their rows being bound to `%(widget_id)s`."""
    return sorted({s.name for s in Statement(sql).sources if s.name in tenants and not s.is_bound})


def _sources(scope: Scope) -> Iterator[Source]:
    for clause in _FROM.findall(scope.text):
        for item in _BETWEEN_SOURCES.split(clause):
            if match := _SOURCE.match(re.split(r"\bON\b", item)[0]):
                name = match["name"] + ("()" if match["call"] else "")
                yield Source(name, match["alias"] or match["name"], scope)


def _unqualified(source: Source) -> str:
    """The pattern for a column without an alias, where it can be nobody else's."""
    return r"(?<![\w.])" if len(source.scope.sources) == 1 else r"(?!)"


def _is_query(text: str) -> bool:
    return bool(re.match(r"\s*(?:(?:SELECT|WITH|VALUES|INSERT|UPDATE|DELETE)\b|⟨)", text))
