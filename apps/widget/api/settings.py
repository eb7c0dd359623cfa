"""A widget's settings over REST (specification, Endpoints, "Widget settings")."""

from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.serializers import Body, Choice
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import NOT_FOUND
from apps.widget.actions.settings import change_settings
from apps.widget.querysets.settings import language_answer, settings_answer, settings_of
from apps.widget.rules import fields
from apps.widget.rules.fields import DEFAULT
from apps.widget.rules.settings import schema_of
from apps.widget.serializers.settings import LanguageSerializer, SettingsSchemaSerializer, SettingsSerializer
from apps.widget.serializers.settings_requests import SettingsChangesBody


class LanguageBody(Body):
    """The widget's language."""

    widget_default_language = Choice(choices=list(fields.BY_NAME[DEFAULT].enum or ()))


class SettingsViewSet(ApiViewSet):
    reads = ("widget:read",)
    writes = ("widget:write",)

    @operation(summary="Read what widget settings may be", answers=SettingsSchemaSerializer)
    def describe(self, context: RequestContext) -> Answer:
        """Each member of the settings object with its type, its limits, its default and what a change does to it."""
        legacy = settings_of(context.widget_id).legacy
        described = {each.name: schema_of(each, legacy=legacy) for each in fields.SETTINGS}
        return {"schema_version": fields.SCHEMA_VERSION, "fields": described}

    @operation(summary="Read the widget's settings", answers=SettingsSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """Every setting with the value in effect. A text that the tenant has not written is null."""
        return settings_answer(context.widget_id)

    @operation(
        summary="Change the widget's settings",
        takes=SettingsChangesBody,
        answers=SettingsSerializer,
        problems=(NOT_FOUND,),
        example={"widget_position": "left", "widget_greeting": "Hello!", "device_profiles": {"enabled": True}},
    )
    def partial_update(self, context: RequestContext) -> Answer:
        """Changes what is sent and nothing else; null clears a setting, so that its default holds.

        `device_profiles` merges deeply: what is omitted stays, a null leaf, device or root removes what is there, and
        `enabled` false keeps it unserved. `widget_text_translations` is replaced whole. A value that is in effect
        already is not written. Visitors are served the change at once: nothing is cached.
        """
        change_settings(widget_id=context.widget_id, changes=context.body)
        return settings_answer(context.widget_id)

    @operation(summary="Read the widget's language", answers=LanguageSerializer)
    def language(self, context: RequestContext) -> Answer:
        """The widget's default language, and the one that it speaks by itself."""
        return language_answer(context.widget_id)

    @operation(
        summary="Set the widget's language",
        takes=LanguageBody,
        answers=LanguageSerializer,
        example={"widget_default_language": "auto"},
    )
    def set_language(self, context: RequestContext) -> Answer:
        """The same write as the PATCH of the settings with this one member. An unsupported language is 422."""
        change_settings(widget_id=context.widget_id, changes=context.body)
        return language_answer(context.widget_id)
