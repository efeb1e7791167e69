"""Every sentence of the page on trust has its tests by name, or promises nothing.

A sentence that is added or changed fails here until somebody says which test would fail if it were not so.
"""

import ast
import re
import sys
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "trust.md"

REFUSED = "cli/test_cli_code_refused.py"
OUTSIDE = "methods/test_outside.py"
SAFELY = "cli/test_cli_safe_text.py"
IDENTITY = "sweep/test_sweep_identity.py"
PLAIN = "cli/test_cli_plain_files.py"
ENDS = "cli/test_cli_ends.py"
WORKERS = "test_processes.py"
PROMISES = {
    "It runs no code, opens no file but the problem files it names, and its text is printed as text.": [
        f"{REFUSED}::test_no_key_of_a_recipe_runs_code",
        f"{REFUSED}::test_no_key_of_a_problem_file_runs_code",
        "docs/test_trust_page.py::test_a_recipe_opens_the_problem_files_that_it_names",
        "cli/test_cli_output.py::test_markup_and_escapes_in_names_are_text",
    ],
    "Numbers that overflow, grids that do not end and files of more than a megabyte are refused": [
        f"{PLAIN}::test_a_recipes_whole_numbers_are_numbers",
        f"{PLAIN}::test_what_is_no_plain_text_is_refused",
        "sweep/test_sweep_recipe.py::test_deep_nesting_and_size_are_refused",
        "cli/test_cli_fuzzed.py::test_no_input_ends_in_a_traceback",
    ],
    "It runs no code, and opens no file but the claim files that it `uses`": [
        f"{REFUSED}::test_no_key_of_a_claim_file_runs_code",
        f"{REFUSED}::test_no_key_of_a_short_claim_file_runs_code",
        "proofs/claims/test_limits.py::test_files_that_use_files_have_limits",
        "docs/test_trust_page.py::test_a_claim_file_opens_the_files_that_it_uses",
    ],
    "they are read, never run;": [
        f"{REFUSED}::test_no_key_of_a_proof_or_certificate_runs_code",
        "cli/test_cli_trust.py::test_no_line_of_a_stated_worst_case_is_run",
        "cli/test_cli_trust.py::test_no_printed_line_is_run",
        "cli/test_cli_fuzzed.py::test_no_input_ends_in_a_traceback",
    ],
    "numbers that would grow without end and nesting that no reader ends are refused": [
        f"{PLAIN}::test_a_stated_worst_case_asks_for_no_endless_work",
        "proofs/certificates/test_verify_trust.py::test_what_asks_for_too_much_is_refused_at_once",
        "proofs/certificates/test_verify_trust.py::test_files_that_are_none_and_deep_ones_are_refused",
    ],
    "On the command line, and in a call from Python, you name it yourself.": [
        f"{REFUSED}::test_the_users_own_word_is_followed"
    ],
    "A name in a recipe, a claim file or a theorem (`.json`), whatever its key, is followed only with "
    "`--trust-code` (in Python:": [
        f"{REFUSED}::test_no_key_of_a_proof_or_certificate_runs_code",
        f"{REFUSED}::test_no_key_of_a_recipe_runs_code",
        f"{REFUSED}::test_commands_refuse",
        "cli/test_cli_own.py::test_a_recipe_runs_code_only_when_told",
    ],
    "a name in a problem file never, even if a recipe that may run code names that file.": [
        f"{REFUSED}::test_a_file_within_a_file_is_not_trusted_for_it"
    ],
    "Workers refuse what their parent refuses": [f"{REFUSED}::test_workers_refuse_what_their_parent_refuses"],
    "its constants are what you say they are until `certify` attacks them.": [
        "problems/test_problem_own.py::test_own_constants_are_marked_as_vouched_for",
        "problems/test_problem_own.py::test_a_wrong_constant_of_ones_own_is_caught",
    ],
    "A method whose round changes or reads what is not in its state, such as a global counter or a clock, gets "
    "no verdict, and neither does 0/0 in the rule of a method or of a left-hand side": [
        f"{OUTSIDE}::test_no_run_and_no_verdict",
        f"{OUTSIDE}::test_no_worst_case_and_no_theorem",
        "evidence/test_evidence_true_theorems.py::test_zero_over_zero_is_no_divergence",
        "evidence/test_evidence_true_theorems.py::test_zero_over_zero_of_a_metric_is_no_divergence",
    ],
    "A file counts only if its header names the cell, the code, the versions and a digest of every number, and "
    "all agree ([sweeps](sweep.md#resuming)).": [
        f"{IDENTITY}::test_results_of_changed_code_run_again",
        f"{IDENTITY}::test_versions_count",
        f"{IDENTITY}::test_foreign_and_old_files_are_kept_under_their_own_names",
        "sweep/test_sweep_assignment.py::test_all_that_runs_is_hashed",
        "sweep/test_sweep_assignment.py::test_a_wrong_line_between_leaves_nothing_to_believe",
    ],
    "bits that flipped, files that were swapped, code that changed.": [
        f"{IDENTITY}::test_a_flipped_bit_is_never_read_as_a_number",
        f"{IDENTITY}::test_swapped_files_are_caught",
        f"{IDENTITY}::test_editing_the_method_changes_the_code",
        f"{IDENTITY}::test_numbers_changed_by_hand_are_caught",
    ],
    "An entry carries its question and a checksum of both, so that damage and files that were swapped are not "
    "believed;": [
        "test_kept.py::test_a_damaged_file_is_made_again",
        "test_kept.py::test_files_that_were_swapped_answer_nothing",
        "test_memo.py::test_no_change_of_a_file_is_believed",
        "test_kept.py::test_a_file_says_what_it_answers",
        "proofs/claims/test_lemma_cache.py::test_what_was_not_written_so_is_decided_again_and_set_aside",
        "proofs/claims/test_lemma_cache.py::test_two_files_that_changed_places_are_noticed",
    ],
    "`--no-cache` decides anew, `--export` writes proofs for others to recheck": [
        "cli/test_cli_prove.py::test_the_command_reads_its_last_answer_unless_told_not_to",
        "proofs/claims/test_export.py::test_all_exported_proofs_are_right",
    ],
    "`python -m boundcheck.files.shipped` compares each with a list of checksums, `boundcheck verify` checks "
    "certificates, and `make derived` makes data anew": [
        "test_shipped_data.py::test_nothing_differs",
        "test_shipped_data.py::test_what_is_believed_is_listed",
        "test_shipped_data.py::test_what_differs_is_named",
        "proofs/certificates/test_shipped.py::test_every_certificate_passes",
        "test_derived.py::test_the_command_says_what_is_stale_and_makes_it",
    ],
    "no module and no `matplotlibrc` there is believed, here or in workers.": [
        "cli/test_cli_module.py::test_modules_in_the_current_folder_do_not_run",
        f"{SAFELY}::test_with_safe_path_no_module_of_the_folder_runs",
        f"{SAFELY}::test_the_command_takes_the_current_folder_off_the_path",
        f"{SAFELY}::test_a_matplotlibrc_in_the_folder_is_not_read",
    ],
    "Any other, such as a `numpy.py`, does not": [
        "cli/test_cli_module.py::test_modules_in_the_current_folder_do_not_run"
    ],
    "figures of reports and plots look the same for everybody": [f"{SAFELY}::test_a_matplotlibrc_is_not_believed"],
    "what a terminal would obey, such as escape sequences, is spelled (`\\x1b`);": [
        f"{SAFELY}::test_texts_are_spelled_where_they_are_printed",
        f"{SAFELY}::test_what_a_recipe_calls_itself_is_not_obeyed",
        "cli/test_cli_output.py::test_errors_show_no_control_characters",
    ],
    "a name stays on its line.": [f"{SAFELY}::test_a_name_stays_on_its_line"],
    "In a report they are text, in an HTML page too;": [
        "report/test_report_markup.py::test_any_text_is_shown_unchanged",
        "report/test_report_html.py::test_nothing_ends_a_script_early",
        "report/test_report_html.py::test_no_text_of_a_figure_is_markup",
    ],
    "in a `.csv` file a text that a spreadsheet would run as a formula (`=`, `+`, `-`, `@`) has an apostrophe "
    "before it, and numbers stay numbers": [
        f"{SAFELY}::test_texts_of_a_table_are_no_formulas",
        f"{SAFELY}::test_a_label_is_no_formula_in_a_file",
    ],
    "Files that you give are read only if they are plain files of modest size, a megabyte of text or 20 of "
    "certificates:": [f"{PLAIN}::test_what_is_no_plain_text_is_refused"],
    "a pipe or a device is not opened, whatever kind of file it is given for.": [
        f"{PLAIN}::test_what_is_no_plain_text_is_refused"
    ],
    "The same holds for what stands in the place of a file in a store or in the cache.": [
        "test_memo.py::test_what_is_no_plain_file_is_not_opened",
        "sweep/test_sweep_identity.py::test_a_pipe_in_the_place_of_a_result_is_not_opened",
    ],
    "Files are written under a temporary name that was free, and renamed when whole:": [
        "test_atomic.py::test_a_link_at_a_temporary_name_is_not_followed",
        "test_atomic.py::test_what_a_killed_process_left_is_removed",
    ],
    "a full disk, a crash or a signal leaves the old file or the new one, and no link is followed.": [
        "test_atomic.py::test_a_full_disk_leaves_the_old_file",
        "test_atomic.py::test_a_disk_that_fails_at_the_end_leaves_nothing",
        "sweep/test_sweep_run.py::test_interruption_while_writing_leaves_nothing_that_counts_as_done",
        "test_atomic.py::test_a_link_at_a_temporary_name_is_not_followed",
    ],
    "a verdict named by `--fail-on` occurred, a constant does not stand, or an identity fails:": [
        "cli/test_cli_json.py::test_fail_on",
        "conform/test_conform_cli.py::test_a_failing_identity_is_exit_1",
        "docs/test_trust_page.py::test_a_constant_that_does_not_stand_is_exit_1",
    ],
    "one line that names the thing, the value and what would be legal;": [
        "cli/test_cli_errors.py::test_bad_input_is_one_line",
        "cli/test_cli_fuzzed.py::test_no_input_ends_in_a_traceback",
    ],
    "or no answer, as of a worst case that no solver found.": [
        "cli/test_cli_worst.py::test_the_verdict_decides_the_exit_code",
        "worst/test_silence.py::test_a_panic_is_not_applicable_and_silent",
    ],
    "A slip in a file of your own is input, too:": ["cli/test_cli_slips.py::test_some_slips_are_the_users"],
    "the line names the file, the line in it and the function, or the object that boundcheck trips over": [
        "cli/test_cli_slips.py::test_the_line_is_named",
        "cli/test_cli_slips.py::test_what_no_line_of_the_file_raises_names_the_object",
    ],
    "an internal error, in one line;": ["cli/test_cli_output.py::test_every_error_is_one_line_with_its_code"],
    "`BOUNDCHECK_TRACEBACK=1` shows where.": ["cli/test_cli_output.py::test_every_error_is_one_line_with_its_code"],
    "a worker was lost twice (killed, or out of memory), or the scheduler once;": [
        f"{WORKERS}::test_a_killed_worker_is_asked_again_and_then_exit_code_4",
        "test_scheduler.py::test_a_lost_scheduler_is_one_error",
    ],
    "rules are taken on trust by `verify`, or nothing that makes the method was asked by `conform`": [
        "proofs/certificates/test_verify_trust.py::test_lines_on_trust_are_counted_named_and_no_success",
        "docs/test_trust_page.py::test_a_simpler_method_is_exit_5",
    ],
    "ended by SIGHUP, Ctrl-C or SIGTERM;": [
        f"{ENDS}::test_a_signal_to_the_group_is_one_line",
        f"{WORKERS}::test_a_signal_is_one_line_and_leaves_no_worker",
    ],
    "finished cells are kept": ["sweep/test_sweep_run.py::test_interrupted_sweep_keeps_what_is_finished"],
    "A command that has said nothing for 20 seconds, on a terminal for two, says for how long it is at work, "
    "then ever more seldom.": ["cli/test_cli_progress.py::test_a_silent_command_says_that_it_is_at_work"],
    "A `worst` over a class and a `sharpen` for one K say so too, within a factor of four or so, from one of a "
    "third as many steps or, where more than 48 make it work of another kind, from one of 49;": [
        "cli/test_cli_progress.py::test_a_long_worst_case_says_beforehand_what_it_takes",
        "cli/test_cli_progress.py::test_a_forecast_from_a_third_is_of_the_size_of_what_a_run_takes",
        "cli/test_cli_progress.py::test_beyond_a_change_of_work_a_run_beyond_it_is_timed",
    ],
    "A `check`, `compare` or `certify` (of one problem) of more than ten seconds says beforehand about how "
    "long it takes, from short runs of it, and in what memory where a `compare` needs gigabytes;": [
        "cli/test_cli_progress.py::test_a_long_check_says_beforehand_what_it_takes",
        "cli/test_cli_progress.py::test_a_long_comparison_says_beforehand_what_it_takes",
        "cli/test_cli_progress.py::test_a_long_attack_says_beforehand_what_it_takes",
        "evidence/test_evidence_forecast.py::test_a_forecast_is_of_the_size_of_what_a_run_takes",
        "sweep/test_sweep_forecast.py::test_a_long_recipe_is_priced_and_a_short_one_is_not",
    ],
    "a `refute` of more than a minute, how long at most.": [
        "cli/test_cli_progress.py::test_a_long_search_says_beforehand_what_it_takes"
    ],
    "and in what memory where that is gigabytes.": [
        "cli/test_cli_progress.py::test_beyond_a_change_of_work_a_run_beyond_it_is_timed"
    ],
    "`prove` over more than 80 claims of the ledger says how long they take, from ten of them.": [
        "cli/test_cli_progress.py::test_a_long_ledger_says_beforehand_what_it_takes"
    ],
    "while its claims are decided, it says how many are done and about how long the rest takes, and of work in "
    "many pieces there is a count.": [
        "proofs/claims/test_own_files.py::test_claims_are_counted_while_they_are_decided",
        "cli/test_cli_progress.py::test_progress_that_is_shown_is_enough",
    ],
    "Counts beyond what a run could hold are refused before it begins, and so are a sweep and a worst case "
    "that take more memory than the machine has;": [
        "cli/test_cli_errors.py::test_bad_input_is_one_line",
        "engine/test_engine_batches.py::test_the_largest_minibatch_fits",
        "cli/test_cli_progress.py::test_the_run_that_is_timed_is_short_and_endless_work_is_refused",
        "sweep/test_sweep_forecast.py::test_more_memory_than_the_machine_has_is_refused_before_anything_runs",
    ],
    "a batch that a theorem prescribes is added in parts, or not applicable with its size.": [
        "engine/test_engine_batches.py::test_a_prescribed_batch_takes_the_memory_of_a_part",
        "engine/test_engine_batches.py::test_what_no_memory_holds_is_refused_with_its_size",
    ],
    "A lost worker's work is asked for once more.": [
        f"{WORKERS}::test_one_loss_is_forgiven",
        "sweep/test_sweep_crew.py::test_a_lost_worker_is_replaced",
    ],
    "A signal that comes while a solver runs, which lets Python raise nothing, ends the process after three seconds.": [
        f"{ENDS}::test_a_signal_while_foreign_code_runs_ends_the_process"
    ],
    "Workers wait at a pipe that only the parent holds, so they end with it even if it is killed;": [
        f"{WORKERS}::test_workers_die_with_their_parent"
    ],
    "nothing is left behind.": [f"{WORKERS}::test_fifty_kills_at_random_instants_change_no_number"],
    "After any of this the next run does what is missing, and the numbers are the same.": [
        f"{WORKERS}::test_fifty_kills_at_random_instants_change_no_number",
        "test_kills.py::test_kills_at_random_instants",
    ],
}
"""Sentence to the tests that hold it."""

