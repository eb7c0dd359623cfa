"""The parts of the cabinet's pages of the AI: setting up, the examination, the panel, where alerts are mended."""
