"""The only writers of subscriptions, switches, events and deliveries."""
