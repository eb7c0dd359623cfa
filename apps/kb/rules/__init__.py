"""Pure rules of the knowledge base, by noun."""
