"""The programmes whose values are worst cases from above and from below.

Read `posed` and `programme`; `whole` adds all rows, `split`, `shared` and `noisy` are programmes for many clients and
noise, `saddle` for minimax; `instance` turns a solution into a function, `draws` says who is active on it.
"""
