"""From a visitor's message to an answer, in five stages. `job.py` goes through them; read it first (ADR 0020).

read: `reading.py`. decide: `ai/rules/decisions.py`. draft: `responders.py` (who is asked), `drafting.py` (the text).
write: `writing.py`. finish: `job.py`.
"""
