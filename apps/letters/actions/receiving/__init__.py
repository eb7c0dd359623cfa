"""Letters that come in: stored by a door as they came, then made into messages by a worker. No other writer of them."""
