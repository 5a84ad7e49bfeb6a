"""What a grading is, as plain data: the model, its JSON, findings, errors, where the files of the course are."""
