"""The guide names the tools, and its configurations are the ones that the clients read."""

import json
import re

from apps.mcp.actions.catalogue import catalogue
from config.environment import PROJECT_ROOT

GUIDE = (PROJECT_ROOT / "docs/guides/mcp.md").read_text()


def test_its_table_has_every_tool_with_its_call_and_its_scopes() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `(\w+) (/v1/\S+)`[^|]* \| (`[^|]+) \|$", GUIDE, re.MULTILINE)
    told = {name: (method, path, tuple(re.findall("`([^`]+)`", scopes))) for name, method, path, scopes in rows}
    assert told == {
        name: (call.tool.method, f"/v1/{call.tool.path}", call.operation.scopes) for name, call in catalogue().items()
    }


def test_its_configurations_have_the_address_and_the_token() -> None:
    found = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL)]
    servers = [(each.get("mcpServers") or each["servers"])["parley"] for each in found]
    by_address = [server for server in servers if "url" in server]
    assert [server["url"] for server in by_address] == ["https://chat.example.com/mcp"] * 3
    assert all(server["headers"]["Authorization"].startswith("Bearer ${") for server in by_address)
    (started,) = [server for server in servers if "command" in server]
    assert started["args"][-1] == "parley-mcp"
    assert started["env"].keys() == {"PARLEY_URL", "PARLEY_TOKEN"}
    assert "parley-mcp = " in (PROJECT_ROOT / "clients/mcp/pyproject.toml").read_text()
