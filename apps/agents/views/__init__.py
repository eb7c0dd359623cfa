"""What people and their browsers read of operators: avatars, and the page of an invitation."""
