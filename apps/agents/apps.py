from apps.core import plugins


class AgentsConfig(plugins.ParleyAppConfig):
    name = "apps.agents"
    label = "agents"
    plugin = plugins.Plugin(
        scopes=(
            plugins.Scope("agents:read", "Agents", "read agents, presence, invitations and external operators"),
            plugins.Scope(
                "agents:write", "Agents", "invite, update, suspend, restore and remove agents", sensitive=True
            ),
            plugins.Scope("agents:events:read", "Agents", "read the agents' event log"),
            plugins.Scope("departments:read", "Agents", "read departments"),
            plugins.Scope("departments:write", "Agents", "manage departments"),
        ),
        demo="apps.agents.demo.seed",
    )
