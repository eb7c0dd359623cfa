"""One module a vendor of messengers: how it answers, and what it refuses."""
