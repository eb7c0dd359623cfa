"""The problems of articles and help centers."""

from django.utils.translation import gettext_noop as _

from apps.core.problems import ProblemType

SLUG_TAKEN = ProblemType(
    "slug_taken",
    409,
    "Another help center has this slug",
    "A slug is one help center's in the whole installation. Choose another one.",
    for_people=_("Another help center has this address. Choose another one."),
)
TOO_MANY_ARTICLES = ProblemType(
    "too_many_articles",
    409,
    "There are too many articles",
    "A widget has at most 10,000 articles. Delete some that are not needed.",
    for_people=_("A widget has at most 10,000 articles. Delete some that are not needed."),
)
TOO_MANY_CATEGORIES = ProblemType(
    "too_many_categories",
    409,
    "There are too many categories of articles",
    "A widget has at most 100 categories of articles. Delete one that is not needed.",
    for_people=_("A widget has at most 100 categories. Delete one that is not needed."),
)
ARTICLE_CHANGED = ProblemType(
    "article_changed",
    409,
    "The text was changed meanwhile",
    "`base_version` is not the newest version any more; `version` is. Read it, take the other change over, and send "
    "the text with the new `base_version`.",
    for_people=_("Somebody else has changed this text meanwhile. Look at their version before you save."),
    example_members={"version": 4},
    members={"version": {"type": "integer"}},
)
LAST_TEXT = ProblemType(
    "last_text",
    409,
    "An article has one text at least",
    "This is the article's only text. Delete the article instead.",
    for_people=_("This is the only language of the article. Delete the article instead."),
)
CATEGORY_IN_USE = ProblemType(
    "category_in_use",
    409,
    "The category has articles",
    "Put its articles into another category first, or into none.",
    for_people=_("The category has articles. Put them into another one first."),
)
ARTICLE_PICTURE_STORAGE_FAILED = ProblemType(
    "article_picture_storage_failed",
    502,
    "The picture could not be kept",
    "The storage of files refused it. Nothing was changed; the installation's logs say why.",
    for_people=_("The picture could not be stored. Try again."),
)
DOMAIN_TAKEN = ProblemType(
    "domain_taken",
    409,
    "Another help center has this domain",
    "A domain is one help center's in the whole installation. Take it away from the other one first.",
    for_people=_("Another help center has this domain."),
)
IMPORT_RUNNING = ProblemType(
    "import_running",
    409,
    "Articles are being imported",
    "A widget has one import of articles under way at a time. Wait until it is `done` or `failed`.",
    for_people=_("Another import is under way. Wait until it is done."),
)
NOT_PUBLISHED = ProblemType(
    "not_published",
    409,
    "The article has no readers yet",
    "The article is not published, or the help center is not public. Publish it first.",
    for_people=_("The article is not published, or the help center is not public. Publish it first."),
)
