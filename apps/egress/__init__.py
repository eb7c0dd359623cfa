"""Outbound calls to addresses that users gave: read strictly, resolved once, checked, pinned, and bounded.

- `vet(url)` when a URL is saved;
- `fetch` and `open_stream` for single calls, over the guarded `transport`; `certificate_ends_at` for a host's TLS;
- `batch.GuardedSession` for many at once: not imported here, as it takes an HTTP client that few processes need;
- `imap.open_imap` and `smtp.smtp_talk`, talks with mail servers that users named: not imported here, either;
- `outbound_waits`, the bulkhead, whose places all of these are called in within a request;
- `allow_list_problems` for the start-up check of EGRESS_ALLOW.

InvalidUrl says what is wrong with a URL, for its author. EgressRefused has one text for everything else, and a `reason`
for logs alone. Owns no policy of what to call, when to retry or what to tell a user.
"""

from apps.egress.allowlist import allow_list_problems
from apps.egress.bulkhead import BulkheadFull, outbound_waits
from apps.egress.errors import EgressRefused, InvalidUrl, LoginRefused
from apps.egress.resolution import Lookup, vet
from apps.egress.single import Response, Stream, certificate_ends_at, fetch, open_stream
from apps.egress.targets import Target

__all__ = [
    "BulkheadFull",
    "EgressRefused",
    "InvalidUrl",
    "LoginRefused",
    "Lookup",
    "Response",
    "Stream",
    "Target",
    "allow_list_problems",
    "certificate_ends_at",
    "fetch",
    "open_stream",
    "outbound_waits",
    "vet",
]
