"""Looks at every problem that the product raises while tests run: what it has besides the members of all problems is
declared by its type, so that it stands in the OpenAPI document, and is what the declaration says."""

from functools import wraps
from typing import Any

import orjson
from jsonschema import Draft202012Validator

from apps.core.problems import Problem, ProblemType


def faults_of(type_: ProblemType, members: dict[str, Any]) -> list[str]:
    """What the members have against their declaration."""
    found = [f"{type_.code}: {name} is not declared" for name in sorted(members.keys() - type_.members)]
    sent = orjson.loads(orjson.dumps({name: members[name] for name in members.keys() & type_.members}))
    for name, value in sent.items():
        validator = Draft202012Validator(type_.members[name])
        found += [f"{type_.code}: {name}: {error.message}" for error in validator.iter_errors(value)]
        of_object = type_.members[name].get("properties")
        if of_object is not None and value is not None:
            found += [f"{type_.code}: {name}.{more} is not declared" for more in sorted(value.keys() - of_object)]
    return found


def install() -> None:
    """Has every problem looked at, wherever it is made."""
    initialise = Problem.__init__

    @wraps(initialise)
    def checked(self: Problem, type_: ProblemType, detail: str, errors: Any, headers: Any, members: Any) -> None:
        faults = faults_of(type_, dict(members))
        assert faults == [], faults
        initialise(self, type_, detail, errors, headers, members)

    Problem.__init__ = checked  # type: ignore[method-assign]
