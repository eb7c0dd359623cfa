"""The only writers of the knowledge base, by noun."""
