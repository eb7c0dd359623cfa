"""The endpoint and its contracts: what every call over HTTP goes through, and what the OpenAPI document says of it.

Who may come in and in which order a call is refused (`viewsets`), what an operation declares (`operations`), strict
bodies and queries and the shapes of answers (`serializers`, `windows`), pages (`paging`), idempotency, uploads.
"""
