"""The pages that developers read. It owns the viewer of the OpenAPI documents, the guides for integrators, which are
rendered from the Markdown in `docs/`, and the pages of problems; it owns no data. Operations and problems are declared
in their own apps.
"""
