"""The transactions that are writing to a table: nobody sees their rows yet."""


def writing_to(*tables: str) -> str:
    """The query of the transactions under way that have written to one of these tables.

    A transaction that writes to a table holds a lock on it until its end; its rows are visible before the lock is gone.
    """
    relations = ", ".join(f"'{table}'::regclass" for table in tables)
    return f"""
SELECT virtualtransaction FROM pg_locks
WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND relation IN ({relations})
  AND mode NOT IN ('AccessShareLock', 'RowShareLock')"""  # noqa: S608 - of constants
