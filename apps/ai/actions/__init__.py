"""The only writers of a widget's AI configuration, and what calls its models."""
