"""The cabinet's pages of the visitor's side."""

from apps.widget.admin import invitations, look, questions

__all__ = ["invitations", "look", "questions"]
