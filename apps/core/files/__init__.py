"""The storage of files' bytes, and the signed addresses under which they are read."""
