"""The webhooks of the OpenAPI document that a widget's bot is sent (specification, "Compat routes")."""

from apps.compat.payloads import EVENTS
from apps.core import destinations
from apps.core.payloads import Schema, example_of, object_schema, webhook
from apps.core.plugins import DocumentAddition

# What a schema can't say.
GUIDE = "/api/docs/guides/migrating"


def document() -> Schema:
    """The app's part of the OpenAPI document; nothing unless an app that delivers is installed."""
    if not destinations.is_available():
        return {}
    examples = {declared: example_of(declared) for declared in EVENTS}
    return {
        "webhooks": {
            f"legacy_bot.{example['event']}": {
                "post": webhook(
                    f"legacy_bot.{example['event']}",
                    summary=f"{example['event']} for a bot",
                    description=f"{declared.__doc__}\n\n{_SAYS}",
                    schema=f"Bot{declared.__name__.removeprefix('Legacy')}",
                    example=example,
                )
            }
            for declared, example in examples.items()
        },
        "components": {
            "schemas": {
                f"Bot{declared.__name__.removeprefix('Legacy')}": object_schema(declared) for declared in EVENTS
            }
        },
    }


_SAYS = f"""Posted to the widget's bot, at least once and in no particular order, as the other platform tells its bots.

`X-Service-Event` is the value of `event`. How to register a bot, and what it hears when: [the guide]({GUIDE})."""


ADDITION = DocumentAddition(document)
