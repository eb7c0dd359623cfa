"""The writes of reports: derived episodes."""
