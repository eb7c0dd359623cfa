"""The reads of reports."""
