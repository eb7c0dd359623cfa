"""How the web process serves the WSGI application: its clients are waited for on an event loop, never in a thread.

uvicorn reads and writes (`connections` adds the deadlines). A thread is taken when a request's body has come
(`bodies`), and let go when its answer is made (`answers`): `threaded` puts them together. Why: docs/adr/0019.
"""
