"""API tokens at addresses whose GET refuses a body (specification, Endpoints, "Knowledge base": 400)."""

from apps.core.endpoints.authentication import TokenAdmission
from apps.core.errors import UNEXPECTED_BODY


class BodilessAdmission(TokenAdmission):
    unexpected_body = UNEXPECTED_BODY
