"""A test question of an assistant, made in one click of a chat."""

from django.apps import apps as django_apps

from apps.ai.errors import TOO_MANY_CASES
from apps.ai.serializers.evaluations import EvaluationCaseSerializer
from apps.chats.models import Message
from apps.console.authentication import SessionAuthenticator
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.viewsets import EndpointViewSet
from apps.core.errors import NOT_FOUND


class MessageCaseViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()
    target = Message

    @operation(
        summary="Make a test question of a message",
        answers=EvaluationCaseSerializer,
        status=201,
        problems=(TOO_MANY_CASES,),
    )
    def create(self, context: RequestContext) -> Answer:
        """The visitor's words that the message answers, redacted. For the assistant that wrote it, else for all.

        Without words of a visitor before the message it is 422.
        """
        if not django_apps.is_installed("apps.ai"):
            raise NOT_FOUND("There is no assistant that could be asked it.")
        from apps.ai.actions.evaluation_cases import case_of_message

        message = Message.objects.for_widget(context.widget_id).get_or_404(pk=context.target_id)
        return case_of_message(message=message)
