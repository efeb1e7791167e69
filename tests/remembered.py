"""What is dear to find and asked in several forms, within a test or a module: found once."""

from importlib import import_module


def remember(patch, module, name):
    """Let a function answer the same question from memory, as long as `patch` lasts.

    Questions are the same where their arguments look the same, none of which may show an address.
    """
    owner, found = import_module(module), {}
    find = getattr(owner, name)

    def answer(*values, **options):
        question = repr((values, sorted(options.items())))
        assert " at 0x" not in question, question
        if question not in found:
            found[question] = find(*values, **options)
        return found[question]

    patch.setattr(owner, name, answer)
