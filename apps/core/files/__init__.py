"""Where the bytes of files are kept, and the signed addresses under which they are read."""
