"""False statements, each one change away from a true one: none is proved, and the true ones are.

Each table is a page of its own: what stands `before` in the common setting (or a whole `page`), a `false` claim and a
`true` one.  A false claim may be an error of the file, undecided or vacuous, and `conditional` where it is true
under what its steps take as given; `proved` it is not.  Why each is false stands beside it.
"""

import tomllib

import pytest
from turns import case_of

from boundcheck.cli.commands.prove import prove
from boundcheck.errors import InputError
from boundcheck.proofs.algebra.book import ProductStore
from boundcheck.proofs.algebra.signs import Signs
from boundcheck.proofs.chain.whole.proof import decide_file, tree
from boundcheck.proofs.chain.whole.vacuous import vacuous
from boundcheck.proofs.language.claim import Claim
from boundcheck.proofs.language.files import load
from boundcheck.proofs.language.grammar import node_text, read, read_relation
from boundcheck.proofs.language.steps import Relation, Step, substitute_letters
from boundcheck.proofs.rationals.quotients import QuotientField
from boundcheck.proofs.search.outcomes import outcomes

SETTING = """
indices = "i = 1 .. N, t = 0 .. T - 1, h = 0 .. T - 1, k = 0 .. K - 1, m = -1 .. T - 1, n = 0 .. K - 3"

[letters]
"> 0" = "N, T, K, S, R, L, eta, c, r, p"
">= 0" = "b, q, g, spread"
"real" = "z, w"
"> 0, t = 0 .. T" = "step[t]"
">= 0, t = 0 .. T" = "load[t]"

[vectors]
"x[t]" = "server, t = 0 .. T"
"y[t, k]" = "client, k = 0 .. K"
"xi[t, k]" = "noise"
"s[t]" = "server"
"u[t, k]" = "client"
"A[t]" = "sample of S"
"B[t]" = "sample of R"

[start]
y0 = "y[t, 0] = x[t]"

[equations]
local = "y[t, k + 1] = y[t, k] - eta (grad(y[t, k]) + xi[t, k])"
server = "x[t + 1] = x[t] + N/S mean(i) taken(A[t], y[t, K]) - x[t]"

[definitions]
signed = "signed[m] = m |s[0]|^2"
lifted = "lifted[m] = (m + 1) |s[0]|^2"
size = "size[t] = |x[t]|^2 for t = 0 .. T"

[numbers]
"a[t]" = "a number"
"d[t]" = "another"
"e[k]" = "a third"
"tri[t, h]" = "a fourth"

[leaf.scaled]
says = "b a[t] <= b d[t] for t"

[leaf.counted]
says = "(K - 1) e[0] <= (K - 1) c"

[leaf.below]
says = "a[t] <= d[t] for t"

[leaf.flat]
says = "e[k] <= c for k"

[leaf.short]
says = "a[t] <= 1 for t if eta L <= 1"

[leaf.decreasing]
says = "a[t + 1] <= a[t] - d[t] for t = 0 .. T - 2"

[leaf.positive]
says = "0 <= a[0] for t"

[leaf.first]
says = "e[0] <= 0"

[leaf.always]
says = "e[k + 1] <= e[k] + 1 for k = 0 .. K - 2 if k >= 0"

[leaf.late]
says = "e[k + 1] <= e[k] + 1 for k = 0 .. K - 2 if k >= 3"

[leaf.early]
says = "e[k + 1] <= e[k] + 1 for k = 0 .. K - 2 if k <= 5"

[leaf.grows]
says = "e[k + 1] <= (1 + 1/K) e[k] + c for k = 0 .. K - 2 if k >= 0"

[leaf.grows-late]
says = "e[k + 1] <= (1 + 1/K) e[k] + c for k = 0 .. K - 2 if k >= 3"

[leaf.shrinks]
says = "size[t + 1] <= (1 + g) size[t] - a[t] + c for t if t >= 0"

[leaf.shrinks-late]
says = "size[t + 1] <= (1 + g) size[t] - a[t] + c for t if t >= 1"

[leaf.slow]
says = "step[t] <= 1 for t if t >= 1"
"""

