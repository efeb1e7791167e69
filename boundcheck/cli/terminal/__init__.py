"""What a terminal shows: tables, cards, progress, options that several commands share, signals."""
