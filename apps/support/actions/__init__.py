"""The only writers of what this app owns: one verb on one noun."""
