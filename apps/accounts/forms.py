"""The cabinet's forms for tokens and widgets: their fields, and how these are drawn."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from apps.accounts import rules
from apps.accounts.models import ApiToken, Widget
from apps.core import plugins

PRESET_TITLES = {"ai_setup": "AI setup", "support_agents": "Support agents", "all": "All but support"}


class ScopeCheckboxes(forms.CheckboxSelectMultiple):
    """A checkbox for each scope, by group, sensitive ones marked; buttons that replace the whole selection."""

    template_name = "accounts/scopes.html"

    class Media:
        css = {"all": ["accounts/scopes.css"]}
        js = ["accounts/scopes.js"]

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        known = plugins.scopes()
        presets = [(title, rules.preset_scopes(preset, known)) for preset, title in PRESET_TITLES.items()]
        return {
            **super().get_context(name, value, attrs),
            "presets": [(title, " ".join(scopes)) for title, scopes in [*presets, ("None", [])]],
        }

    def create_option(self, name: str, value: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        option: dict[str, Any] = super().create_option(name, value, *args, **kwargs)
        return option | {"scope": plugins.scopes()[str(value)]}


def scope_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """Every grantable scope under the heading of its group."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for scope in plugins.scopes().values():
        groups.setdefault(scope.group, []).append((scope.name, scope.name))
    return list(groups.items())


class IssueTokenForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """What a new token is made of."""

    scopes = forms.MultipleChoiceField(
        choices=scope_choices,
        required=False,
        widget=ScopeCheckboxes,
        help_text="What the token may do. A token without scopes may do nothing.",
    )
    expires = forms.DateTimeField(
        required=False,
        widget=UnfoldAdminTextInputWidget(attrs={"type": "datetime-local"}),
        help_text="Moscow time. None set means never.",
    )

    class Meta:
        model = ApiToken
        fields = ["name", "widget", "scopes"]


class OriginsField(forms.CharField):
    """Origins, one a line. Cleans to a list of them as a browser writes them."""

    widget = UnfoldAdminTextareaWidget(attrs={"rows": 4, "placeholder": "https://shop.example"})

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> list[str]:  # type: ignore[override] # the field's value is a list
        origins, wrong = [], []
        for line in (super().to_python(value) or "").split():
            try:
                origins.append(rules.origin_of(line))
            except ValueError:
                wrong.append(line)
        if wrong:
            raise ValidationError(f"Not an origin such as https://shop.example: {', '.join(wrong)}")
        return list(dict.fromkeys(origins))

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool(self.to_python(data) != (initial or []))
        except ValidationError:
            return True


class WidgetForm(forms.ModelForm):  # type: ignore[type-arg] # takes none when it runs
    """A widget's own fields; how it looks is set elsewhere."""

    allowed_origins = OriginsField(
        required=False,
        help_text="Origins whose pages may embed the widget, one a line. None set means all.",
    )

    class Meta:
        model = Widget
        fields = ["name", "api_enabled", "allowed_origins", "seats"]
