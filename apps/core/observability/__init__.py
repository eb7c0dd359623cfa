"""What a running process tells of itself: log lines, metrics, error reports."""
