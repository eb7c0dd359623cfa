"""The names of fields that no page of the cabinet has named: those that several apps have; an app's own are its own."""

from django.apps import apps as django_apps
from django.utils.translation import gettext, gettext_noop

from apps.core.plugins import ParleyAppConfig

FIELDS = {
    "id": gettext_noop("number"),
    "referred_by": gettext_noop("recommended by"),
    "is_active": gettext_noop("active"),
    "action": gettext_noop("deed"),
    "kind": gettext_noop("kind"),
    "type": gettext_noop("kind"),
    "intent": gettext_noop("intent"),
    "export": gettext_noop("export"),
    "phone": gettext_noop("phone"),
    "referral_code": gettext_noop("referral code"),
    "joined_at": gettext_noop("joined"),
    "provider_subject": gettext_noop("name at the sign-in provider"),
    "guid": gettext_noop("public id"),
    "time_zone": gettext_noop("time zone"),
    "answerers": gettext_noop("who answers"),
    "steps_put_away_at": gettext_noop("first steps put away at"),
    "moving_since": gettext_noop("moves since"),
    "scopes": gettext_noop("permissions"),
    "status": gettext_noop("state"),
    "state": gettext_noop("state"),
    "target": gettext_noop("address"),
    "url": gettext_noop("address"),
    "account": gettext_noop("account"),
    "widget": gettext_noop("widget"),
    "account_id": gettext_noop("account"),
    "provider": gettext_noop("provider"),
    "created_at": gettext_noop("created"),
    "updated_at": gettext_noop("changed"),
    "content_type": gettext_noop("kind of content"),
    "operator": gettext_noop("operator"),
    "agent": gettext_noop("operator"),
    "token": gettext_noop("token"),
    "assistant_id": gettext_noop("assistant"),
    "enabled": gettext_noop("on"),
    "size": gettext_noop("size"),
    "chat_id": gettext_noop("chat"),
    "text": gettext_noop("wish"),
    "version": gettext_noop("version"),
    "reason": gettext_noop("reason"),
    "queued_at": gettext_noop("queued"),
    "started_at": gettext_noop("began"),
    "finished_at": gettext_noop("finished"),
}


def word_for(app: str, name: str) -> str | None:
    """The name of an app's field, marked for translation: its own (`Plugin.field_words`), else the one of all apps."""
    config = django_apps.get_app_config(app) if app else None
    own = config.plugin.field_words if isinstance(config, ParleyAppConfig) else {}
    return own.get(name) or FIELDS.get(name)


def field_name(app: str, name: str) -> str:
    """A field in the reader's language."""
    word = word_for(app, name)
    return gettext(word) if word else name.replace("_", " ")