CASES = '''
# --- divisors: written, found by the prover, in multipliers ---

[automatic]  # b = 0, a = 1, d = 0
false = { steps = "scaled", shows = "a[t] <= d[t] for t" }
true = { steps = "scaled", shows = "a[t] <= d[t] for t if b >= 1" }

[counting]  # K = 1
false = { steps = "counted", shows = "e[0] <= c" }
true = { steps = "counted", shows = "e[0] <= c if K >= 2" }

[clients]  # N = 1
before = """[leaf.own]
says = "(N - 1) a[0] <= (N - 1) c" """
false = { steps = "own", shows = "a[0] <= c" }
true = { steps = "own", shows = "a[0] <= c if N >= 2" }

[index]  # k = 0
before = """[leaf.own]
says = "k e[k] <= k c for k" """
false = { steps = "own", shows = "e[k] <= c for k" }
true = { steps = "own", shows = "e[k] <= c for k = 1 .. K - 1" }

[real]  # z = 0
before = """[leaf.own]
says = "z^2 a[0] <= z^2 c" """
false = { steps = "own", shows = "a[0] <= c" }
true = { steps = "own", shows = "a[0] <= c if z >= 1" }

[equality]  # b = 0
before = """[leaf.own]
says = "b a[0] = b c" """
false = { steps = "own", shows = "a[0] = c" }
true = { steps = "own", shows = "a[0] = c if b >= 1" }

[written]  # b = 0
false = { steps = "scaled : 1/b", shows = "a[t] <= d[t] for t" }
true = { steps = "scaled : 1/b", shows = "a[t] <= d[t] for t if b >= 1/2" }

[difference]  # b = q = 0
before = """[leaf.own]
says = "(b + q) a[0] <= (b + q) c" """
false = { steps = "own", shows = "a[0] <= c" }
true = { steps = "own", shows = "a[0] <= c if b + q >= 1" }

[apart]  # p = 1
before = """[leaf.own]
says = "(p - 1)^2 a[0] <= (p - 1)^2 c" """
false = { steps = "own", shows = "a[0] <= c" }
true = { steps = "own", shows = "a[0] <= c if p >= 2" }

[itself]  # 0/0 at b = 0
false = { shows = "1 <= b/b" }
true = { shows = "1 <= p/p" }

[power]  # 0^-1 at b = 0
false = { shows = "1 <= b b^-1" }
true = { shows = "1 <= p p^-1" }

[twice]  # not defined at z = 0
false = { shows = "z/(1/z) = z^2" }
true = { shows = "p/(1/p) = p^2" }

[nothing]  # 1/(1/0) is not 0
false = { shows = "1/(1/0) = 0" }
true = { shows = "0/p = 0" }

[assumed]  # the leaf says nothing where z = 0
before = """[leaf.own]
says = "a[t] <= z/z for t"
[leaf.other]
says = "a[t] <= p/p for t" """
false = { steps = "own", shows = "a[t] <= 1 for t" }
true = { steps = "other", shows = "a[t] <= 1 for t" }

[named]  # the definition says nothing at q = 0
page = """
indices = "i = 1 .. N, t = 0 .. T - 1"
[letters]
"> 0" = "N, T, p"
"real" = "z"
[vectors]
"s[t]" = "server"
[definitions]
bad = "bad[t] = (1/z) |s[t]|^2"
good = "good[t] = (1/p) |s[t]|^2" """
false = { steps = "bad", shows = "0 <= z bad[t] for t" }
true = { steps = "good", shows = "0 <= p good[t] for t" }

[square]  # the last term is no number at q = 0
false = { shows = "0 <= q |x[t]|^2 + 2 <x[t], s[t]> + |s[t]|^2/q for t" }
true = { shows = "0 <= p |x[t]|^2 + 2 <x[t], s[t]> + |s[t]|^2/p for t" }

[sign-below]  # b = 2
false = { shows = "0 <= a[t]/(1 - b) for t" }
true = { shows = "0 <= a[t]/(1 - b) for t if b <= 1/2" }

[count-below]  # T = 1
false = { shows = "0 <= 1/(T - 2)" }
true = { shows = "0 <= 1/(T - 2) if T >= 3" }

[bound-below]  # the first term is 0/0
false = { shows = "mean(k) (k/k) = 1" }
true = { shows = "mean(k) ((k + 1)/(k + 1)) = 1" }

[negative-below]  # m = 0
false = { shows = "sum(m) (m/m) = T + 1" }
true = { shows = "sum(m) ((m + 2)/(m + 2)) = T + 1" }

[range-below]  # empty at K = 1: the sum is 0
false = { shows = "sum(k = 0 .. K - 2) (1/(K - 1)) = 1" }
true = { shows = "sum(k = 0 .. K - 2) (1/(K - 1)) = 1 if K >= 2" }

[hidden-below]  # the same behind what cancels
false = { shows = "sum(k = 0 .. K - 2) ((k + 1)/((k + 1) (K - 1))) = 1" }
true = { shows = "sum(k = 0 .. K - 2) ((k + 1)/((k + 1) (K - 1))) = 1 if K >= 2" }

[multiplier-of-sum]  # T = 1: nothing is added up
before = """[leaf.own]
says = "(T - 1) a[0] <= (T - 1) c for t" """
false = { steps = "own(t -> 0)", shows = "a[0] <= c" }
true = { steps = "own(t -> 0)", shows = "a[0] <= c if T >= 2" }

# --- ranges ---

[negative]  # m = -1
false = { shows = "0 <= m for m" }
true = { shows = "0 <= m + 1 for m" }

[own-range]  # t = -2
false = { shows = "0 <= t for t = -2 .. 3" }
true = { shows = "0 <= t for t = 0 .. 3" }

[negative-weight]
false = { shows = "0 <= m c for m" }
true = { shows = "0 <= (m + 1) c for m" }

[negative-square]  # m = -1
false = { shows = "0 <= signed[m] for m" }
true = { shows = "0 <= lifted[m] for m" }

[negative-cube]
false = { shows = "-m^3 <= 0 for m" }
true = { shows = "-m^2 <= 0 for m" }

[empty]  # the sum is 0
false = { shows = "sum(t = 2 .. T - 1) 1 <= -1 if T = 1" }
true = { shows = "sum(t = 2 .. T - 1) 1 <= T if T >= 2" }

[empty-equal]  # T = 1
false = { shows = "sum(t = 3 .. T - 1) 1 = T - 3" }
true = { shows = "sum(t = 3 .. T - 1) 1 = T - 3 if T >= 3" }

[reversed]
false = { shows = "sum(t = T - 1 .. 0) 1 <= -1 if T = 4" }
true = { shows = "sum(t = 0 .. T - 1) 1 <= 4 if T = 4" }

[reversed-rule]  # a[0] = 1
false = { steps = "positive [sum t = T - 1 .. 0] : 1/2", shows = "a[0] <= 0 if T = 4" }
true = { steps = "positive [sum t = 0 .. T - 1] : 1/4", shows = "0 <= a[0] if T = 4" }

[empty-index]
false = { shows = "sum(n) 1 <= -1 if K = 1" }
true = { shows = "sum(n) 1 <= 0 if K = 2" }

[empty-weighted]  # 0 <= -c
false = { shows = "sum(n) c <= -c if K = 1" }
true = { shows = "sum(n) c = (K - 2) c if K >= 2" }

[empty-mean]  # the mean of nothing
false = { shows = "mean(n) 1 = 1 if K = 2" }
true = { shows = "mean(n) 1 = 1 if K >= 3" }

[empty-mean-entries]
false = { steps = "flat(k -> n) [mean n]", shows = "mean(n) e[n] <= c" }
true = { steps = "flat(k -> n) [mean n]", shows = "mean(n) e[n] <= c if K >= 3" }

[empty-mean-leaf]  # K = 2: the leaf says nothing
before = """[leaf.own]
says = "a[0] <= d[0] for n" """
false = { steps = "own [mean n]", shows = "a[0] <= d[0]" }
true = { steps = "own [mean n]", shows = "a[0] <= d[0] if K >= 3" }

[empty-sum-leaf]
before = """[leaf.own]
says = "a[0] <= d[0] for n" """
false = { steps = "own [sum n] : 1/(K - 2)", shows = "a[0] <= d[0]" }
true = { steps = "own [sum n] : 1/(K - 2)", shows = "a[0] <= d[0] if K >= 3" }

[empty-discounted]
false = { shows = "discounted(n, g) 1 = 1" }
true = { shows = "discounted(t, g) 1 = 1" }

[empty-vectors]
false = { shows = "|mean(n) u[0, n]|^2 <= mean(n) |u[0, n]|^2" }
true = { shows = "|mean(n) u[0, n]|^2 <= mean(n) |u[0, n]|^2 if K >= 3" }

[too-far]  # d[T - 1] is not paid for
false = { steps = "decreasing [sum t = 0 .. T - 2]", shows = "sum(t) d[t] <= a[0]" }
true = { steps = "decreasing [sum t = 0 .. T - 2]", shows = "sum(t = 0 .. T - 2) d[t] <= a[0]" }

[outside]
false = { steps = "decreasing(t -> T - 1)", shows = "0 <= a[T - 1] - d[T - 1]" }
true = { steps = "decreasing : 1", shows = "0 <= a[t] - d[t] for t = 0 .. T - 2" }

[low-letter]  # the range of t is empty where z > T
page = """
indices = "i = 1 .. N, t = z .. T"
[letters]
"> 0" = "N, T"
"real" = "z"
[numbers]
"a[t]" = "a" """
false = { shows = "mean(t) 1 = 1" }
true = { shows = "mean(t) 1 = 1 if z <= T" }

[low-sign]  # z is a whole number that is at least 1, as all that stands in a range
page = """
indices = "i = 1 .. N, t = z .. T"
[letters]
"> 0" = "N, T"
"real" = "z" """
false = { shows = "2 <= t for t" }
true = { shows = "1 <= t for t" }

# --- induction ---

[late-step]  # e[1] = 7
false = { induction = "k", base = "first", steps = "late; self", shows = "e[k] <= k for k" }
true = { induction = "k", base = "first", steps = "always; self", shows = "e[k] <= k for k" }

[early-step]  # e[7] = 99
false = { induction = "k", base = "first", steps = "early; self", shows = "e[k] <= k for k" }
true = { steps = "early", shows = "e[k + 1] <= e[k] + 1 for k = 0 .. K - 2 if K <= 6" }

[given-index]
false = { induction = "k", base = "first", steps = "late; self", shows = "e[k] <= k for k if k >= 3" }
true = { induction = "k", base = "first", steps = "always; self", shows = "e[k] <= k for k if K >= 3" }

[too-little]  # e[k] = 2 k
before = """[leaf.two]
says = "e[k + 1] <= e[k] + 2 for k = 0 .. K - 2" """
false = { induction = "k", base = "first", steps = "two; self", shows = "e[k] <= k for k" }
true = { induction = "k", base = "first", steps = "two; self", shows = "e[k] <= 2 k for k" }

[no-base]
false = { induction = "k", steps = "always; self", shows = "e[k] <= k for k" }
true = { induction = "k", base = "first", steps = "always; self", shows = "e[k] <= k + 1 for k" }

[other-range]  # nothing is said of tri[1, 1]
before = """[leaf.start]
says = "tri[0, 0] <= 1"
[leaf.starts]
says = "tri[0, h] <= 1 for h"
[leaf.down]
says = "tri[t + 1, h] <= tri[t, h] for t = 0 .. T - 2, h" """
false = { induction = "t", base = "start", steps = "down; self", shows = "tri[t, h] <= 1 for t, h = 0 .. t" }
true = { induction = "t", base = "starts", steps = "down; self", shows = "tri[t, h] <= 1 for t, h" }

[member-step]  # step[0] = 2
before = """[leaf.own]
says = "a[t + 1] <= a[t] for t = 0 .. T - 2 if step[t] <= 1"
[leaf.all]
says = "step[t] <= 1 for t" """
false = { induction = "t", steps = "own; self", shows = "a[t] <= a[0] for t" }
true = { induction = "t", steps = "all; own; self", shows = "a[t] <= a[0] for t" }

# --- growth and discount ---

[growth-late]  # e[1] = 99
false = { steps = "grows-late [growth k 1]", shows = "e[k] <= euler (e[0] + k c) for k" }
true = { steps = "grows [growth k 1]", shows = "e[k] <= euler (e[0] + k c) for k" }

[growth-given]  # what is given of k is no hypothesis of the steps before it
false = { steps = "grows-late [growth k 1]", shows = "e[k] <= euler (e[0] + k c) for k if k >= 3" }
true = { steps = "grows [growth k 1]", shows = "e[k] <= euler (e[0] + k c) for k if k >= 3" }

[growth-less]
false = { steps = "grows [growth k 1]", shows = "e[k] <= euler (e[0] + (k - 1) c) for k" }
true = { steps = "grows [growth k 1]", shows = "e[k] <= euler (e[0] + (k + 1) c) for k" }

[growth-rate]
false = { steps = "grows [growth k 0]", shows = "e[k] <= e[0] + k c for k" }
true = { steps = "grows [growth k 1]", shows = "e[k] <= 3 e[0] + 3 k c for k" }

[growth-sign]  # f(x[0]) = -1
before = """[leaf.own]
says = "f(x[t + 1]) <= (1 + 1/T) f(x[t]) for t = 0 .. T - 2"
[leaf.own-size]
says = "size[t + 1] <= (1 + 1/T) size[t] for t = 0 .. T - 2" """
false = { steps = "own [growth t 1]", shows = "f(x[t]) <= euler f(x[0]) for t" }
true = { steps = "own-size [growth t 1]", shows = "size[t] <= euler size[0] for t" }

[growth-added]  # z = -1 and e[0] = 0: nothing bounds the last from above then, but z k may be less than it is
before = """[leaf.own]
says = "e[k + 1] <= (1 + 1/K) e[k] + z for k = 0 .. K - 2" """
false = { steps = "own [growth k 1]", shows = "e[k] <= euler (e[0] + k z) for k" }
true = { steps = "own [growth k 1]", shows = "e[k] <= euler (e[0] + k z) for k if z >= 0" }

[growth-sum-added]  # what is added is negative before k = 3
before = """[leaf.own]
says = "e[k + 1] <= (1 + 1/K) e[k] + (k - 3) c for k = 0 .. K - 2"
[leaf.plus]
says = "e[k + 1] <= (1 + 1/K) e[k] + k c for k = 0 .. K - 2" """
false = { steps = "own [growth-sum k 1]", shows = "sum(k) e[k] <= euler (K e[0] + (K - 1)^2 (K - 8)/2 c)" }
true = { steps = "plus [growth-sum k 1]", shows = "sum(k) e[k] <= euler (K e[0] + (K - 1)^2 (K - 2)/2 c)" }

[discount-late]  # size[1] = 99 and size[0] = 0
false = { steps = "shrinks-late [discount t g]", shows = "discounted(t, g) a[t] <= (g + 1/T) size[0] + c" }
true = { steps = "shrinks [discount t g]", shows = "discounted(t, g) a[t] <= (g + 1/T) size[0] + c" }

[discount-less]  # T = 1
false = { steps = "shrinks [discount t g]", shows = "discounted(t, g) a[t] <= g size[0] + c" }
true = { steps = "shrinks [discount t g]", shows = "discounted(t, g) a[t] <= (g + 2/T) size[0] + c" }

[discount-plain]  # another mean
false = { steps = "shrinks [discount t g]", shows = "mean(t) a[t] <= (g + 1/T) size[0] + c" }
true = { shows = "mean(t) a[t] <= mean(t) a[t] + c" }

[sum-late]
before = """[leaf.own]
says = "a[t] <= d[t] for t if t >= 1"
[leaf.all]
says = "a[t] <= d[t] for t if t + 1 >= 1" """
false = { steps = "own [sum t]", shows = "sum(t) a[t] <= sum(t) d[t]" }
true = { steps = "all [sum t]", shows = "sum(t) a[t] <= sum(t) d[t]" }

[sum-upper]  # T = 9
before = """[leaf.own]
says = "a[t] <= d[t] for t if t <= 5" """
false = { steps = "own [sum t]", shows = "sum(t) a[t] <= sum(t) d[t]" }
true = { steps = "own [sum t]", shows = "sum(t) a[t] <= sum(t) d[t] if T <= 6" }

[sum-member]  # step[0] = 2
before = """[leaf.own]
says = "a[t] <= d[t] for t if step[t] <= 1" """
false = { steps = "own [sum t]", shows = "sum(t) a[t] <= sum(t) d[t]" }
true = { steps = "own", shows = "a[t] <= d[t] for t if step[t] <= 1" }

[mean-late]
before = """[leaf.own]
says = "a[t] <= d[t] for t if t >= 1" """
false = { steps = "own [mean t]", shows = "mean(t) a[t] <= mean(t) d[t]" }
true = { steps = "below [mean t]", shows = "mean(t) a[t] <= mean(t) d[t]" }

# --- minimum ---

[maximum]  # c = 2, r = p = 1
before = """[claim.largest]
shows = "c <= p if -p = min(-c, -r)" """
false = { steps = "largest", shows = "c <= p if p = min(c, r)" }
true = { steps = "largest", shows = "c <= p if -2 p = min(-2 c, -2 r)" }

[scaled-minimum]  # z = -1
before = """[claim.smallest]
shows = "p <= c if p = min(c, r)" """
false = { steps = "smallest", shows = "p <= c if z p = min(z c, z r)" }
true = { steps = "smallest", shows = "p <= c if eta p = min(eta r, eta c)" }

[three]  # eta = p = 1, c = r = 2
before = """[claim.two]
shows = "c <= p if p = min(c, r), c <= r" """
false = { steps = "two", shows = "c <= p if p = min(c, r, eta), c <= r" }
true = { steps = "two", shows = "c <= p if p = min(r, c), c <= r" }

[not-both]
false = { shows = "c <= p if p = min(c, r)" }
true = { shows = "p <= c if p = min(c, r)" }

[which]
false = { shows = "p = c if p = min(c, r)" }
true = { shows = "2 p <= c + r if p = min(c, r)" }

[zero-minimum]
before = """[claim.smallest]
shows = "b <= c if b = min(c, 0)" """
false = { steps = "smallest", shows = "b <= c if q = min(c, 0)" }
true = { shows = "b <= c if b = min(c, 0)" }

# --- samples ---

[two-samples]  # S = 1, R = N = 2
false = { steps = "sample(u -> taken(A[t], y[t, K]))", shows = """|N/S mean(i) taken(A[t], y[t, K])|^2
  <= |mean(i) y[t, K]|^2 for t if R = N""" }
true = { steps = "sample(u -> taken(A[t], y[t, K]))", shows = """|N/S mean(i) taken(A[t], y[t, K])|^2
  <= |mean(i) y[t, K]|^2 + |y[t, K]|^2/S for t""" }

[other-size]
false = { steps = "sample(u -> taken(B[t], y[t, K]))", shows = """|N/R mean(i) taken(B[t], y[t, K])|^2
  <= |mean(i) y[t, K]|^2 for t if S = N""" }
true = { steps = "sample(u -> taken(B[t], y[t, K]))", shows = """|N/R mean(i) taken(B[t], y[t, K])|^2
  <= |mean(i) y[t, K]|^2 + |y[t, K]|^2/R for t""" }

[spread-of-which]  # S = 1, R = N: spread is 0 or 1
false = { shows = "spread S (N - 1) = N - S" }
true = { shows = "S <= N" }

[younger-other]  # x[t + 1] is made of the sample
false = { shows = "<taken(A[t], y[t, K]), x[t + 1]> = S/N <y[t, K], x[t + 1]> for t" }
true = { shows = "<taken(A[t], y[t, K]), x[t]> = S/N <y[t, K], x[t]> for t" }

[any-other]  # s may depend on the sample
false = { shows = "<taken(A[t], s[t]), x[t]> = S/N <s[t], x[t]> for t" }
true = { shows = "<taken(A[t], y[t, 0]), x[t]> = S/N <y[t, 0], x[t]> for t" }

[with-itself]
false = { shows = "|taken(A[t], y[t, K])|^2 = S/N S/N |y[t, K]|^2 for t" }
true = { shows = "|taken(A[t], y[t, K])|^2 = S/N |y[t, K]|^2 for t" }

[two-draws]  # nothing says that A and B are independent
false = { shows = "<taken(A[t], y[t, K]), taken(B[t], y[t, K])> = S/N R/N |y[t, K]|^2 for t" }
true = { shows = "<taken(A[t], y[t, K]), y[t, K]> = S/N |y[t, K]|^2 for t" }

[mean-of-sample]  # the sample has a variance
false = { shows = "|N/S mean(i) taken(A[t], y[t, K])|^2 = |mean(i) y[t, K]|^2 for t" }
true = { shows = "<N/S mean(i) taken(A[t], y[t, K]), mean(i) y[t, K]> = |mean(i) y[t, K]|^2 for t" }

[too-many]  # there is no such sample
false = { shows = "1 <= 0 if S >= N + 1" }
true = { shows = "N <= S if S >= N" }

# --- births and orthogonality ---

[younger]  # y[t, k + 1] is made of the noise
false = { shows = "<y[t, k + 1], xi[t, k]> = 0 for t, k" }
true = { shows = "<y[t, k], xi[t, k]> = 0 for t, k" }

[itself-noise]
false = { shows = "|xi[t, k]|^2 = 0 for t, k" }
true = { shows = "<xi[t, k], xi[t, k + 1]> = 0 for t, k = 0 .. K - 2" }

[unknown-birth]  # s may be the noise
false = { shows = "<s[t], xi[t, k]> = 0 for t, k" }
true = { shows = "<x[t], xi[t, k]> = 0 for t, k" }

[means-of-both]  # late points are made of early noise
false = { shows = "<mean(k) y[t, k + 1], mean(k) xi[t, k]> = 0 for t" }
true = { shows = "<x[t], mean(k) xi[t, k]> = 0 for t" }

[mean-of-both]
false = { shows = "mean(k) <y[t, k + 1], xi[t, k]> = 0 for t" }
true = { shows = "mean(k) <y[t, k], xi[t, k]> = 0 for t" }

[orthogonal-step]
false = { steps = "orthogonal(u -> x[t + 1], v -> mean(i, k) xi[t, k]) : 1", shows = """<x[t + 1], mean(i, k) xi[t, k]>
  = 0 for t""" }
true = { steps = "orthogonal(u -> x[t], v -> mean(i, k) xi[t, k])", shows = "<x[t], mean(i, k) xi[t, k]> = 0 for t" }

[last-noise]  # the round's end is made of the noise at k = K
page = """
indices = "i = 1 .. N, t = 0 .. T - 1, k = 1 .. K"
[letters]
"> 0" = "N, T, K"
[vectors]
"x[t]" = "server, t = 0 .. T"
"n[t]" = "deviation"
"xi[t, k]" = "noise"
[equations]
server = "x[t + 1] = x[t] - mean(i) n[t]" """
false = { shows = "<n[t], xi[t, K]> = 0 for t" }
true = { shows = "<x[t], xi[t, K]> = 0 for t" }

[first-noise]  # the noise at k = -1 is of the round, and the deviation is off its mean given all before the round
page = """
indices = "i = 1 .. N, t = 0 .. T - 1, k = -1 .. K"
[letters]
"> 0" = "N, T, K"
[vectors]
"x[t]" = "server, t = 0 .. T"
"xi[t, k]" = "noise"
"y[t, k]" = "client, k = -1 .. K"
"n[t]" = "deviation"
[equations]
noisy = "y[t, k] = some(x[t], xi[t, -1]) for t, k"
server = "x[t + 1] = x[t] - mean(i) n[t]" """
false = { shows = "<y[t, 0], n[t]> = 0 for t" }
true = { shows = "<x[t], n[t]> = 0 for t" }

[narrow-equation]  # x[1] has no equation, and may be the noise xi[1]
page = """
indices = "i = 1 .. N, t = 0 .. T - 1"
[letters]
"> 0" = "N, T"
[vectors]
"x[t]" = "server, t = 0 .. T"
"v[t]" = "server, t = 0 .. T"
"xi[t]" = "noise"
[equations]
server = "x[t + 1] = x[t] - mean(i) xi[t] for t = 1 .. T - 1"
whole = "v[t + 1] = v[t] - mean(i) xi[t]" """
false = { shows = "<x[T - 1], xi[T - 1]> = 0" }
true = { shows = "<v[t], xi[t]> = 0 for t" }

[narrow-end]  # so has x[T - 1]
page = """
indices = "i = 1 .. N, t = 0 .. T - 1"
[letters]
"> 0" = "N, T"
[vectors]
"x[t]" = "server"
"v[t]" = "server"
"xi[t]" = "noise"
[equations]
server = "x[t + 1] = x[t] - mean(i) xi[t] for t = 0 .. T - 3"
whole = "v[t + 1] = v[t] - mean(i) xi[t] for t = 0 .. T - 2" """
false = { shows = "<x[T - 1], xi[T - 1]> = 0" }
true = { shows = "<v[T - 1], xi[T - 1]> = 0" }

[one-entry]  # an equation of v[T] alone says nothing of v[0]
page = """
indices = "i = 1 .. N, t = 0 .. T - 1"
[letters]
"> 0" = "N, T"
[vectors]
"x[t]" = "server, t = 0 .. T"
"v[t]" = "server, t = 0 .. T"
"xi[t]" = "noise"
[equations]
server = "x[t + 1] = x[t] - mean(i) xi[t]"
end = "v[T] = x[0]" """
false = { shows = "<v[0], xi[0]> = 0" }
true = { shows = "<x[0], xi[0, 0]> = 0", common = "" }

[noise-with-equation]  # the noise would be the point
page = """
indices = "i = 1 .. N, t = 0 .. T - 1"
[letters]
"> 0" = "N, T"
[vectors]
"x[t]" = "server"
"xi[t]" = "noise"
[equations]
own = "xi[t] = x[t]" """
false = { steps = "fresh(u -> xi[t]) [mean i]; own", shows = "N |x[t]|^2 = |x[t]|^2 for t" }
true = { shows = "<x[t], xi[t, k]> = 0 for t, k", common = "" }

[shared-noise]  # one vector for all clients is not the noise of each
page = """
indices = "i = 1 .. N, t = 0 .. T - 1"
[letters]
"> 0" = "N, T"
[vectors]
"xi[t]" = "noise"
"x[t]" = "server"
[equations]
own = "x[t] = xi[t]" """
false = { steps = "own; fresh(u -> xi[t]) [mean i]", shows = "N |xi[t]|^2 = |xi[t]|^2 for t" }
true = { shows = "|mean(i) y[t, k]|^2 <= |y[t, k]|^2 for t, k", common = "" }

[two-equations]  # x[t] = 0 and x[t] = s[t]
page = """
indices = "i = 1 .. N, t = 0 .. T - 1"
[letters]
"> 0" = "N, T"
[vectors]
"s[t]" = "server"
"x[t]" = "server"
[equations]
one = "x[t] = 0"
two = "x[t] = s[t]" """
false = { steps = "one; two", shows = "|s[t]|^2 = |x[t]|^2 for t" }
true = { steps = "y0", shows = "|y[t, 0] - x[t]|^2 = 0 for t", common = "" }

[overlapping-equations]  # y[t, 0] is x[t], and y[t, -1] plus s[t]
page = """
indices = "i = 1 .. N, t = 0 .. T - 1, k = -1 .. K - 1"
[letters]
"> 0" = "N, T, K"
[vectors]
"x[t]" = "server"
"s[t]" = "server"
"y[t, k]" = "client, k = -1 .. K"
[equations]
one = "y[t, 0] = x[t]"
two = "y[t, k + 1] = y[t, k] + s[t]" """
false = { steps = "one; two(k -> -1)", shows = "|y[t, 0]|^2 = |x[t]|^2 for t" }
true = { steps = "y0", shows = "|y[t, 0]|^2 = |x[t]|^2 for t", common = "" }

[circle]  # a number that is one more than itself
page = """
indices = "i = 1 .. N, t = 0 .. T - 1"
[letters]
"> 0" = "N, T"
[definitions]
up = "up[t] = up[t] + 1" """
false = { steps = "up", shows = "up[t] <= up[t] for t" }
true = { shows = "a[t] <= a[t] for t", common = "" }

[circle-of-two]
page = """
indices = "i = 1 .. N, t = 0 .. T - 1"
[letters]
"> 0" = "N, T"
[definitions]
up = "up[t] = down[t] + 1"
down = "down[t] = up[t]" """
false = { steps = "up; down", shows = "up[t] <= up[t] for t" }
true = { steps = "size", shows = "size[t] = |x[t]|^2 for t", common = "" }

# --- averages of fresh noise ---

[fresh-count]
false = { steps = "fresh(u -> xi[t, k]) [mean i]", shows = "|mean(i) xi[t, k]|^2 = |xi[t, k]|^2/(N K) for t, k" }
true = { steps = "fresh(u -> xi[t, k]) [mean i]", shows = "|mean(i) xi[t, k]|^2 = |xi[t, k]|^2/N for t, k" }

[fresh-what]  # u is no noise
false = { steps = "fresh(u -> u[t, k]) [mean i]", shows = "|mean(i) u[t, k]|^2 = |u[t, k]|^2/N for t, k" }
true = { shows = "|mean(i) u[t, k]|^2 <= |u[t, k]|^2 for t, k" }

[fresh-point]
false = { steps = "fresh(u -> xi[t, k] + u[t, k]) [mean i]", shows = """|mean(i) (xi[t, k] + u[t, k])|^2
  = |xi[t, k] + u[t, k]|^2/N for t, k""" }
true = { steps = "fresh(u -> 2 xi[t, k]) [mean i]", shows = "|mean(i) (2 xi[t, k])|^2 = 4 |xi[t, k]|^2/N for t, k" }

[fresh-one]  # the noises have other sizes
false = { steps = "fresh(u -> xi[t, k]) [mean i, k]", shows = "|mean(i, k) xi[t, k]|^2 <= |xi[t, 0]|^2/(N K) for t" }
true = { steps = "fresh(u -> xi[t, k]) [mean i, k]", shows = """|mean(i, k) xi[t, k]|^2
  <= mean(k) |xi[t, k]|^2/(N K) for t""" }

[fresh-empty]
false = { steps = "fresh(u -> xi[t, n]) [mean i, n]", shows = """|mean(i, n) xi[t, n]|^2
  = mean(n) |xi[t, n]|^2/(N (K - 2)) for t""" }
true = { steps = "fresh(u -> xi[t, n]) [mean i, n]", shows = """|mean(i, n) xi[t, n]|^2
  = mean(n) |xi[t, n]|^2/(N (K - 2)) for t if K >= 3""" }

[fresh-sampled]
false = { steps = "fresh(u -> taken(A[t], xi[t, k])) [mean i]", shows = """|mean(i) taken(A[t], xi[t, k])|^2
  = |taken(A[t], xi[t, k])|^2/N for t, k""" }
true = { shows = "|taken(A[t], xi[t, k])|^2 = S/N |xi[t, k]|^2 for t, k" }

# --- letters with an index ---

[member-pole]  # load[t] = 0
before = """[leaf.own]
says = "load[t] a[t] <= load[t] d[t] for t"
[leaf.other]
says = "step[t] a[t] <= step[t] d[t] for t" """
false = { steps = "own", shows = "a[t] <= d[t] for t" }
true = { steps = "other", shows = "a[t] <= d[t] for t" }

[member-late]  # step[0] = 2
false = { steps = "slow(t -> 0)", shows = "step[0] <= 1" }
true = { steps = "slow", shows = "step[t] <= 1 for t = 1 .. T - 1" }

[member-sum]  # weights are no constants
false = { steps = "below [sum t] : step[0]", shows = "sum(t) step[t] a[t] <= sum(t) step[t] d[t]" }
true = { steps = "below : step[t]", shows = "step[t] a[t] <= step[t] d[t] for t" }

[member-shift]
before = """[leaf.own]
says = "step[t + 1] <= step[t] for t" """
false = { steps = "own", shows = "step[t] <= step[t + 1] for t" }
true = { steps = "own", shows = "step[t + 1] <= 2 step[t] for t" }

# --- cases ---

[vanishing]  # q = 0: nothing is known
before = """[leaf.own]
says = "q a[0] <= q c"
[leaf.at-zero]
says = "a[0] <= c + q" """
false = { vanishing = "q", steps = "own", shows = "a[0] <= c" }
true = { vanishing = "q", base = "at-zero", steps = "own", shows = "a[0] <= c" }

[vanishing-divisor]
before = """[leaf.own]
says = "q a[0] <= c" """
false = { vanishing = "q", base = "own", steps = "own", shows = "a[0] <= c/q" }
true = { steps = "own : 1/q", shows = "a[0] <= c/q if q >= 1/100" }

[vanishing-hypothesis]  # q = 1, d[0] = 1
before = """[leaf.own]
says = "d[0] <= 0 if q <= 0" """
false = { vanishing = "q", base = "own", steps = "own", shows = "d[0] <= 0" }
true = { steps = "own", shows = "d[0] <= 0 if q = 0" }

[vanishing-real]  # z may be negative
before = """[leaf.own]
says = "z a[0] <= z c"
[leaf.at-zero]
says = "a[0] <= c + z" """
false = { vanishing = "z", base = "at-zero", steps = "own", shows = "a[0] <= c" }
true = { steps = "own", shows = "a[0] <= c if z >= 1" }

# --- hypotheses ---

[conditional]  # z = 2
before = """[claim.own]
shows = "z <= 1 if z <= 1" """
false = { steps = "own", shows = "z <= 1" }
true = { steps = "own", shows = "z <= 1 if 2 z <= 2" }

[conditional-leaf]
false = { steps = "short", shows = "a[t] <= 1 for t" }
true = { steps = "short", shows = "a[t] <= 1 for t if 2 eta L <= 2" }

[conditional-twice]
before = """[claim.own]
steps = "short"
shows = "a[t] <= 1 for t" """
false = { steps = "own(t -> 0)", shows = "a[0] <= 2" }
true = { steps = "own(t -> 0)", shows = "a[0] <= 2 if eta L <= 1" }

[conditional-sum]
false = { steps = "short [sum t]", shows = "sum(t) a[t] <= T" }
true = { steps = "short [sum t]", shows = "sum(t) a[t] <= T if eta L <= 1/2" }

[conditional-zero]  # z = 2
before = """[leaf.near]
says = "|x[t] - s[t]|^2 = 0 for t if z <= 1"
[claim.same]
steps = "near"
shows = "|x[t] - s[t]|^2 = 0 for t"
[claim.equal]
shows = "|y[t, 0] - x[t]|^2 = 0 for t"
steps = "y0" """
false = { steps = "same", shows = "f(x[t]) = f(s[t]) for t" }
true = { steps = "equal", shows = "<y[t, 0], s[t]> = <x[t], s[t]> for t" }

[contradictory]  # the leaves have no values
before = """[leaf.up]
says = "2 <= z"
[leaf.down]
says = "z <= 1" """
false = { steps = "up : 2 c; down : 2 c", shows = "c <= -c" }
true = { steps = "up", shows = "1 <= z" }

[contradictory-numbers]
before = """[leaf.minus]
says = "a[t] <= -1 for t" """
false = { steps = "minus", shows = "a[t] <= -1/2 for t" }
true = { steps = "below", shows = "a[t] <= d[t] + 1 for t" }

[contradictory-ends]
before = """[leaf.all]
says = "a[t] <= 1 for t"
[leaf.one]
says = "2 <= a[0]" """
false = { steps = "all(t -> 0) : 2 c; one : 2 c", shows = "c <= -c" }
true = { steps = "all(t -> 0)", shows = "a[0] <= 2" }

[contradictory-given]
false = { shows = "z <= -1 if z <= 1, z >= 2" }
true = { shows = "z <= 3 if z <= 2, z >= 2" }

[no-index]
false = { shows = "1 <= 0 for t = 3 .. 2" }
true = { shows = "1 <= t for t = 2 .. 3" }

# --- multipliers, squares, sums that pay for entries ---

[negative-multiplier]
false = { steps = "below : -1", shows = "d[t] <= a[t] for t" }
true = { steps = "below : 1", shows = "a[t] <= d[t] for t" }

[unknown-multiplier]  # z = -1
false = { steps = "below : z", shows = "z a[t] <= z d[t] for t" }
true = { steps = "below : z^2", shows = "z^2 a[t] <= z^2 d[t] for t" }

[equal-from-less]
false = { steps = "below", shows = "a[t] = d[t] for t" }
true = { steps = "below", shows = "a[t] <= 2 d[t] for t" }

[hidden-debt]  # z = 9, a = 0 but for a[T - 1] = 1
false = { shows = "0 <= sum(t) a[t] + z a[0] - z a[T - 1]" }
true = { shows = "0 <= sum(t) a[t] + c a[0] - a[T - 1]" }

[too-large-debt]
false = { shows = "0 <= sum(t) a[t] - 2 a[0]" }
true = { shows = "0 <= sum(t) a[t] - a[0]" }

[one-entry-twice]  # T = 1
false = { shows = "0 <= sum(t) a[t] - a[0] - a[T - 1]" }
true = { shows = "0 <= 2 sum(t) a[t] - a[0] - a[T - 1]" }

[jensen]
false = { shows = "|u[t, k]|^2 <= |mean(i) u[t, k]|^2 for t, k" }
true = { shows = "|mean(i) u[t, k]|^2 <= |u[t, k]|^2 for t, k" }

[jensen-in-steps]
false = { shows = "mean(k) |mean(i) u[t, k]|^2 <= |mean(i, k) u[t, k]|^2 for t" }
true = { shows = "|mean(i, k) u[t, k]|^2 <= mean(k) |mean(i) u[t, k]|^2 for t" }

[young]  # x = s
false = { shows = "<x[t], s[t]> <= |x[t]|^2/4 + |s[t]|^2/2 for t" }
true = { shows = "<x[t], s[t]> <= |x[t]|^2/4 + |s[t]|^2 for t" }

[real-letter]  # z = 1/2
false = { shows = "z <= z^2" }
true = { shows = "2 z <= z^2 + 1" }

[euler]
false = { shows = "euler^2 <= 7" }
true = { shows = "euler^2 <= 8" }
'''


