"""The endpoints of the table that are not built yet. The list may only shrink: who builds one takes its row out, and
lowers AT_MOST."""

AT_MOST = 0

NOT_BUILT: tuple[str, ...] = ()
