"""Named reads of reviews; each starts from the widget."""
