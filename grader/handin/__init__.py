"""What was handed in: files, archives, which labs."""
