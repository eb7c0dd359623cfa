"""Rules of learning: pure tables and functions."""
