"""The answers that a shop may give, and how they are shown. Pure."""