NO_PROMISE = (
    "what you give boundcheck",
    "what it can do",
    "a recipe, a problem file (`.toml`)",
    "nothing but choose:",
    "names, numbers and words.",
    "a claim file (`.toml`)",
    "nothing but state:",
    "claims, and the names of registered bounds and methods.",
    "a stated worst case (`.worst`), a printed line (`.tex`), a certificate or proof (`.json`)",
    "`module:NAME`, `file.py:NAME` ([your own](own.md) bound, method, metric or problem)",
    "everything:",
    "everything, likewise;",
    "the file is run, the module imported, as Python would.",
    "`trust_code=True`);",
    "your own problem, method, bound or claim in Python",
    "a store (`--store`)",
    "nothing but give numbers.",
    "That finds accidents:",
    "It is no signature:",
    "whoever can write to the store can write a digest, so share it with those whose numbers you would print",
    "the cache of proofs, listings and reports (`$XDG_CACHE_HOME/boundcheck`)",
    "change a verdict:",
    "who can write to it can write `proved`.",
    "like those of a store, that is no signature.",
    "the data that ship:",
    "certificates, sums of squares, verdicts, tables",
    "what they say.",
    "a Dask scheduler (`--dask`)",
    "schedulers and workers run code for each other ([clusters](clusters.md))",
    "the current folder",
    "nothing:",
    "nothing, with the command `boundcheck` or `python -P -m boundcheck`:",
    (
        "With plain `python -m boundcheck` Python looks there first for `boundcheck` itself and for what it "
        "needs to start, before anything can be said:"
    ),
    "a file of that name, or one with the name of a module of the standard library, runs.",
    "your own `matplotlibrc`",
    "names, titles and labels in your files",
    "code",
    "means",
    "done",
    "what was asked for, and nothing else",
    "bad input:",
    "Please report it",
    "What a claim file will take nobody knows before it begins;",
    "Killed parents and workers, signals, foreign modules and flipped bits are tested on Linux.",
    (
        "The pipe, the exit codes and the store use nothing that macOS or Windows lacks, but none of it has "
        "been tested there;"
    ),
    "Windows has no SIGHUP, and ends a process on SIGTERM without asking it.",
)
"""What is a heading, a warning, or a part of the sentence beside it."""


