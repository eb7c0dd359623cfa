"""From a visitor's message to an answer: `job.py` goes through the five stages, read it first (ADR 0020)."""
