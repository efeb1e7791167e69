"""Write the table of headline rates on the page rates.md from the rates that ship: python docs/rates_page.py."""

from pathlib import Path

from boundcheck.cli.commands.rate import rank_rates, table_row
from boundcheck.files.atomic import write_whole
from boundcheck.rates import shipped_rates

PAGE = Path(__file__).with_name("rates.md")
HEAD = "| rate | word | printed | second half | average | bound | control | ratio | statement |"


def with_table(text: str) -> str:
    """Return the page with the rows of its table as they are now."""
    before, _, after = text.partition(HEAD)
    _, blank, rest = after.partition("\n\n")
    rows = [f"| {' | '.join(table_row(one))} |" for one in rank_rates(list(shipped_rates().values()))]
    return before + "\n".join([HEAD, "|" + "---|" * 9, *rows]) + blank + rest


if __name__ == "__main__":
    write_whole(PAGE, with_table(PAGE.read_text(encoding="utf-8")))
