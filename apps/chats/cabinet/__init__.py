"""The parts of the cabinet's pages of the chats: what contacts and chats share."""
