"""Files that a user begins with: ``boundcheck new theorem mine.py`` copies one."""
