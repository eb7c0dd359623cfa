"""The rules of reviews: scorecards, scores, what is picked, what a model may say. Pure."""
