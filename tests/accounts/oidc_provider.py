"""A provider of OpenID Connect on loopback, which signs for real and can be told to misbehave."""

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwk, jwt

CLIENT_ID, CLIENT_SECRET = "parley", "se:cret"


class Provider:
    """`with Provider() as provider`. `claims` is what it says of who signs in; `change` the last word on a token."""

    def __init__(self) -> None:
        self.key = jwk.RSAKey.generate_key(2048, {"kid": "one"})
        self.claims: dict[str, Any] = {}
        self.change: Callable[[dict[str, Any]], dict[str, Any]] = lambda claims: claims
        self.sign: Callable[[dict[str, Any]], str] = self._sign
        self.issuer_in_document: str | None = None
        self.is_down = False
        self.ways: list[str] | None = None  # token_endpoint_auth_methods_supported
        self.has_kid = True
        self.codes: dict[str, dict[str, str]] = {}
        # What UserInfo says, to the bearer of a token that was given out; None: the provider has no such address.
        self.userinfo: dict[str, Any] | None = None
        self.userinfo_answer: Callable[[], tuple[int, bytes]] | None = None  # in place of what is right
        self.userinfo_calls = 0
        self.access_tokens: set[str] = set()

    def __enter__(self) -> Self:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if provider.is_down:
                    self._say(503, {})
                elif self.path == "/.well-known/openid-configuration":
                    self._say(200, provider.document())
                elif self.path == "/userinfo":
                    self._say(*provider.tell(self.headers.get("Authorization", "")))
                else:
                    key = dict(provider.key.as_dict(private=False))
                    if not provider.has_kid:
                        del key["kid"]
                    self._say(200, {"keys": [key]})

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                form = {name: values[0] for name, values in parse_qs(body).items()}
                self._say(*provider.exchange(form, self.headers.get("Authorization", "")))

            def _say(self, status: int, said: dict[str, Any] | bytes) -> None:
                content = said if isinstance(said, bytes) else json.dumps(said).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def document(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer_in_document or self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "end_session_endpoint": f"{self.issuer}/bye",
            **({} if self.userinfo is None else {"userinfo_endpoint": f"{self.issuer}/userinfo"}),
            **({"token_endpoint_auth_methods_supported": self.ways} if self.ways else {}),
        }

    def authorize(self, address: str) -> str:
        """What a browser that follows the address is sent back to, once its person has signed in there."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        code = f"code-{len(self.codes)}"
        self.codes[code] = asked
        return f"{urlsplit(asked['redirect_uri']).path}?{urlencode({'code': code, 'state': asked['state']})}"

    def exchange(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        """A code for an ID token, once, for the client alone that asked and proves it (RFC 7636)."""
        basic = f"Basic {base64.b64encode(f'{CLIENT_ID}:se%3Acret'.encode()).decode()}"
        if self.ways and "client_secret_basic" not in self.ways:
            is_client = not authorization and (form.get("client_id"), form.get("client_secret")) == (
                CLIENT_ID,
                CLIENT_SECRET,
            )
        else:
            is_client = authorization == basic and "client_secret" not in form
        asked = self.codes.pop(form.get("code", ""), None)
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if (
            not is_client
            or asked is None
            or challenge != asked["code_challenge"]
            or form["redirect_uri"] != asked["redirect_uri"]
        ):
            return 400, {"error": "invalid_grant"}
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": asked["client_id"], "iat": now, "exp": now + 60, "nonce": asked["nonce"]}
        access_token = secrets.token_urlsafe(32)
        self.access_tokens.add(access_token)
        answer = {"id_token": self.sign(self.change(claims | self.claims)), "access_token": access_token}
        return 200, answer | {"token_type": "Bearer"}

    def tell(self, authorization: str) -> tuple[int, dict[str, Any] | bytes]:
        """UserInfo (Core 1.0, 5.3): 401 without a token that this provider gave out."""
        self.userinfo_calls += 1
        if authorization.removeprefix("Bearer ") not in self.access_tokens or not authorization.startswith("Bearer "):
            return 401, {"error": "invalid_token"}
        if self.userinfo_answer is not None:
            return self.userinfo_answer()
        return 200, self.userinfo or {}

    def _sign(self, claims: dict[str, Any]) -> str:
        return jwt.encode({"alg": "RS256", "kid": self.key.kid}, claims, self.key)
