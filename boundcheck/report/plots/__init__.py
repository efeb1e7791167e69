"""The figures: `curves` makes numbers of results, the others draw them in one `style`; `numbers` reads them back."""
