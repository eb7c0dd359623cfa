"""The project: settings, urls, the process entry points, and the supervisor behind `make run`. No domain code."""
