"""The code inside the cage, which runs nowhere else: the parsers of strangers' bytes.

Plain Python, no Django, no service.

`__main__` is the cage's own program. Functions that it may be asked for are named by `Cage.call`; they get bytes and
options, return what JSON can say, and raise `Refused` with a code for what cannot be read.
"""
