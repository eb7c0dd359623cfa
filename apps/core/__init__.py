"""The ground under every app, with no domain of its own.

Owns: the plugin registry, the event bus, problems, strict JSON, the API's base viewset, pagination, idempotency, rate
limits, outbound calls (egress), encryption, time windows, OpenAPI, health, metrics and logs. It knows no chat, agent or
token: the apps above plug in what they have.
"""