def cases():
    return tomllib.loads(CASES)


def verdict(tmp_path, case, kind):
    """Return what is said about the claim of a case."""
    claim = dict(case[kind])
    common = claim.pop("common", None) is not None  # the true claim of a page that is no page stands in the common one
    lines = "\n".join(f'{key} = """{text}"""' for key, text in claim.items())
    page = case["page"] if "page" in case and not common else SETTING + case.get("before", "")
    path = tmp_path / "claims.toml"
    path.write_text(f"{page}\n\n[claim.mine]\n{lines}\n", encoding="utf-8")
    try:
        prover = decide_file(load(path))
    except InputError as error:
        return f"not legal: {error}"
    one = prover.found["mine"]
    return "vacuous" if vacuous(prover, one) else one.word


# The second of two of the same kind, each with a search of seconds that ends with nothing.
@pytest.mark.parametrize("name", [case_of(name, slow=name == "two-samples") for name in cases()])
def test_a_false_statement_is_not_proved(tmp_path, name):
    assert verdict(tmp_path, cases()[name], "false") != "proved"


@pytest.mark.parametrize("name", cases())
def test_its_true_neighbour_is_proved(tmp_path, name):
    assert verdict(tmp_path, cases()[name], "true") == "proved"


PRINTED = """
[claim.own]
steps = "short"
shows = "a[t] <= 1 for t"
"""


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "claims.toml"
    path.write_text(SETTING + PRINTED, encoding="utf-8")
    return path


