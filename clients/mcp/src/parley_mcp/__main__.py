"""`python -m parley_mcp`: the same as the command `parley-mcp`."""

from parley_mcp import main

main()
