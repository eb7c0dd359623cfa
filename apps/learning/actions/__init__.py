"""What changes learning's rows, by noun."""
