from django.utils.translation import gettext_noop as _

from apps.core.problems import ProblemType

ENTITY_LOCKED_BY_PENDING_WITHDRAWAL = ProblemType(
    "entity_locked_by_pending_withdrawal",
    409,
    "An unpaid withdrawal names the entity",
    "A legal entity cannot be changed or deleted until every withdrawal that names it is paid or cancelled.",
    for_people=_("An unpaid withdrawal names this company."),
)
ENTITY_REFERENCED_BY_FINANCIAL_RECORD = ProblemType(
    "entity_referenced_by_financial_record",
    409,
    "A financial record names the entity",
    "A legal entity that an invoice or a transaction names cannot be deleted. It can be changed.",
    for_people=_("An invoice or a payment names this company."),
)
# The specification gives the limit, not a code.
ENTITY_WRITES_LIMITED = ProblemType(
    "entity_writes_limited",
    429,
    "Too many writes of legal entities",
    "An account creates, changes and deletes 10 legal entities an hour, all its widgets together; refused writes do "
    "not count. Wait for the number of seconds in `Retry-After`.",
)
