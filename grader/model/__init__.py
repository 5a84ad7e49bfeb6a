"""The data of a grading: the model, its JSON form, findings, errors, and where the course keeps its files."""
