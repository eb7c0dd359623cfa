"""The modules that the cage of letters loads before it forks; it runs nowhere else."""

from apps.letters.rules.reading import markup, whole

whole.load_codecs()
read_markup, read_whole = markup.read, whole.read
markup.read(b"<p>A letter</p>")
whole.read(b"From: a@example.org\r\nContent-Type: text/html\r\n\r\n<p>A letter</p>")
