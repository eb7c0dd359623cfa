"""The project: settings and what they are read from, urls, and the entry points of the processes. No domain code."""
