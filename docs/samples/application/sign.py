"""Signs a call to Parley and makes it: PARLEY_URL, PARLEY_TOKEN and PARLEY_SECRET say where to and as whom.

    echo '{"text": "Hello"}' | python3 sign.py /api/v1/ai/assistant/text-to-speech

With PARLEY_DRY_RUN=1 it prints the headers, and calls nobody.
"""

import hashlib
import hmac
import os
import secrets
import sys
import time
import urllib.request


def envelope(secret: str, method: str, target: str, body: bytes, timestamp: str, nonce: str) -> dict[str, str]:
    """The three headers. `target` is the path with its query, as it is sent; `body` the bytes that are sent."""
    signed = "\n".join((timestamp, nonce, method, target, hashlib.sha256(body).hexdigest()))
    digest = hmac.new(secret.encode(), signed.encode(), hashlib.sha256).hexdigest()
    return {
        "X-Service-Timestamp": timestamp,
        "X-Service-Nonce": nonce,
        "X-Service-Signature": f"sha256=v1:{digest}",
    }


if __name__ == "__main__":
    target, body = sys.argv[1], sys.stdin.buffer.read()
    timestamp = os.environ.get("PARLEY_TIMESTAMP") or str(int(time.time()))
    nonce = os.environ.get("PARLEY_NONCE") or secrets.token_urlsafe(24)
    headers = envelope(os.environ["PARLEY_SECRET"], "POST", target, body, timestamp, nonce)
    if os.environ.get("PARLEY_DRY_RUN"):
        for name, value in headers.items():
            print(f"{name}: {value}")
        sys.exit()
    headers |= {"Authorization": f"Bearer {os.environ['PARLEY_TOKEN']}", "Content-Type": "application/json"}
    request = urllib.request.Request(os.environ["PARLEY_URL"] + target, data=body, headers=headers, method="POST")  # noqa: S310
    with urllib.request.urlopen(request, timeout=60) as response:  # noqa: S310 - the address is yours
        print(response.read().decode())
