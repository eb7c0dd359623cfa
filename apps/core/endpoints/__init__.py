"""The endpoint and its contracts: what every call over HTTP goes through, and what the OpenAPI document says of it.

A resource is a viewset of operations (`viewsets`, `operations`) with strict bodies and filters (`serializers`,
`windows`) and shapes of its answers (`shapes`). The viewset's `authenticator` authenticates the caller; a handler gets
a `Call` (`calls`), which finds the path's object and makes pages (`paging`).
"""
