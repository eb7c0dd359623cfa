"""The guides that are served, what each is about, and how Markdown becomes a page."""
