"""What learning answers, by noun."""
