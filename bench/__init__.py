"""Benchmarks of the product, each beside a bare reference in the same run (`make bench`).

The figure that counts is the ratio of server CPU per request, product to reference; docs/guides/benchmarks.md tells how
to read it.
"""
