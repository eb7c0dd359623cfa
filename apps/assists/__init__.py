"""Help of a model for operators beside a chat: drafts of answers, rewriting, summaries, translation.

Owns the one kind of job that asks a model for a person (`Assist`), what comes of it, and the owner's tools. A machine's
words end with the operator: nothing here is sent. It owns neither the calls of models nor their floors (`ai`), nor what
operators are shown and by which calls (`console`).
"""
