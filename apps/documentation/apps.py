from apps.core import plugins


class DocumentationConfig(plugins.ParleyAppConfig):
    name = "apps.documentation"
    label = "documentation"