def test_what_is_inherited_is_printed_and_no_proof(page, capsys, monkeypatch):
    """The leaf holds if eta L <= 1, which the claim does not say; decided once, four exit statuses are asked for."""
    found = outcomes(page)
    monkeypatch.setattr("boundcheck.proofs.search.outcomes.outcomes", lambda *_, **__: found)
    assert prove(str(page)) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "1 conditional" in out
    assert "proved" not in out
    assert "a[t] <= 1 for t = 0 .. T - 1" in out
    assert "eta*L <= 1" in out
    assert prove(str(page), fail_on=["conditional"]) == 1
    assert prove(str(page), fail_on=["undecided"]) == 1
    assert prove(str(page), fail_on=["refuted"]) == 0


def test_a_bound_is_printed_with_its_conditions():
    found = tree("momentum-fl.theorem11")
    assert len(found.top.given) == 8
    assert all(node_text(node) in found.lines()[0] and node_text(node) in found.sentence() for node in found.top.given)
    assert found.data()["given"] == [node_text(node) for node in found.top.given]


def test_no_shipped_claim_inherits():
    for name in ("momentum-fl.theorem11", "momentum-fl.theorem15-rate", "momentum-fl.theorem22-rate"):
        assert [one["id"] for one in tree(name).data()["claims"] if one["inherited"]] == []


