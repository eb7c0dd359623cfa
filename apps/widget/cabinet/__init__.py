"""The cabinet's pages of what the visitor's side has: the words and the rows of their forms."""
