"""Pure rules: messages of the protocol, and the list of tools."""