def at(tmp_path, letter, value, more=""):
    """Return whether a claim holds at a value of a letter."""
    path = tmp_path / "claims.toml"
    text = f"{SETTING.replace(', R, L', ', L')}{more}"
    text = text.replace('"B[t]" = "sample of R"', "")
    path.write_text(text + '\n[claim.every]\nshows = "S <= N + spread + q"\n', encoding="utf-8")
    file = load(path)
    prover = decide_file(file)
    shows = read_relation("S <= N + spread + q")
    relation = Relation(substitute_letters(shows, {letter: read(value)}), at={letter: read(value)})
    put = Claim("mine", "", "", "", relation, steps=(Step("every"),))
    return prover.decide(put).proved


def test_an_instance_is_of_runs_that_there_are(tmp_path):
    """There is no sample of 2 N clients, and the factor of its variance is not for choice."""
    assert at(tmp_path, "q", "1")
    assert at(tmp_path, "spread", "0")
    for letter, value in (("S", "2 N"), ("spread", "1"), ("N", "1"), ("q", "-1")):
        with pytest.raises(InputError, match="not legal"):
            at(tmp_path, letter, value)


def test_an_instance_keeps_what_is_assumed_of_its_letters(tmp_path):
    leaf = "\n[leaf.least]\nsays = 'q <= 2'\n"
    assert at(tmp_path, "q", "1", leaf)
    assert not at(tmp_path, "q", "3", leaf)


