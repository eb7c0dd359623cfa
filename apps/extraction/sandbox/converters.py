"""Loaded before XML is: the C library's converters of encodings, which a call can load no more."""

from apps.extraction.sandbox import charsets

charsets.load_converters()
