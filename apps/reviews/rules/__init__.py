"""The rules of reviews: scorecards, scores, picked episodes, a model's answer. Pure."""
