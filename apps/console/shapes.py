"""What operators are answered."""

from apps.core.endpoints.serializers import Text
from apps.core.endpoints.shapes import Shape


class TicketShape(Shape):
    """The right to open one socket, once, within 60 seconds."""

    ticket = Text()