def test_stored_sums_are_read_under_the_signs_of_now():
    """What was found where m >= 0 shows nothing where m may be negative."""
    ring = QuotientField(("m", "n")).ring
    m, n = ring.gens
    book = ProductStore()
    assert Signs(ring, (">= 0", ">= 0"), (n - 1,), book).products(m * n - m)
    assert book.stored
    assert Signs(ring, ("real", ">= 0"), (n - 1,), book).products(m * n - m) is None


def test_numbers_are_not_summed_over_clients(tmp_path):
    path = tmp_path / "claims.toml"
    path.write_text(SETTING + '[claim.mine]\nshows = "sum(i) 1 = N"\n', encoding="utf-8")
    with pytest.raises(InputError, match="numbers do not depend on the client"):
        decide_file(load(path))


def test_noise_needs_clients(tmp_path):
    path = tmp_path / "claims.toml"
    page = 'indices = "t = 0 .. T - 1"\n[letters]\n"> 0" = "T"\n[vectors]\n"xi[t]" = "noise"\n[claim.mine]\n'
    claim = 'steps = "fresh(u -> xi[t]) [mean i]"\nshows = "0 <= |mean(i) xi[t]|^2 for t"\n'
    path.write_text(page + claim, encoding="utf-8")
    with pytest.raises(InputError, match="index letter 'i'"):
        decide_file(load(path))


