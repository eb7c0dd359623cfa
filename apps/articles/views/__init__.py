"""The public pages of help centers: without a session, a cookie, or a script of their own."""
