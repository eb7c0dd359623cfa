"""Articles in a clerk's words, and the parts of their pages."""
