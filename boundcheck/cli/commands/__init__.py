"""One file a command: it reads its arguments, calls public functions, and prints."""
