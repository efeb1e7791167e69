"""Pages about methods side by side: experiments with their verdicts, the table of each, and leaderboards."""
