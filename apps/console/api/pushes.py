"""Browsers in which the operator is told of visitors while the console is closed."""

from apps.console.actions import pushes
from apps.console.authentication import SessionAuthenticator
from apps.console.rules.push_keys import MAX_ENDPOINT, auth_refusal, endpoint_refusal, key_refusal
from apps.console.serializers.responses import PushKeySerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.serializers import Body, Text, validator_of
from apps.core.endpoints.viewsets import EndpointViewSet


class BrowserBody(Body):
    """A browser's subscription, as `PushSubscription.toJSON()` has it."""

    endpoint = Text(min_length=1, max_length=MAX_ENDPOINT, validators=[validator_of(endpoint_refusal)])
    p256dh = Text(min_length=1, max_length=100, validators=[validator_of(key_refusal)])
    auth = Text(min_length=1, max_length=40, validators=[validator_of(auth_refusal)])


class ForgottenBrowserBody(Body):
    """The subscription that is to end."""

    endpoint = Text(min_length=1, max_length=MAX_ENDPOINT)


_EXAMPLE = {
    "endpoint": "https://push.example/send/abc",
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}


class PushViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()

    @operation(summary="Show the key to subscribe with", answers=PushKeySerializer)
    def retrieve(self, context: RequestContext) -> dict[str, str]:
        """The key never changes: a browser that subscribed with another one gets no messages."""
        return {"subscribe_with": pushes.public_key()}

    @operation(summary="Tell me in this browser", takes=BrowserBody, status=204, example=_EXAMPLE)
    def update(self, context: RequestContext) -> None:
        """While the console is closed everywhere and visitors wait, until the session ends. At most 20 browsers."""
        pushes.add_browser(agent=context.caller.agent, session_key=context.caller.session_key, **context.body)

    @operation(
        summary="Tell me no more in this browser",
        takes=ForgottenBrowserBody,
        status=204,
        example={"endpoint": "https://push.example/send/abc"},
    )
    def forget(self, context: RequestContext) -> None:
        pushes.remove_browser(agent=context.caller.agent, endpoint=context.body["endpoint"])
