"""Answers and request bodies of agents, departments and invitations."""
