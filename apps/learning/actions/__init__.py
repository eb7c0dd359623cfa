"""The writers of learning's rows, by noun."""
