"""Cards from the shop's own system."""
