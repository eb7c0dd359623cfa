"""Tags and filters of the cabinet's templates."""
