"""The reviews in the cabinet: their list with scores by subject, and the form of the scorecard."""
