"""The only writers of legal entities, the ledger, plans, invoices and what partners earn."""
