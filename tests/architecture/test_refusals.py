"""What a refusal has besides the members of all problems is declared, and one that passes by waiting says how long."""

import ast
from collections.abc import Iterator
from typing import Any

from apps.core.endpoints.problem_schema import merged, problem_schema
from apps.core.problems import ID, STRING, ProblemType, members_of, problem_types
from config.environment import PROJECT_ROOT
from tests.architecture.source import calls, tree_of
from tests.refusals import faults_of

# Frames of sockets have no headers; no waiting helps against a switch or a setting; a probe is asked anew anyway.
WITHOUT_RETRY_AFTER = {
    ("apps/ai/actions/probes.py", "DELIVERY_UNAVAILABLE"),
    ("apps/chats/realtime/allowances.py", "RATE_LIMITED"),
    ("apps/chats/realtime/sockets.py", "RATE_LIMITED"),
    ("apps/chats/realtime/sockets.py", "TRY_AGAIN"),
    ("apps/console/consumers.py", "RATE_LIMITED"),
    ("apps/console/consumers.py", "TRY_AGAIN"),
    ("apps/support/actions/speech.py", "ASSISTANT_UNAVAILABLE"),
    ("apps/support/actions/application_turns.py", "ASSISTANT_UNAVAILABLE"),
    ("apps/support/authentication.py", "SUPPORT_API_DISABLED"),
    ("apps/support/authentication.py", "SUPPORT_OPERATOR_NOT_CONFIGURED"),
}
MADE_BY = ("detail", "errors", "headers")


def raised() -> Iterator[tuple[str, str, ast.Call]]:
    """Each call of a problem type by its name: the file, the name and the call."""
    for path in sorted((PROJECT_ROOT / "apps").rglob("*.py")):
        for called, node in calls(tree_of(path)):
            name = called.rpartition(".")[2]
            if name in BY_NAME:
                yield str(path.relative_to(PROJECT_ROOT)), name, node


def declared() -> dict[str, list[ProblemType]]:
    """Problem types by the names under which apps declare them."""
    found: dict[str, list[ProblemType]] = {}
    for path in sorted((PROJECT_ROOT / "apps").glob("*/errors.py")):
        module = __import__(f"apps.{path.parent.name}.errors", fromlist=["errors"])
        for name, value in vars(module).items():
            if isinstance(value, ProblemType) and value not in found.get(name, []):
                found.setdefault(name, []).append(value)
    return found


BY_NAME = declared()


def test_members_that_are_raised_are_declared() -> None:
    undeclared = {
        (path, name, keyword.arg)
        for path, name, call in raised()
        for keyword in call.keywords
        if keyword.arg not in MADE_BY and not any(keyword.arg in problem.members for problem in BY_NAME[name])
    }
    assert undeclared == set()


def test_refusals_that_pass_by_waiting_say_how_long() -> None:
    silent = {
        (path, name)
        for path, name, call in raised()
        if any(problem.status in (429, 503) for problem in BY_NAME[name])
        and "headers" not in [keyword.arg for keyword in call.keywords]
    }
    assert silent == WITHOUT_RETRY_AFTER


def test_an_example_shows_the_declared_members() -> None:
    faults = [fault for problem in problem_types().values() for fault in faults_of(problem, shown_by(problem))]
    assert faults == []


def shown_by(problem: ProblemType) -> dict[str, Any]:
    return {name: value for name, value in problem.example_members.items() if name != "errors"}


def test_the_check_above_would_notice() -> None:
    kind = ProblemType("k", 409, "K", "Wait.", members={"lease": members_of(agent=STRING), "number": ID})
    told: dict[str, Any] = {"lease": {"agent": "flora", "at": 3}, "number": "7", "more": 1}
    assert sorted(faults_of(kind, told)) == [
        "k: lease.at is not declared",
        "k: more is not declared",
        "k: number: '7' is not of type 'integer'",
    ]


def test_the_schema_of_problems_has_each_member_with_the_codes_that_have_it() -> None:
    schema = problem_schema({"reason": {**STRING, "description": "Always."}})
    for code, problem in problem_types().items():
        for name in problem.members:
            assert f"`{code}`" in schema["properties"][name]["description"]
    assert schema["properties"]["reason"]["description"].endswith("Always.")
    assert schema["required"] == ["type", "title", "status", "detail", "instance", "code"]


def test_one_name_of_two_objects_has_the_members_of_both_and_needs_none() -> None:
    both = merged([members_of(a=STRING, b=ID), members_of(null=True, b=STRING)])
    assert both == {"type": ["object", "null"], "properties": {"a": STRING, "b": {}}}
    assert merged([STRING, STRING]) == STRING
    assert merged([STRING, ID]) == {}
