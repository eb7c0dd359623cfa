"""The audit trail of the cabinet: who changed which row, and what of it (django-auditlog)."""
