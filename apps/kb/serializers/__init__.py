"""The serializers of the knowledge base's objects, by noun."""
