"""Time runs in turns."""

import time

import numpy as np

REPEATS = 5


def timed(variants, first=None, clock=time.process_time):
    """Return the seconds of every variant and those of `first` just before it, an array each; variants take turns.

    Seconds are those of this process, which others on the machine do not lengthen; where more than one process or
    thread computes, `clock` is that of the wall.
    """
    seconds = {name: [] for name in variants}
    yardstick = variants[first or next(iter(variants))]
    for repeat in range(REPEATS + 1):
        for name, run in variants.items():
            turn = [clocked(yardstick, clock), clocked(run, clock)]
            if repeat:
                seconds[name].append(turn)
    return {name: np.array(many).T for name, many in seconds.items()}


def clocked(run, clock=time.process_time):
    """Return the seconds that a call takes."""
    start = clock()
    run()
    return clock() - start
