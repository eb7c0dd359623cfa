"""The demo data of each app, in a module of the app's name.

Its function `seed(demo)` finds the rows of lower apps with `demo.row`, makes its own (only those not there yet: a
second run changes nothing but API tokens), keeps them under short names with `demo.keep`, and adds what a reader of the
JSON needs to `demo.part(row)`.
"""
