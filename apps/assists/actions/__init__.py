"""The only writers of assists, summaries, tools and answers of people."""
