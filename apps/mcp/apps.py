from apps.core import plugins


class McpConfig(plugins.ParleyAppConfig):
    name = "apps.mcp"
    label = "mcp"
    verbose_name = "Model Context Protocol"
