"""The rule of an invitation: its conditions, their refusals by path, and those that the server judges. Pure.

Browsers judge all of them but `answering` and `hours` (`static/widget/patterns.js`).
"""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from apps.widget.rules.patterns import host_refusal, patterns_refusals

Refusals = dict[str, str]
Rule = Mapping[str, Any]

MAX_ANY = 5
MAX_PARAMS, MAX_ATTRIBUTES, MAX_VALUES = 10, 20, 20
MAX_NAME, MAX_VALUE = 64, 500
DEVICES = ("desktop", "mobile")
VISITORS = ("new", "returning", "identified")
ANSWERING = ("people", "ai", "anyone", "nobody")
HOURS = ("open", "closed")
# The server's own; the browser takes these as holding until it has asked.
OF_SERVER = ("answering", "hours")
EVENT = re.compile(r"[a-z][a-z0-9_.-]{0,63}")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}")


def rule_refusals(rule: object, path: str = "rule") -> Refusals:
    """The refusals of a rule by path, such as `rule.any.0.scroll`; as many as there are members at most."""
    if not isinstance(rule, Mapping):
        return {path: "An object of conditions is expected."}
    found = _conditions_refusals({name: value for name, value in rule.items() if name != "any"}, path)
    if "any" not in rule:
        return found
    branches = rule["any"]
    if not isinstance(branches, list) or not 1 <= len(branches) <= MAX_ANY:
        return found | {f"{path}.any": f"A list of 1 to {MAX_ANY} objects of conditions is expected."}
    for place, branch in enumerate(branches):
        at = f"{path}.any.{place}"
        if not isinstance(branch, Mapping):
            found[at] = "An object of conditions is expected."
        elif "any" in branch:
            found[f"{at}.any"] = "There is no `any` within `any`."
        else:
            found |= _conditions_refusals(branch, at)
    return found


def read_rule(rule: Rule) -> dict[str, Any]:
    """A valid rule as it is kept: an event with its defaults."""
    kept = {name: _read(name, value) for name, value in rule.items() if name != "any"}
    return kept | ({"any": [read_rule(branch) for branch in rule["any"]]} if "any" in rule else {})


def events_of(rule: Rule) -> set[str]:
    """The events of the page that a rule names."""
    return {one["event"]["name"] for one in (rule, *rule.get("any", ())) if "event" in one}


def server_refusal(rule: Rule, holds: Callable[[str, str], bool], branches: Collection[int] | None) -> str | None:
    """The condition of the server's that does not hold, None where the rule may: `answering` before `hours`.

    `branches` are the places in `any` of which the browser's conditions hold; None: it did not say, all may.
    """
    failed = {name for name in OF_SERVER if name in rule and not holds(name, rule[name])}
    listed = rule.get("any") or ()
    asked = [branch for place, branch in enumerate(listed) if branches is None or place in branches]
    of_branches = [{name for name in OF_SERVER if name in one and not holds(name, one[name])} for one in asked]
    if of_branches and all(of_branches):
        failed |= set.union(*of_branches)
    return next((name for name in OF_SERVER if name in failed), None)


def _read(name: str, value: Any) -> Any:
    return {"times": 1, "within_s": None, **value} if name == "event" else value


def _conditions_refusals(conditions: Mapping[str, Any], path: str) -> Refusals:
    found: Refusals = {}
    for name, value in list(conditions.items())[:100]:
        check = _CONDITIONS.get(name)
        at = f"{path}.{str(name)[:40]}"
        found |= check(value, at) if check else {at: f"There is no such condition. Known are {', '.join(_CONDITIONS)}."}
    return found


