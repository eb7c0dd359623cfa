"""The demo: data to try the service out with, and the programs around it, played on this machine.

Owns: the demo data, the played vendors of models and messengers, a played external operator, a receiver of webhooks for
developers. It has no table and no address, no other app uses it, and it is not installed in production. Does not own:
the demo page, which is the widget's.
"""
