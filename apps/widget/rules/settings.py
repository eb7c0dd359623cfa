"""The stored form of a change of settings, and its refusals. Pure.

Only the written members are stored (`stored`); everything else is the default of the table.
"""

from collections.abc import Mapping
from typing import Any

from apps.widget.rules.fields import (
    AUTO,
    BY_DEVICE,
    DEFAULT,
    DEVICES,
    FALLBACK,
    MOTION_ALIASES,
    POLICY,
    PROFILES,
    SUPPORTED,
    TRANSLATIONS,
    WRITABLE,
    WidgetSetting,
    default_of,
)

Stored = Mapping[str, Any]
NOT_SUPPORTED = "The language is not among the supported ones."


def effective(stored: Stored, *, legacy: bool) -> dict[str, Any]:
    """The value of every writable setting: what was written, else the default."""
    found = {each.name: stored.get(each.name, default_of(each, legacy=legacy)) for each in WRITABLE}
    written = stored.get(PROFILES) or {}
    found[PROFILES] = {"enabled": bool(written.get("enabled")), **{each: written.get(each, {}) for each in DEVICES}}
    return found


def language_of(values: Mapping[str, Any]) -> str:
    """The language that a widget of these settings speaks by itself."""
    fixed, fallback = str(values[DEFAULT]), str(values[FALLBACK])
    return fallback if fixed == AUTO else fixed


def changed(stored: Stored, changes: Mapping[str, Any], *, legacy: bool) -> dict[str, Any]:
    """The stored settings after a change (specification, "Widget settings"): null clears, device profiles merge deeply,
    the matrix of translations is replaced whole. A value that is in effect already is not written.
    """
    before, after = effective(stored, legacy=legacy), dict(stored)
    for name, value in changes.items():
        trial = {each: kept for each, kept in after.items() if each != name}
        if name == PROFILES:
            value = merged_profiles(after.get(PROFILES) or {}, value)
        if value is not None and value != {}:
            trial[name] = value
        if effective(trial, legacy=legacy)[name] != before[name]:
            after = trial
    return after


def merged_profiles(profiles: Mapping[str, Any], change: Mapping[str, Any] | None) -> dict[str, Any]:
    """The profiles after a change: what is omitted stays, a null leaf, device or root removes what is there."""
    if change is None:
        return {}
    merged: dict[str, Any] = {each: dict(profiles.get(each, {})) for each in DEVICES}
    merged["enabled"] = bool(change.get("enabled")) if "enabled" in change else bool(profiles.get("enabled"))
    for device in DEVICES:
        if device in change:
            sent = change[device]
            together = {} if sent is None else {**merged[device], **sent}
            merged[device] = {name: value for name, value in together.items() if value is not None}
    return {name: value for name, value in merged.items() if value}


def changed_names(before: Mapping[str, Any], after: Mapping[str, Any]) -> frozenset[str]:
    """The effective settings that differ."""
    return frozenset(name for name in before if before[name] != after[name])


def language_refusals(after: Mapping[str, Any], sent: frozenset[str], differing: frozenset[str]) -> dict[str, str]:
    """The refusals of the language policy, by path: the member that was sent, else the supported ones."""
    if not differing & POLICY:
        return {}
    supported = after[SUPPORTED]
    wrong = {}
    if after[DEFAULT] not in (AUTO, *supported):
        wrong[DEFAULT] = DEFAULT
    if after[FALLBACK] not in supported:
        wrong[FALLBACK] = FALLBACK
    wrong |= {f"{TRANSLATIONS}.{code}": TRANSLATIONS for code in after[TRANSLATIONS] if code not in supported}
    refusals = {}
    for path, name in wrong.items():
        if name in sent:
            refusals[path] = NOT_SUPPORTED
        else:
            refusals.setdefault(SUPPORTED, f"A language that {name} uses is not among them.")
    return refusals


def icons_of(values: Mapping[str, Any]) -> dict[str, str]:
    """The icons that settings name, by the path of the member that names them."""
    found = {"icon_preset": values["icon_preset"]}
    for device in DEVICES:
        if "icon_preset" in values[PROFILES][device]:
            found[f"{PROFILES}.{device}.icon_preset"] = values[PROFILES][device]["icon_preset"]
    return found


def schema_of(setting: WidgetSetting, *, legacy: bool) -> dict[str, Any]:
    """How the schema describes a setting: the members that do not apply are left out."""
    described: dict[str, Any] = {
        "type": setting.kind,
        "read_only": setting.read_only,
        "nullable": setting.nullable,
        "strict_json_type": True,
        "accepted_types": _accepted_types(setting),
        "validation_rules": _rules_of(setting),
        "patch": _patch_of(setting),
        "default_semantics": _default_semantics(setting),
        "device_profile": setting.by_device,
        "translatable": setting.translatable,
    }
    if not setting.read_only:
        described["effective_default"] = default_of(setting, legacy=legacy)
    if setting.enum is not None:
        described["enum"] = list(setting.enum)
    if setting.name == "icon_custom_animated":
        described["accepted_values"] = [*(setting.enum or ()), *MOTION_ALIASES]
    if setting.range is not None:
        described["range"] = {"min": setting.range[0], "max": setting.range[1]}
    lengths = {"min_length": setting.min_length, "max_length": setting.max_length}
    described |= {name: length for name, length in lengths.items() if length is not None}
    if setting.pattern is not None:
        ending = "i" if setting.name == "widget_accent_color" else ""
        described["pattern"] = f"/{setting.pattern}/{ending}"
    if setting.catalogue is not None:
        described["catalog_url"] = setting.catalogue
    if setting.name == PROFILES:
        overrides = {each.name: schema_of(each, legacy=legacy) for each in BY_DEVICE}
        described["fields"] = {"enabled": {"type": "boolean", "nullable": True}} | {
            device: {"type": "object", "nullable": True, "fields": overrides} for device in DEVICES
        }
    return described


def _accepted_types(setting: WidgetSetting) -> list[str]:
    besides = ["boolean"] if setting.name == "icon_custom_animated" else []
    return [setting.kind, *besides, *(["null"] if setting.nullable else [])]


def _rules_of(setting: WidgetSetting) -> list[str]:
    found: list[str] = []
    if setting.kind == "integer" and setting.range is not None:
        found += [f"min:{setting.range[0]}", f"max:{setting.range[1]}"]
    if setting.min_length is not None:
        found.append(f"min:{setting.min_length}")
    if setting.max_length is not None:
        found.append(f"max:{setting.max_length}")
    if setting.enum is not None:
        found.append(f"in:{','.join(str(each) for each in setting.enum)}")
    if setting.name == SUPPORTED:
        found += ["distinct", "min:1", f"max:{len(setting.enum or ())}"]
    return found


def _patch_of(setting: WidgetSetting) -> str:
    if setting.read_only:
        return "refused"
    return {PROFILES: "merge_deep", TRANSLATIONS: "replace_whole"}.get(setting.name, "replace")


def _default_semantics(setting: WidgetSetting) -> str:
    if setting.read_only:
        return "computed"
    if setting.is_policy:
        return "implicit_policy"
    if setting.translatable:
        return "catalogue"
    return "skin" if setting.name == "widget_accent_color" else "render_default"
