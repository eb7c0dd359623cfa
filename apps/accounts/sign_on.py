"""Signing in by a provider of OpenID Connect, where a setting names one (docs/guides/single-sign-on.md).

The authorization code flow with PKCE (OpenID Connect Core 1.0, 3.1; RFC 7636), the provider's addresses by Discovery
1.0, signing out there by RP-Initiated Logout 1.0. The ID token alone counts; no access token is kept or used.

Owns the talk with the provider. `actions/provided.py` decides what its answer counts for here.
"""

import base64
import hashlib
import json
import secrets
import time
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from django.conf import settings
from django.contrib.auth.backends import BaseBackend, ModelBackend
from django.http import HttpRequest
from django.urls import reverse
from joserfc import jwk, jwt
from joserfc.errors import JoseError

from apps import egress
from apps.accounts.models import User

# Signatures of whom the provider's public keys tell: never `none`, nor what the client's own secret signs.
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
LEEWAY_S = 60
# How long somebody may take at the provider, and how long its addresses and keys are believed without asking.
WITHIN_S, KEPT_S = 600, 300
CALL_S, MAX_BYTES = 10.0, 512 * 1024
# The session's notes: of who is on the way, and of the ID token by which the provider ends its own session.
ON_THE_WAY, ID_TOKEN = "sign_on", "sign_on_id_token"


class ProviderAway(Exception):
    """The provider does not answer, or not in order."""


class NotVouchedFor(Exception):
    """The response does not prove the identity of this browser's person; the message says why, for the log."""


class Person(NamedTuple):
    """The person that the provider vouches for. None where its token names none."""

    subject: str
    email: str
    name: str
    surname: str
    groups: frozenset[str] | None


class Return(NamedTuple):
    """The person who came back, by which ID token, and where they were going."""

    person: Person
    token: str
    then: str


class PasswordBackend(ModelBackend):
    """Signing in by a password; of owners and superusers alone, where the setting says so."""

    def user_can_authenticate(self, user: Any) -> bool:
        may = super().user_can_authenticate(user)
        return may and (settings.OIDC_PASSWORDS == "all" or user.is_owner or user.is_superuser)


class ProviderBackend(BaseBackend):
    """Signs in people whom the provider let in; they owe no code of ours: asking for one is the provider's."""

    def get_user(self, user_id: int) -> User | None:
        user: User | None = User.objects.filter(pk=user_id, is_active=True).first()
        if user is None or not settings.OIDC_ISSUER:
            return None
        user.by_provider = True
        return user


