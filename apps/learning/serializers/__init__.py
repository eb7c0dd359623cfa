"""The serializers of learning, by noun."""
