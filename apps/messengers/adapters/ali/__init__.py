"""AliExpress."""
