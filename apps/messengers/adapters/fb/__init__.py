"""Facebook Messenger."""
