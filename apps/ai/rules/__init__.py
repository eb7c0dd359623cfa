"""What an assistant may see and say: pure functions over texts (docs/guides/ai.md)."""
