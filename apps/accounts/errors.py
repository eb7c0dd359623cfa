"""The problems of this app: none of its own yet; tokens are refused with core's."""
