"""Knowledge base: what a widget's owner has taught it, and which of it fits a visitor's question.

Owns: rules (the chunks that the bot may be given), their sources, their vectors, and retrieval. Does not own: the
credentials and models that make the vectors, nor the answers that are made of what it finds (the app ai, of which
it knows nothing: it asks by the hooks of core).
"""
