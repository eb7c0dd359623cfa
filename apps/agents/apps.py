from apps.core.plugins import ParleyAppConfig, Plugin, Scope


class AgentsConfig(ParleyAppConfig):
    name = "apps.agents"
    label = "agents"
    plugin = Plugin(
        scopes=(
            Scope("agents:read", "Agents", "read agents, presence, invitations and external operators"),
            Scope("agents:write", "Agents", "invite, update, suspend, restore and remove agents", sensitive=True),
            Scope("agents:events:read", "Agents", "read the agents' event log"),
            Scope("departments:read", "Agents", "read departments"),
            Scope("departments:write", "Agents", "manage departments"),
        ),
        demo="apps.agents.demo.seed",
    )
