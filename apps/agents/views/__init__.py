"""The public pages of operators: avatars, and the page of an invitation."""
