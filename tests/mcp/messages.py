"""Messages as clients of either era send them, without a client's library."""

from collections.abc import Mapping
from typing import Any

from tests.client import ApiClient

META = "io.modelcontextprotocol/"
NEWEST = "2026-07-28"


class Mcp:
    """Posts single messages; `legacy` and `modern` requests differ in their headers and `_meta`."""

    def __init__(self, token: str | None) -> None:
        self._api = ApiClient(token)

    def post(self, message: Any, *, headers: Mapping[str, str] | None = None, **options: Any) -> Any:
        options.setdefault("idempotency_key", None)
        return self._api.post("/mcp", json=message, headers=headers, **options)

    def send(self, method: str, *, http_method: str = "POST", **options: Any) -> Any:
        return self._api.request(http_method, "/mcp", json=request(method), idempotency_key=None, **options)

    def legacy(self, method: str, params: Any = None, *, version: str | None = "2025-11-25", **headers: str) -> Any:
        sent = {**({"MCP-Protocol-Version": version} if version else {}), **headers}
        return self.post(request(method, params), headers=sent)

    def modern(self, method: str, params: Mapping[str, Any] | None = None, **changes: str) -> Any:
        meta = {f"{META}protocolVersion": NEWEST, f"{META}clientCapabilities": {}}
        sent = {"MCP-Protocol-Version": NEWEST, "Mcp-Method": method}
        if params and isinstance(params.get("name"), str):
            sent["Mcp-Name"] = params["name"]
        headers = {name: value for name, value in {**sent, **changes}.items() if value}
        return self.post(request(method, {**(params or {}), "_meta": meta}), headers=headers)

    def call(self, tool: str, **arguments: Any) -> Any:
        """The result of a tool."""
        answer = self.legacy("tools/call", {"name": tool, "arguments": arguments}).json()
        assert "result" in answer, answer
        return answer["result"]

    def refusal(self, tool: str, **arguments: Any) -> Any:
        """The problem with which a tool refuses."""
        result = self.call(tool, **arguments)
        assert result["isError"], result
        return result["structuredContent"]

    def tools(self) -> dict[str, Any]:
        """The listed tools, by name."""
        return {tool["name"]: tool for tool in self.legacy("tools/list").json()["result"]["tools"]}


def request(method: str, params: Any = None, id_: Any = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "method": method, **({"params": params} if params is not None else {})}
