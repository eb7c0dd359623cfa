"""The writers of cards: settings, reading, the calls of the shop, its buttons."""