def sentences():
    """Return the page's sentences and the cells of its tables, without headings and codes."""
    blocks, lines = [], []
    for line in [*PAGE.read_text(encoding="utf-8").splitlines(), ""]:
        if line.strip() and not line.startswith(("|", "#")):
            lines.append(line.strip())
            continue
        blocks += [" ".join(lines)] if lines else []
        lines = []
        if line.startswith("|") and not set(line) <= set("|- "):
            blocks.append(line.strip("| "))
    found = [part.strip() for block in blocks for part in re.split(r"(?<=[.;:])\s+|\s\|\s", block)]
    return [part for part in found if part and not re.fullmatch(r"[\d, ]+", part)]


@cache
def names_of(file):
    """Return the names of the tests in a file."""
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_sentence_is_held_by_a_test_or_promises_nothing():
    known = (*PROMISES, *NO_PROMISE)
    assert [one for one in sentences() if one not in known] == []


def test_nothing_is_listed_that_the_page_does_not_say():
    said = sentences()
    assert [one for one in (*PROMISES, *NO_PROMISE) if one not in said] == []


@pytest.mark.parametrize("sentence", PROMISES)
def test_the_tests_of_a_sentence_are_there(sentence):
    for name in PROMISES[sentence]:
        file, _, test = name.partition("::")
        assert test in names_of(file), name


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\nA lost worker", "\nRecipes are never wrong. A lost worker"),
        ("swapped are not believed", "swapped are believed"),
        ("a megabyte of text", "ten megabytes of text"),
        ("| everything, likewise; ", "| everything, likewise, in a box; "),
    ],
)
def test_a_sentence_nobody_knows_is_noticed(old, new, monkeypatch, tmp_path):
    """The control: a sentence more, and others that say something else at their end."""
    text = PAGE.read_text(encoding="utf-8")
    assert text.count(old) == 1
    page = tmp_path / "trust.md"
    page.write_text(text.replace(old, new), encoding="utf-8")
    monkeypatch.setattr(sys.modules[__name__], "PAGE", page)
    with pytest.raises(AssertionError):
        test_every_sentence_is_held_by_a_test_or_promises_nothing()


