"""The base of every page of the cabinet: staff of an account see its rows, and no others, wherever rows are shown.

Deny by default: a model is seen through `account_path`, and changed only where its admin says who may. Django's
permissions are not assigned to cabinet staff; being of the account, and the role there, is the permission.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, cast

from django.contrib import messages
from django.contrib.admin.sites import AdminSite
from django.contrib.admin.views.main import ERROR_FLAG
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import models
from django.db.models import ForeignKey, ManyToManyField, QuerySet
from django.forms import ModelForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.http import urlencode
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.accounts import rules
from apps.accounts.actions.users import note_language
from apps.accounts.models import User, Widget
from apps.accounts.querysets import seen_by
from apps.cabinet.audit.words import word_for
from apps.cabinet.chosen_widget import current_widget, zone_of
from apps.cabinet.coded_values import word_readonly_values, worded_columns
from apps.cabinet.compared_form import ComparedForm, compared
from apps.cabinet.filters import NamedValuesFilter, OwnRelatedFilter
from apps.cabinet.list_columns import WordedAdmin, column_of
from apps.cabinet.shown_once import show_once
from apps.core.database.tenants import unscoped

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from apps.cabinet.menu import MenuPlace, MenuTab, RowTab


class AccessLevel(Enum):
    """The access level of a page, among the people who see the row."""

    NOBODY = 0
    INSTALLATION = 1  # superusers: they run the installation and belong to no account
    ACCOUNT = 2  # them, and of the staff of the row's account the managers and owners
    OWNERS = 3  # them, and the owners
    READERS = 4  # them, and all the staff


# The least role that may, of an account's staff; those without one here may not at all.
LEAST_ROLES = {AccessLevel.READERS: rules.VIEWER, AccessLevel.ACCOUNT: rules.MANAGER, AccessLevel.OWNERS: rules.OWNER}


class TenantAdmin(WordedAdmin):
    """An admin whose every list, page, choice and action starts from the account of the person who is signed in.

    `account_path` is the look-up from a row to its account's id ("widget__account_id"); without one the rows are the
    installation's own. Another account's row is 404, like one that never was. A page that adds or changes rows must say
    in `write` which action that is.
    """

    account_path: ClassVar[str | None] = None
    may_add: ClassVar[AccessLevel] = AccessLevel.NOBODY
    may_change: ClassVar[AccessLevel] = AccessLevel.NOBODY
    may_delete: ClassVar[AccessLevel] = AccessLevel.NOBODY
    # Its place in the menu, and the purpose of its list, said where that is empty.
    menu: ClassVar[MenuPlace | MenuTab | None] = None
    row_tab: ClassVar[RowTab | None] = None
    purpose: ClassVar[StrOrPromise] = ""
    # Where the search shows its rows, among those of other pages; None: it does not look for them.
    found_at: ClassVar[int | None] = None
    titles: ClassVar[tuple[StrOrPromise, StrOrPromise] | None] = None
    labels: ClassVar[Mapping[str, StrOrPromise]] = {}

    def __init__(self, model: type[models.Model], admin_site: AdminSite) -> None:
        """Calls the model (`titles`: one, many) and its fields (`labels`) what the cabinet's readers call them.

        Here and not on the models: what a migration or an answer of the API says is English always.
        """
        super().__init__(model, admin_site)
        if self.titles is not None:
            self.opts.verbose_name, self.opts.verbose_name_plural = self.titles
        for field in self.opts.concrete_fields:
            word = word_for(self.opts.app_label, field.name)
            if word and field.verbose_name == field.name.replace("_", " "):
                field.verbose_name = gettext_lazy(word)
        for name, label in self.labels.items():
            cast("models.Field[Any, Any]", self.opts.get_field(name)).verbose_name = label
        self.columns = worded_columns(model)

    def write(self, request: HttpRequest, obj: Any, form: ModelForm[Any], change: bool) -> None:
        """Calls the action that stores what the form says. A new row's `obj` gets its key from it."""
        raise NotImplementedError

    def remove(self, request: HttpRequest, obj: Any) -> None:
        """Calls the action that deletes the row."""
        raise NotImplementedError

    def settings_shown(self) -> Iterable[StrOrPromise]:
        """The names of settings of the page, for the search; only pages of settings have them."""
        return ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = unscoped(super().get_queryset(request), "narrowed to the person's account")
        if self.account_path is None:
            return rows if user_of(request).is_superuser else rows.none()
        rows = seen_by(user_of(request), rows, self.account_path)
        widget = self._listed_widget(request)
        return rows if widget is None else rows.filter(**{self._widget_path: widget.pk})

    @property
    def _widget_path(self) -> str:
        """The look-up from a row to its widget ("widget", "chat__widget"); empty for what is no widget's."""
        path = (self.account_path or "").removesuffix("__account_id")
        return path if path.rpartition("__")[2] == "widget" else ""

    def _listed_widget(self, request: HttpRequest) -> Widget | None:
        """The current widget, on lists alone: a row's page is found whichever widget is chosen.

        An address that names a widget of its own holds.
        """
        if not self._widget_path or not getattr(request, "is_of_a_list", False):
            return None
        return None if any(name.startswith(self._widget_path) for name in request.GET) else current_widget(request)

    def get_list_display(self, request: HttpRequest) -> Any:
        """Without the column of the widget where the rows are of one."""
        names = list(super().get_list_display(request))
        if self._listed_widget(request) is not None and names[0] != "widget":
            names = [name for name in names if name != "widget"]
        return [column_of(self, self.columns.get(name, name)) for name in names]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list; a filter's value with a NUL, which nothing stored has, leads to it as other impossible ones do."""
        if any("\0" in value for values in request.GET.lists() for value in values[1]):
            return redirect(f"{request.path}?{ERROR_FLAG}=1")
        request.is_of_a_list = True  # type: ignore[attr-defined] # for `get_queryset`
        return super().changelist_view(request, extra_context)

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The row's lines of the audit trail."""
        row = self.get_object(request, object_id)
        if not self.has_view_permission(request, row):
            raise PermissionDenied
        query = urlencode({"of": ",".join(self.lines_of(row))})
        return redirect(f"{reverse('admin:accounts_auditentry_changelist')}?{query}")

    def lines_of(self, row: Any) -> list[str]:
        """The objects whose lines of the audit trail are a row's history: "accounts.widget:3" each."""
        return [f"{row._meta.concrete_model._meta.label_lower}:{row.pk}"]

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        found = None if "\0" in object_id else super().get_object(request, object_id, from_field)
        if found is None:
            raise Http404
        return found

    def rows_with_key(self, request: HttpRequest, key: Any) -> QuerySet[Any]:
        """The row of a key, or none. Raises Http404 for what no key can be, such as a word in place of a number."""
        if "\0" in str(key):
            raise Http404
        try:
            return self.get_queryset(request).filter(pk=key)
        except (ValueError, ValidationError):
            raise Http404 from None

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self._is_allowed(request, AccessLevel.READERS, None)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._is_allowed(request, AccessLevel.READERS, obj)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self._is_allowed(request, self.may_add, None)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._is_allowed(request, self.may_change, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._is_allowed(request, self.may_delete, obj)

    def _is_allowed(self, request: HttpRequest, who: AccessLevel, obj: Any) -> bool:
        user = user_of(request)
        if who is AccessLevel.NOBODY or not user.is_active or not user.is_staff:
            return False
        if user.is_superuser:
            return True
        if who not in LEAST_ROLES or self.account_path is None or user.account_id is None:
            return False
        if not rules.reaches(user.role, LEAST_ROLES[who]):
            return False
        return obj is None or self._account_id(request, obj) == user.account_id

    def _account_id(self, request: HttpRequest, obj: Any) -> Any:
        """The account of a row, given as an object or (by unfold) as its key."""
        if not isinstance(obj, models.Model):
            path = cast("str", self.account_path)
            return self.rows_with_key(request, obj).values_list(path, flat=True).first()
        for name in cast("str", self.account_path).split("__"):
            obj = getattr(obj, name)
        return obj

    def own_choices(self, related: type[models.Model], request: HttpRequest) -> QuerySet[Any]:
        """The rows of another model that this user may choose from: those its own admin shows them, else none."""
        related_admin = self.admin_site._registry.get(related)
        if isinstance(related_admin, TenantAdmin):
            return related_admin.get_queryset(request)
        return related._default_manager.none()

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """The form; of a row that is there, one that leaves alone what others have changed meanwhile."""
        form = super().get_form(request, obj, change, **kwargs)
        return form if obj is None else compared(form)

    def formfield_for_foreignkey(self, db_field: ForeignKey[Any], request: HttpRequest, **kwargs: Any) -> Any:
        kwargs["queryset"] = choices = self.own_choices(db_field.related_model, request)
        if db_field.related_model is Widget and (widget := current_widget(request)) is not None:
            kwargs["initial"] = widget
        elif not db_field.null:
            kwargs["initial"] = only_choice(choices)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_manytomany(self, db_field: ManyToManyField[Any, Any], request: HttpRequest, **kwargs: Any) -> Any:
        kwargs["queryset"] = self.own_choices(db_field.related_model, request)
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def get_list_filter(self, request: HttpRequest) -> list[Any]:
        """Relations are filtered by own rows (Django's filter would name every account's), values by their names."""
        names = super().get_list_filter(request)
        if self._listed_widget(request) is not None:
            names = [name for name in names if name != "widget"]
        return [self._filter(name) if isinstance(name, str) else name for name in names]

    def _filter(self, name: str) -> Any:
        field = self.opts.get_field(name)
        if field.is_relation:
            return (name, OwnRelatedFilter)
        return (name, NamedValuesFilter) if getattr(field, "choices", None) else name

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Only what is offered as a filter: anything else would let a reader guess at fields that are not shown."""
        offered = {_parameter(name) for name in self.list_filter} | {self.date_hierarchy}
        is_offered = lookup in offered or lookup.partition("__")[0] in offered
        return is_offered and super().lookup_allowed(lookup, value, request)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Without Django's "delete selected", which would go past the actions.

        An action that does not say which permission it takes is for those who may write.
        """
        may_write = self._is_allowed(request, AccessLevel.ACCOUNT, None)
        return {
            name: action
            for name, action in super().get_actions(request).items()
            if name != "delete_selected" and (may_write or hasattr(action[0], "allowed_permissions"))
        }

    def get_unfold_action(self, action: str) -> Any:
        """The same for a button of a page, whose address can be called without the page."""
        found = super().get_unfold_action(action)
        if not hasattr(found.method, "allowed_permissions"):
            found.method = self._for_writers(found.method)
        return found

    def _filter_unfold_actions_by_permissions(self, request: HttpRequest, actions: Any, object_id: Any = None) -> Any:
        """Buttons that a person may press: those of `_for_writers` are not shown to readers."""
        if not self._is_allowed(request, AccessLevel.ACCOUNT, None):
            actions = [each for each in actions if not getattr(each.method, "is_for_writers", False)]
        return super()._filter_unfold_actions_by_permissions(request, actions, object_id)

    def _for_writers(self, method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            row = kwargs.get("object_id", args[0] if args else None)
            if row is not None and not isinstance(row, models.Model):
                row = self.get_object(request, str(row))
            if not self._is_allowed(request, AccessLevel.ACCOUNT, row):
                raise PermissionDenied
            return method(request, *args, **kwargs)

        guarded.is_for_writers = True  # type: ignore[attr-defined]
        return guarded

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        self.remove(request, obj)

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        """In words, and without buttons that save where there is nothing to change."""
        context["title"] = self.name_of_page(context.get("original"))
        word_readonly_values(context["adminform"], self.columns)
        if not context["adminform"].form.fields:
            context |= dict.fromkeys(("show_save", "show_save_and_continue", "show_save_and_add_another"), False)
        response: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return response

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Stores through `write`, then runs the page's own button, should that have been pressed."""
        if form.fields:
            self.write(request, obj, form, change)
        if change:
            if isinstance(form, ComparedForm) and (told := form.told_of_others()):
                self.message_user(request, told, messages.WARNING)
            for action in self.get_actions_submit_line(request, obj.pk):
                if action.action_name in request.POST:
                    action.method(request, obj)


class TenantSecretsAdmin(TenantAdmin):
    """An admin of rows with a secret that signs, which is shown on the page that replaces it, and nowhere else."""

    consequence: ClassVar[StrOrPromise]
    actions_detail: tuple[str, ...] = ("replace_secret",)

    def renew(self, obj: Any) -> str:
        """Calls the action that replaces a row's secret; the new one in plain text."""
        raise NotImplementedError

    @unfold_action(description=_("Replace the secret…"), url_path="secret")  # type: ignore[untyped-decorator]
    def replace_secret(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Asks at a GET; replaces at a POST, and leads to the page that shows the new secret once."""
        owner = self.get_object(request, object_id)
        if not self.has_change_permission(request, owner):
            raise PermissionDenied
        page = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[owner.pk])
        if request.method == "POST":
            title = gettext("The secret is replaced")
            return show_once(request, title=title, owner=str(owner), page=page, plain_text=self.renew(owner))
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Replace the secret?"),
            "owner": owner,
            "page": page,
            "consequence": self.consequence,
        }
        return TemplateResponse(request, "admin/replaced_secret.html", context)


def _parameter(listed: Any) -> Any:
    """The name of a filter of `list_filter` in an address."""
    return listed[0] if isinstance(listed, tuple) else getattr(listed, "parameter_name", listed)


class OwnLanguageMiddleware:
    """Shows the cabinet in the language that its user has chosen (without a choice, in the browser's) and in the time
    zone of their current widget.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(reverse("admin:index")):
            chosen = getattr(request.user, "language", "")
            if chosen:
                translation.activate(chosen)
                request.LANGUAGE_CODE = chosen
            elif request.user.is_authenticated:
                note_language(user=user_of(request), language=translation.get_language() or "")
            with timezone.override(zone_of(request)):
                return self.get_response(request)
        return self.get_response(request)


def only_choice(choices: QuerySet[Any]) -> Any:
    """The row that is all there is to choose from, as an account's only widget; else None."""
    few = choices[:2]
    return few[0] if len(few) == 1 else None


def changes_of(form: ModelForm[Any]) -> dict[str, Any]:
    """The values that a valid form changes, by field; other fields may be changed elsewhere at the same time."""
    return {name: form.cleaned_data[name] for name in form.changed_data}


def user_of(request: HttpRequest) -> User:
    """The signed-in user; the cabinet admits no one else."""
    return cast("User", request.user)
