"""Pages that anybody with a link may open, and the address that the page of statistics had."""