_opened = None


def _note(event, arguments):
    if _opened is not None and event == "open" and isinstance(arguments[0], (str, Path)):
        _opened.add(Path(arguments[0]).name)


def opened(folder, work):
    """Return the names of a folder's files that are opened in a piece of work."""
    global _opened
    if _note not in _hooks:
        sys.addaudithook(_note)
        _hooks.append(_note)
    _opened = set()
    try:
        work()
        return _opened & {path.name for path in folder.iterdir()}
    finally:
        _opened = None


_hooks = []


def test_a_recipe_opens_the_problem_files_that_it_names(tmp_path, monkeypatch):
    """Names of files in its other keys are text."""
    from boundcheck.sweep import load_recipe

    monkeypatch.chdir(tmp_path)
    study = 'id = "s"\ntitle = "other.toml"\nproblem = "page.toml"\nbounds = ["momentum-fl.theorem11"]\n'
    text = f'title = "other.toml"\ntext = "x.csv"\n[[study]]\n{study}N = [2]\nK = [1]\nT = [2]\n'
    (tmp_path / "it.toml").write_text(text)
    (tmp_path / "page.toml").write_text('title = "x.csv"\nfamily = "ridge"\npurpose = "other.toml"\n')
    for name in ("other.toml", "x.csv"):
        (tmp_path / name).write_text("")
    assert opened(tmp_path, lambda: load_recipe("it.toml")) == {"it.toml", "page.toml"}


