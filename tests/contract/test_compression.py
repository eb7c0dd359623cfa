"""Of every operation: what it answers is compressed if it declares so, and nothing with a secret ever is."""

import gzip

import pytest

from apps.core.endpoints import compression
from apps.core.endpoints.row_serializers import RowSerializer, Secret, secrets_in
from apps.core.endpoints.serializers import Text
from apps.widget.authentication import VisitorAuthenticator
from tests.contract.requests import to
from tests.contract.routes import ROUTES, Route, each_route, needs_session, takes_token
from tests.contract.samples import World

# How the names of fields end whose values open something.
TELLING = ("token", "secret", "password", "key")


@each_route()
def test_it_is_compressed_only_where_it_is_declared(
    route: Route, world: World, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compression, "MIN_BYTES", 1)
    response = to(route, world, token).but(headers={"Accept-Encoding": "gzip"}).send()
    assert response.status_code in route.successes
    if route.operation.compresses is None:
        assert "Content-Encoding" not in response.headers
        return
    assert response.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in response.headers["Vary"]
    plain = gzip.decompress(response.content)
    for secret in (token, "/files/", "visitor_token", '"secret"'):
        assert secret.encode() not in plain


@each_route(when=lambda route: route.operation.compresses is not None)
def test_only_reads_without_a_secret_are(route: Route) -> None:
    assert route.method == "GET"
    serializer = route.operation.answers
    assert serializer is None or secrets_in(serializer()) == []
    if route.operation.compresses == "public":
        assert not takes_token(route)
        assert not needs_session(route)


@each_route(when=lambda route: needs_session(route))
def test_nothing_of_a_visitors_session_is(route: Route) -> None:
    assert isinstance(route.routed.viewset.authenticator, VisitorAuthenticator)
    assert route.operation.compresses is None


def test_a_field_whose_name_tells_of_a_secret_is_declared_as_one() -> None:
    answering = {route.name: route.operation.answers() for route in ROUTES if route.operation.answers is not None}
    assert len(answering) > 200
    assert {name: found for name, answer in answering.items() if (found := undeclared(answer))} == {}


# Names of a thing that the shop chose, which every operator sees, and the values that a report is filtered by.
NO_SECRETS = {
    *(("ShopCardSerializer", "key"), ("DeclaredAttributeSerializer", "key")),
    ("MacroQuestionSerializer", "key"),
    *(("QuestionSerializer", "key"), ("ServedQuestionSerializer", "key")),
    *(("ReportGroupSerializer", "key"), ("MoneyGroupSerializer", "key")),
    *(("CriterionSerializer", "key"), ("ReviewScoreSerializer", "key"), ("SuggestedScoreSerializer", "key")),
    ("AgreementSerializer", "key"),
}


def undeclared(serializer: RowSerializer) -> list[str]:
    found = []
    for name, field in serializer.fields.items():
        nested = getattr(field, "child", field)
        if isinstance(nested, RowSerializer):
            found += undeclared(nested)
        elif (type(serializer).__name__, name) in NO_SECRETS:
            continue
        elif isinstance(field, Text) and name.endswith(TELLING) and not getattr(field, "is_secret", False):
            found.append(name)
    return found


class TestSamples:
    def test_a_secret_by_its_name(self) -> None:
        class Declared(RowSerializer):
            visitor_token = Secret()

        class Forgotten(RowSerializer):
            api_key = Text()

        class Around(RowSerializer):
            inside = Forgotten(many=True)

        assert undeclared(Declared()) == []
        assert undeclared(Around()) == ["api_key"]
