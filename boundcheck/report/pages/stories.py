"""What to take away: a sentence or two and a small picture each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.report.pages.figure import save_image
from boundcheck.report.plots.pictures import PICTURES
from boundcheck.report.typst.markup import prose

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from boundcheck.sweep import StudyResult
    from boundcheck.sweep.recipes.recipe import Story


def stories(told: Sequence[Story], results: Sequence[StudyResult], folder: Path) -> str:
    """Return the section, empty where the recipe tells no story."""
    if not told:
        return ""
    by_id = {result.study.id: result for result in results}
    parts = []
    for i, story in enumerate(told):
        figure, sentence = PICTURES[story.picture]([by_id[name] for name in story.studies])
        image = save_image(figure, f"story-{i + 1}", folder, alt=story.title)
        parts.append(f"#story[{image}][*{prose(story.title)}.* {prose(story.text)} {sentence}]\n")
    return "= What to take away\n\n" + "\n".join(parts)
