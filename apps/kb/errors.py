from django.utils.translation import gettext_noop as _

from apps.core.problems import STRING, ProblemType

KB_FULL = ProblemType(
    "kb_full",
    409,
    "The knowledge base is full",
    "A widget holds so many rules at most (`limits.rules` of `GET /v1/kb/status`). Delete some first.",
    for_people=_("The knowledge base is full: delete something first."),
)
KB_READ_ONLY_FIELD = ProblemType(
    "kb_read_only_field",
    422,
    "The member is read-only",
    "Only `content` and `doc_id` of a rule can be written. `errors` names the members that can't.",
    example_members={"errors": {"source_ref": ["This member is read-only."]}},
)
KB_EMBED_PROVIDER_FAILED = ProblemType(
    "kb_embed_provider_failed",
    502,
    "The embedding provider failed",
    "The provider gave no embedding, so nothing was stored or found. The same idempotency key may be used again. "
    "`provider_reason` says why: `timeout`, `unreachable`, `rejected_key`, `rate_limited`, `model_not_found`, "
    "`bad_answer` or `server_error`.",
    for_people=_("The vendor of the knowledge base's model did not answer. Try again."),
    example_members={"provider_reason": "rate_limited"},
    members={"provider_reason": STRING},
)
KB_UPLOAD_BUSY = ProblemType(
    "kb_upload_busy",
    409,
    "The document is being read",
    "A document is not deleted while its text is taken out, which takes half a minute at most. Try again then.",
    for_people=_("The document is being read. Try again in a minute."),
)
KB_CRAWL_RUNNING = ProblemType(
    "kb_crawl_running",
    409,
    "A crawl is running",
    "The configuration is not changed or removed while a crawl runs, which takes half an hour at most. Try again then.",
    for_people=_("The website is being read already."),
)
RULE_OF_ARTICLE = ProblemType(
    "rule_of_article",
    409,
    "The rule is an article's",
    "Rules of a published article change with it: publish another version, or unpublish it.",
    for_people=_("This is part of an article: change it there."),
)
