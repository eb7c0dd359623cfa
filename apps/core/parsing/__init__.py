"""Reading what comes from outside, purely: JSON, moments and windows of time, what a file is by its content."""
