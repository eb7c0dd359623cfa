"""The project: settings and what they are read from, urls, and the entry points of the processes. No domain code."""

import atexit
import gc

# Else a process that ends looks for cyclic garbage in all that it has imported: a quarter of its CPU, if that is all
# that it does.
atexit.register(gc.freeze)
