"""The pages of a trial: the shop whose AI is played, and the post."""