def way_to_provider(request: HttpRequest, *, then: str) -> str:
    """The provider's address to send the browser to; the session notes that it is on the way, and leads on to `then`.

    Raises ProviderAway.
    """
    state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
    address = _said_by(_metadata(), "authorization_endpoint")
    request.session[ON_THE_WAY] = {
        "state": state,
        "nonce": nonce,
        "verifier": verifier,
        "then": then,
        "until": int(time.time()) + WITHIN_S,
    }
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    asked = {
        "response_type": "code",
        "client_id": settings.OIDC_CLIENT_ID,
        "redirect_uri": _back(),
        "scope": settings.OIDC_SCOPES,
        "state": state,
        "nonce": nonce,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    return f"{address}{'&' if '?' in address else '?'}{urlencode(asked)}"


def come_back(request: HttpRequest) -> Return:
    """The person who came back, as the provider says. The session's note of who is on the way counts once.

    Raises NotVouchedFor, ProviderAway.
    """
    note = request.session.pop(ON_THE_WAY, None)
    if note is None or not secrets.compare_digest(note["state"].encode(), request.GET.get("state", "").encode()):
        raise NotVouchedFor("no such state in this session")
    if time.time() > note["until"]:
        raise NotVouchedFor("it took too long")
    code = request.GET.get("code", "")
    if not code:
        raise NotVouchedFor(f"the provider refused: {request.GET.get('error', 'no code')[:100]}")
    token = _token_for(code, note["verifier"])
    claims = _claims(token, note["nonce"])
    return Return(_person(claims), token, note["then"])


def way_to_sign_out(request: HttpRequest, *, then: str) -> str | None:
    """The address at which the provider ends its session too; None for a person who came by a password, for a provider
    that knows no such address, and for one that is away.
    """
    token = request.session.get(ID_TOKEN)
    if token is None or not settings.OIDC_ISSUER:
        return None
    try:
        address = _metadata().get("end_session_endpoint")
    except ProviderAway:
        return None
    if not isinstance(address, str):
        return None
    asked = {
        "id_token_hint": token,
        "client_id": settings.OIDC_CLIENT_ID,
        "post_logout_redirect_uri": settings.PUBLIC_URL + then,
    }
    return f"{address}{'&' if '?' in address else '?'}{urlencode(asked)}"


def _back() -> str:
    return settings.PUBLIC_URL + reverse("signed-on")


def _token_for(code: str, verifier: str) -> str:
    body = {"grant_type": "authorization_code", "code": code, "redirect_uri": _back(), "code_verifier": verifier}
    headers, said = {"Content-Type": "application/x-www-form-urlencoded"}, _metadata()
    ways = said.get("token_endpoint_auth_methods_supported")
    if isinstance(ways, list) and "client_secret_post" in ways and "client_secret_basic" not in ways:
        body |= {"client_id": settings.OIDC_CLIENT_ID, "client_secret": settings.OIDC_CLIENT_SECRET}
    else:
        # RFC 6749, 2.3.1: both parts are encoded like a form's before they are joined.
        who = f"{quote(settings.OIDC_CLIENT_ID, safe='')}:{quote(settings.OIDC_CLIENT_SECRET, safe='')}"
        headers["Authorization"] = f"Basic {base64.b64encode(who.encode()).decode()}"
    address = _said_by(said, "token_endpoint")
    status, answer = _called("POST", address, headers=headers, body=urlencode(body).encode())
    if 400 <= status < 500:
        raise NotVouchedFor(f"the code was refused: {str(answer.get('error'))[:100]}")
    return _said_by(answer, "id_token")


def _claims(token: str, nonce: str) -> dict[str, Any]:
    """The claims of the ID token, after its signature, issuer, audience, time and nonce (Core 1.0, 3.1.3.7)."""
    registry = jwt.JWTClaimsRegistry(
        leeway=LEEWAY_S,
        iss={"essential": True, "value": settings.OIDC_ISSUER},
        aud={"essential": True, "value": settings.OIDC_CLIENT_ID},
        sub={"essential": True},
        exp={"essential": True},
        iat={"essential": True},
        nonce={"essential": True, "value": nonce},
    )
    try:
        read = _read_token(token)
        registry.validate(read)
    except (JoseError, ValueError) as error:
        raise NotVouchedFor(f"the ID token: {type(error).__name__}: {error}") from error
    if read.get("azp", settings.OIDC_CLIENT_ID) != settings.OIDC_CLIENT_ID:
        raise NotVouchedFor("the ID token is for another client")
    return read


def _read_token(token: str) -> dict[str, Any]:
    try:
        return jwt.decode(token, _keys(), algorithms=ALGORITHMS).claims
    except (JoseError, ValueError):
        # Keys change now and then; what is not signed by any known one is read again by those of now.
        _kept.pop((settings.OIDC_ISSUER, "keys"), None)
        return jwt.decode(token, _keys(), algorithms=ALGORITHMS).claims


def _person(claims: Mapping[str, Any]) -> Person:
    email = claims.get("email")
    if not isinstance(email, str) or not email:
        raise NotVouchedFor("the ID token has no e-mail address")
    if not settings.OIDC_TRUST_EMAILS and claims.get("email_verified") not in (True, "true"):
        raise NotVouchedFor("the provider has not verified the e-mail address")
    groups = claims.get(settings.OIDC_GROUPS_CLAIM)
    texts = {name: claims[name] for name in ("given_name", "family_name", "name") if isinstance(claims.get(name), str)}
    return Person(
        subject=f"{settings.OIDC_ISSUER} {claims['sub']}"[:512],
        email=email,
        name=texts.get("given_name", texts.get("name", ""))[:255],
        surname=texts.get("family_name", "")[:255],
        groups=frozenset(map(str, groups)) if isinstance(groups, list) else None,
    )


# What the provider said of itself, and until when that is believed.
_kept: dict[tuple[str, str], tuple[float, Any]] = {}


def _metadata() -> dict[str, Any]:
    def read() -> dict[str, Any]:
        said = _read_json(f"{settings.OIDC_ISSUER.rstrip('/')}/.well-known/openid-configuration")
        if said.get("issuer") != settings.OIDC_ISSUER:
            raise ProviderAway("its document names another issuer")
        return said

    found: dict[str, Any] = _kept_or("metadata", read)
    return found


def _keys() -> jwk.KeySet | jwk.Key:
    """The provider's keys; its only one by itself, where it has no id: then it is the one, whichever a token names
    (Core 1.0, 10.1).
    """

    def read() -> jwk.KeySet | jwk.Key:
        try:
            said = _read_json(_said_by(_metadata(), "jwks_uri"))
            listed = said["keys"]
            if len(listed) == 1 and "kid" not in listed[0]:
                return jwk.import_key(listed[0])
            return jwk.KeySet.import_key_set(said)  # type: ignore[arg-type]
        except (JoseError, ValueError, KeyError, TypeError) as error:
            raise ProviderAway("its keys can't be read") from error

    found: jwk.KeySet | jwk.Key = _kept_or("keys", read)
    return found


def _kept_or(what: str, read: Any) -> Any:
    until, found = _kept.get((settings.OIDC_ISSUER, what), (0.0, None))
    if time.monotonic() >= until:
        found = read()
        _kept[(settings.OIDC_ISSUER, what)] = (time.monotonic() + KEPT_S, found)
    return found


def _read_json(address: str) -> dict[str, Any]:
    status, answer = _called("GET", address)
    if status != 200:
        raise ProviderAway(f"{address} answers {status}")
    return answer


def _called(method: str, address: str, **how: Any) -> tuple[int, dict[str, Any]]:
    headers = {"Accept": "application/json", **how.pop("headers", {})}
    try:
        with egress.outbound_waits.slot(None):
            answer = egress.fetch(method, address, headers=headers, timeout=CALL_S, max_bytes=MAX_BYTES, **how)
        said = json.loads(answer.body)
    except (egress.BulkheadFull, egress.EgressRefused, ValueError) as error:
        raise ProviderAway(f"{address}: {type(error).__name__}") from error
    if answer.status >= 500 or not isinstance(said, dict):
        raise ProviderAway(f"{address} answers {answer.status}")
    return answer.status, said


def _said_by(said: Mapping[str, Any], name: str) -> str:
    value = said.get(name)
    if not isinstance(value, str) or not value:
        raise ProviderAway(f"it names no {name}")
    return value