@pytest.mark.parametrize("shows", ["0 <= sum(t = 3 .. T - 1) 1", "0 <= sum(n) 1"])
def test_a_true_sum_that_may_be_empty_is_not_refuted(tmp_path, shows):
    path = tmp_path / "claims.toml"
    path.write_text(SETTING + f'[claim.mine]\nshows = "{shows}"\n', encoding="utf-8")
    (one,) = outcomes(path)
    assert one["verdict"] == "proved"  # by cases of T or K: the sum over nothing is 0


@pytest.mark.parametrize(
    ("shows", "true"),
    [
        ("a[T - 1] <= a[0] if T = 1", True),
        ("a[T - 1] <= a[0] if T = 2", False),  # a[1] and a[0] are two numbers
        ("a[T - 1] <= a[0] if T <= 2", False),  # nothing says which
        ("a[0] <= a[T - 1] if 1 <= T", False),
        ("|y[t, K] - y[t, 1]|^2 = 0 for t if K = 1", True),
        ("|y[t, K] - y[t, 1]|^2 = 0 for t if S = 1", False),  # of another letter
        ("|y[t, K] - y[t, 0]|^2 = 0 for t if K = 1", False),
        ("|y[t, K - 1] - y[t, 0]|^2 = 0 for t if K = 1", True),
        ("|y[t, K - 1] - y[t, 1]|^2 = 0 for t if K = 1", False),
    ],
)
def test_indices_that_are_given_as_one_number_give_one_entry(tmp_path, shows, true):
    """K = 1 makes y[t, K] and y[t, 1] one vector; another index, letter or bound does not."""
    path = tmp_path / "claims.toml"
    path.write_text(SETTING + f'[claim.mine]\nshows = "{shows}"\n', encoding="utf-8")
    assert decide_file(load(path)).found["mine"].proved is true
