"""The base of the viewsets whose callers are a company's own application."""

from apps.core.endpoints.calls import Call
from apps.core.endpoints.viewsets import EndpointViewSet
from apps.support.admission import SignedAdmission
from apps.support.models import Binding


class SignedViewSet(EndpointViewSet):
    admission = SignedAdmission()
    writes = ("ai:write",)

    @staticmethod
    def binding(call: Call) -> Binding:
        """The binding whose signature the call bears; the admission has looked at it."""
        binding: Binding = call.request.binding  # type: ignore[attr-defined]
        return binding
