"""MCP: the REST API as tools of the Model Context Protocol, at `POST /mcp` (docs/guides/mcp.md).

Owns: the protocol, and the list of tools with their words for models. Does not own: what a tool does. Each is one call
of the REST API, which is run in this process through the same door (`core/endpoints/viewsets.py`): scopes, validation,
idempotency, audit and answers are the operation's, and the arguments are the ones that it declares.
"""
