"""The text of documents that strangers wrote: nine formats in, titled pieces of text out.

- `kind_of` says which of the formats a file is, and refuses all others and declared bombs; it unpacks nothing;
- `extract` has the text taken out in a process of its own, the cage, and cut into chunks;
- `read_beginning` has the first pages taken out likewise, as one text;
- `read_page` and `read_sitemap` do the same for who crawls, in one `page_cage` for many;
- `active_layers` tries what the kernel keeps the cage from.

The code inside the sandbox is in `sandbox`; nothing else imports it, and it imports neither Django nor a module of the
service. Owns no rows and no files: who stores a document, and what becomes of its chunks, is an app's.
"""

from apps.extraction.documents import (
    REASONS,
    Beginning,
    DocumentNote,
    DocumentPiece,
    ExtractedDocument,
    extract,
    read_beginning,
)
from apps.extraction.kinds import KINDS, UnknownKind, archive_entries, kind_of
from apps.extraction.layers import SandboxLayers, active_layers
from apps.extraction.pages import (
    ExtractedArticle,
    ExtractedPage,
    html_as_markdown,
    page_cage,
    read_article,
    read_page,
    read_sitemap,
)
from apps.extraction.sandbox_process import Cage, ExtractionFailed

__all__ = [
    "KINDS",
    "REASONS",
    "Beginning",
    "Cage",
    "DocumentNote",
    "DocumentPiece",
    "ExtractedArticle",
    "ExtractedDocument",
    "ExtractedPage",
    "ExtractionFailed",
    "SandboxLayers",
    "UnknownKind",
    "active_layers",
    "archive_entries",
    "extract",
    "html_as_markdown",
    "kind_of",
    "page_cage",
    "read_article",
    "read_beginning",
    "read_page",
    "read_sitemap",
]
