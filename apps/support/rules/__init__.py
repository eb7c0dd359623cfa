"""Pure rules: the signed envelope, tickets, identities, what a turn may hold. Times are arguments."""
