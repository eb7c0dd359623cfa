"""The reports in the cabinet: words, figures, charts and filters, as pages show them."""