def test_a_claim_file_opens_the_files_that_it_uses(tmp_path, monkeypatch):
    from boundcheck.proofs.language import files

    monkeypatch.chdir(tmp_path)
    head = 'title = "other.toml"\nabout = "other.toml"\nindices = "t = 0 .. T - 1"\n'
    letters = '[letters]\n"> 0" = "T, a"\n'
    (tmp_path / "it.toml").write_text(f'{head}uses = "used.toml"\n[claim.one]\nshows = "0 <= a"\n')
    (tmp_path / "used.toml").write_text(letters)
    (tmp_path / "other.toml").write_text(letters)
    assert opened(tmp_path, lambda: files.load("it.toml")) == {"it.toml", "used.toml"}


def test_a_constant_that_does_not_stand_is_exit_1(tmp_path, monkeypatch, capsys):
    """L of x^2/2 is 1, not 1/2; at 1 the command ends with 0."""
    from boundcheck.cli.app import run

    monkeypatch.chdir(tmp_path)
    text = (
        "from boundcheck.problems.own import from_functions\n\n"
        "def IT(N, L=1.0):\n"
        "    given = {'L': L, 'f_star': 0.0}\n"
        "    f, g = (lambda i, x: float(x @ x / 2)), (lambda i, x: x)\n"
        "    return from_functions(f, g, N=N, d=1, start=[1.0], constants=given)\n"
    )
    (tmp_path / "trusted_constant.py").write_text(text)
    for name, code in (("IT", 0), ("IT[L=0.5]", 1)):
        assert run(["certify", f"trusted_constant.py:{name}", "--N", "1", "--workers", "1"]) == code
    capsys.readouterr()


FEDAVG = """
def it(clients, x0, *, K, T, active, eta, gamma=1.0):
    x, iterates = x0, [x0]
    for t in range(T):
        ends = []
        for i in active[t]:
            y = x
            for k in range(K):
                y = y - eta * clients[i].grad(y, k, t)
            ends.append(y)
        x = x + gamma * (sum(ends) / len(ends) - x)
        iterates.append(x)
    return iterates
"""


def test_a_simpler_method_is_exit_5(tmp_path, monkeypatch, capsys):
    """FedNova with as many steps at every client is FedAvg."""
    from boundcheck.cli.app import run

    monkeypatch.chdir(tmp_path)
    (tmp_path / "trusted_fedavg.py").write_text(FEDAVG)
    code = run(["conform", "--against", "trusted_fedavg.py:it", "--method", "fednova"])
    capsys.readouterr()
    assert code == 5