def _is_whole(value: object, lowest: int, highest: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= highest


def _whole(lowest: int, highest: int) -> Callable[[Any, str], Refusals]:
    refusal = f"A whole number from {lowest} to {highest} is expected."
    return lambda value, path: {} if _is_whole(value, lowest, highest) else {path: refusal}


def _one_of(choices: tuple[str, ...]) -> Callable[[Any, str], Refusals]:
    refusal = f"Must be one of {', '.join(choices)}."
    return lambda value, path: {} if isinstance(value, str) and value in choices else {path: refusal}


def _leave(value: Any, path: str) -> Refusals:
    return {} if value is True else {path: "Only true is known; leave it out otherwise."}


def _span(value: Any, path: str) -> Refusals:
    if not isinstance(value, Mapping) or not value:
        return {path: "`min`, `max` or both are expected."}
    found = {f"{path}.{str(name)[:40]}": "Known are `min` and `max`." for name in value if name not in ("min", "max")}
    for name in ("min", "max"):
        if name in value and not _is_whole(value[name], 1, 1000):
            found[f"{path}.{name}"] = "A whole number from 1 to 1000 is expected."
    if not found and value.get("min", 1) > value.get("max", 1000):
        found[f"{path}.max"] = "It is less than `min`."
    return found


def _referrer(value: Any, path: str) -> Refusals:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_VALUES:
        return {path: f"A list of 1 to {MAX_VALUES} hosts is expected."}
    found = ((f"{path}.{place}", host_refusal(host)) for place, host in enumerate(value))
    return {at: refusal for at, refusal in found if refusal}


def _names(value: Any, path: str, most: int) -> Refusals:
    if not isinstance(value, Mapping) or not 1 <= len(value) <= most:
        return {path: f"An object of 1 to {most} members is expected."}
    refusal = f"A name has 1 to {MAX_NAME} characters."
    return {f"{path}.{name[:40]}": refusal for name in value if not 1 <= len(name) <= MAX_NAME}


def _param(value: Any, path: str) -> Refusals:
    if found := _names(value, path, MAX_PARAMS):
        return found
    refusal = f"A text of at most {MAX_VALUE} characters is expected; `*` is any run."
    is_text = {name: isinstance(text, str) and len(text) <= MAX_VALUE for name, text in value.items()}
    return {f"{path}.{name}": refusal for name in value if not is_text[name]}


def _is_scalar(value: Any) -> bool:
    return isinstance(value, bool | int | float) or (isinstance(value, str) and len(value) <= MAX_VALUE)


def _attribute(value: Any, path: str) -> Refusals:
    if found := _names(value, path, MAX_ATTRIBUTES):
        return found
    for name, wanted in value.items():
        listed = wanted if isinstance(wanted, list) else [wanted]
        is_right = wanted is None or (1 <= len(listed) <= MAX_VALUES and all(map(_is_scalar, listed)))
        if not is_right:
            found[f"{path}.{name}"] = f"A text, number or boolean, a list of 1 to {MAX_VALUES} of them, or null."
    return found


def _event(value: Any, path: str) -> Refusals:
    if not isinstance(value, Mapping):
        return {path: "An object `{name, times, within_s}` is expected."}
    found = {
        f"{path}.{str(name)[:40]}": "Known are `name`, `times` and `within_s`."
        for name in list(value)[:100]
        if name not in ("name", "times", "within_s")
    }
    if refusal := event_refusal(value.get("name")):
        found[f"{path}.name"] = refusal
    if not _is_whole(value.get("times", 1), 1, 100):
        found[f"{path}.times"] = "A whole number from 1 to 100 is expected."
    if value.get("within_s") is not None and not _is_whole(value["within_s"], 1, 86_400):
        found[f"{path}.within_s"] = "A whole number from 1 to 86400 is expected, or null."
    return found


def event_refusal(name: object) -> str | None:
    """Why a name is none of an event of the page."""
    if isinstance(name, str) and len(name) <= MAX_NAME and EVENT.fullmatch(name):
        return None
    return "An event's name has a to z, 0 to 9, _ . and -, begins with a letter, and has at most 64 characters."


def _languages(value: Any, path: str) -> Refusals:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_VALUES:
        return {path: f"A list of 1 to {MAX_VALUES} codes of languages is expected."}
    is_code = [isinstance(code, str) and len(code) <= 35 and _LANGUAGE.fullmatch(code) for code in value]
    return {f"{path}.{place}": "A code such as ru is expected." for place, right in enumerate(is_code) if not right}


_CONDITIONS: Mapping[str, Callable[[Any, str], Refusals]] = {
    "page": patterns_refusals,
    "not_page": patterns_refusals,
    "seconds": _whole(0, 3600),
    "seconds_visit": _whole(0, 7200),
    "scroll": _whole(1, 100),
    "leave": _leave,
    "visits": _span,
    "pages": _span,
    "referrer": _referrer,
    "param": _param,
    "attribute": _attribute,
    "event": _event,
    "language": _languages,
    "device": _one_of(DEVICES),
    "visitor": _one_of(VISITORS),
    "answering": _one_of(ANSWERING),
    "hours": _one_of(HOURS),
}
CONDITIONS = tuple(_CONDITIONS)
