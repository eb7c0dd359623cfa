"""The scopes, as the specification's table has them."""

import pytest
from django.apps import apps
from django.conf import settings

from apps.accounts import actions
from apps.accounts.models import Widget
from apps.core import plugins

# (scope, marked S: sensitive)
TABLE = [
    ("chats:read", False),
    ("chats:write", False),
    ("messages:read", False),
    ("messages:write", False),
    ("contacts:read", False),
    ("contacts:write", False),
    ("agents:read", False),
    ("agents:write", True),
    ("agents:events:read", False),
    ("tags:read", False),
    ("tags:write", False),
    ("files:read", False),
    ("files:write", False),
    ("stats:read", False),
    ("channels:read", False),
    ("channels:write", False),
    ("channels:register", True),
    ("webhooks:read", False),
    ("webhooks:write", False),
    ("responder:inject", True),
    ("responder:escalate", True),
    ("widget:read", False),
    ("widget:write", False),
    ("departments:read", False),
    ("departments:write", False),
    ("messengers:read", False),
    ("messengers:write", True),
    ("ai:read", False),
    ("ai:write", True),
    ("ai:credentials:write", True),
    ("ai:apply", True),
    ("kb:read", False),
    ("kb:write", False),
    ("transcripts:read", False),
    ("account:read", False),
    ("account:write", False),
    ("billing:read", False),
    ("billing:write", True),
    ("partners:read", False),
    ("partners:withdraw", True),
    ("support:read", False),
    ("support:reply", True),
    ("support:write", False),
    ("support:tickets:close", False),
    # Beyond the specification's tables.
    ("automations:read", False),
    ("automations:write", True),
    ("articles:publish", True),
]
# Whose scopes go when a leaf app is taken out of the installation; by the first word of the scope.
OWNERS = {
    "webhooks": "apps.webhooks",
    "widget": "apps.widget",
    "channels": "apps.messengers",
    "messengers": "apps.messengers",
    "responder": "apps.ai",
    "ai": "apps.ai",
    "kb": "apps.kb",
    "billing": "apps.billing",
    "partners": "apps.billing",
    "support": "apps.support",
    "articles": "apps.articles",
}
TAKEN_OUT = {app for app in settings.PARLEY_APPS if not apps.is_installed(app)}
EXPECTED = {name: sensitive for name, sensitive in TABLE if OWNERS.get(name.partition(":")[0]) not in TAKEN_OUT}


def test_there_are_44_of_which_43_operational_and_three_of_our_own() -> None:
    assert len(TABLE) == 44 + 3
    assert len(plugins.scopes()) == len(EXPECTED)
    assert [scope.name for scope in plugins.scopes().values() if scope.reserved] == ["partners:withdraw"]


def test_names_and_sensitivity_are_the_tables() -> None:
    assert {scope.name: scope.sensitive for scope in plugins.scopes().values()} == EXPECTED


def test_every_scope_says_what_it_grants() -> None:
    for scope in plugins.scopes().values():
        assert scope.group
        assert scope.grants


def test_every_scope_is_grantable(shop: Widget) -> None:
    issued = actions.issue_token(widget=shop, scopes=EXPECTED)
    assert issued.token.scopes == list(EXPECTED)


@pytest.mark.parametrize("name", ["", "chats", "chats:", "chats:*", "CHATS:READ", "chats:read ", "*"])
def test_other_names_are_no_scopes(shop: Widget, name: str) -> None:
    with pytest.raises(actions.UnknownScopes):
        actions.issue_token(widget=shop, scopes=["chats:read", name])
