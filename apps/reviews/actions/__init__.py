"""What is done with reviews."""
