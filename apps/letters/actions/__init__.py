"""The only writers of threads, letters, addresses and the settings of a widget's letters."""
