"""What the knowledge base's objects look like on the wire, by noun."""
