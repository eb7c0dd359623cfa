"""The rules of an assistant's texts: pure functions (docs/guides/ai.md)."""
