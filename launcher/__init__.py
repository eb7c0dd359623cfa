"""`make run`: the whole service on one machine. Owns the embedded PostgreSQL and Valkey (`servers`), what a start needs
from Django (`prepare`), and the supervisor of the Procfile's processes; tests and benchmarks borrow the servers.

Nothing of the service knows it: in production the Procfile's lines run under another supervisor, without this package.
"""
