"""The demo's accounts, cabinet users, widgets and API tokens.

The first account has two widgets; the second is there for isolation: nothing of it may ever show for a token of the
first. A superuser runs the installation. Passwords are fixed and public.
"""

from functools import cache
from typing import Any, NamedTuple

from django.contrib.auth.hashers import make_password

from apps.accounts import actions, rules
from apps.accounts.models import Account, ApiToken, User, Widget
from apps.core import plugins
from apps.demo.document import Demo, stable_guid

ADMIN = "admin@parley.example"
PASSWORD = "parley-demo-password"  # noqa: S105 - public on purpose


class DemoWidget(NamedTuple):
    name: str
    title: str
    seats: int


class DemoAccount(NamedTuple):
    name: str
    email: str
    owner: tuple[str, str, str]
    widgets: tuple[DemoWidget, ...]


# Seats: the agents' demo leaves three free on "shop", one on "blog", none on "rival".
ACCOUNTS = (
    DemoAccount(
        "shop",
        "office@shop.example",
        ("olga@shop.example", "Olga", "Romanova"),
        (DemoWidget("shop", "Leaf & Kettle", 7), DemoWidget("blog", "Garden blog", 3)),
    ),
    DemoAccount(
        "rival",
        "office@rival.example",
        ("viktor@rival.example", "Viktor", "Lang"),
        (DemoWidget("rival", "Rival florist", 2),),
    ),
)


def seed(demo: Demo) -> None:
    """Adds a superuser, accounts, their owners, widgets with the API switched on, and tokens."""
    admin = person(ADMIN, "Ada", "Admin", is_staff=True, is_superuser=True)
    demo.document["admin"] = {"login": admin.email, "password": PASSWORD}
    for plan in ACCOUNTS:
        account = _account(demo, plan)
        for widget_plan in plan.widgets:
            widget, _ = Widget.objects.get_or_create(
                guid=stable_guid(f"widget {widget_plan.name}"),
                defaults={
                    "account": account,
                    "name": widget_plan.title,
                    "seats": widget_plan.seats,
                    "api_enabled": True,
                },
            )
            part: dict[str, Any] = {"id": widget.pk, "guid": widget.guid, "name": widget.name, "path_ids": {}}
            demo.keep(widget_plan.name, widget, part)
            demo.part(account)["widgets"].append(part)
    _issue_tokens(demo)


def is_seeded() -> bool:
    """Whether the demo's people are there, who may sign in with the public password."""
    return bool(User.objects.filter(email__in=[ADMIN, *(plan.owner[0] for plan in ACCOUNTS)], is_active=True).exists())


def person(email: str, name: str, surname: str, **fields: Any) -> User:
    """A user with the demo password, made unless it is there."""
    user: User | None = User.objects.filter(email=email).first()
    if user is None:
        user = User(email=email, name=name, surname=surname, password=_hashed(), **fields)
        user.save()
    return user


@cache
def _hashed() -> str:
    """The demo password's hash: slow to make, so everybody shares one."""
    return make_password(PASSWORD)


def _account(demo: Demo, plan: DemoAccount) -> Account:
    email, name, surname = plan.owner
    account, _ = Account.objects.get_or_create(
        email=plan.email, defaults={"name": name, "surname": surname, "phone": "+7 900 000-00-00"}
    )
    owner = person(email, name, surname, account=account, is_staff=True, role=User.Role.OWNER)
    demo.keep(f"{plan.name} owner", owner)
    part = {
        "id": account.pk,
        "email": account.email,
        "owner_login": owner.email,
        "password": PASSWORD,
        "widgets": [],
    }
    demo.document["accounts"].append(part)
    return demo.keep(plan.name, account, part)


def _issue_tokens(demo: Demo) -> None:
    """Issues the tokens that are not known any more; their plain text is nowhere but in the document."""
    known = plugins.scopes()
    selections = {
        "all": rules.preset_scopes("all", known),
        "readonly": [name for name in known if name.endswith(":read")],
        "support": rules.preset_scopes("support_agents", known),
        "ai_setup": rules.preset_scopes("ai_setup", known),
        "none": [],
    }
    widgets = demo.rows(Widget)
    names = {f"Demo: {selection}": selection for selection in selections}
    earlier = ApiToken.objects.unscoped("demo data, by what it made").filter(
        widget__in=widgets.values(), name__in=names
    )
    plain_texts = {rules.digest(plain_text): plain_text for plain_text in demo.known_tokens}
    kept = {
        (token.widget_id, names[token.name]): actions.IssuedToken(token, plain_texts[bytes(token.digest)])
        for token in earlier.not_revoked().filter(digest__in=plain_texts)
        if token.scopes == selections[names[token.name]]
    }
    replaced = earlier.exclude(pk__in=[issued.token.pk for issued in kept.values()])
    if replaced.exists():
        actions.revoke_tokens(tokens=replaced)
        replaced.delete()
    for widget_name, widget in widgets.items():
        tokens = demo.part(widget)["tokens"] = {}
        for name, selection in names.items():
            issued = kept.get((widget.pk, selection)) or actions.issue_token(
                widget=widget, scopes=selections[selection], name=name
            )
            demo.keep(f"{widget_name} {selection}", issued.token)
            tokens[selection] = issued.plain_text
