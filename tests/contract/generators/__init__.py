"""Generators and linters of others, run over the OpenAPI documents: `make generators` installs and runs them."""
