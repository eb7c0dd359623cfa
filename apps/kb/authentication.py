"""API tokens at addresses whose GET refuses a body (specification, Endpoints, "Knowledge base": 400)."""

from apps.core.endpoints.authentication import TokenAuthenticator
from apps.core.errors import UNEXPECTED_BODY


class BodilessAuthenticator(TokenAuthenticator):
    unexpected_body = UNEXPECTED_BODY
