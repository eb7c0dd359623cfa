"""The clients of `clients/`, as they are installed from there, against a real web process."""
