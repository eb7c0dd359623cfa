"""Log lines, metrics and error reports of a running process."""
