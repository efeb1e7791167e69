"""FedGLOMO, Appendix A: compression saves a factor 2.86, not "more than five", by the paper's own messages."""

import numpy as np

d = 10**6
# K_2 / K_1 of l.396 and l.404: q = 1 needs twice the rounds of q = 0
rounds = np.sqrt(3200 / 800)
exact = 32 * d  # Appendix B: without compression one vector is enough
claimed = exact / ((2.8 * d + 32) * rounds)
found = exact / (2 * (2.8 * d + 32) * rounds)  # Algorithm 2 sends two compressed vectors
print(f"claimed saving {claimed:.3f} > {found:.3f}, what Algorithm 2 and Appendix B give")
assert found < 3 < 5 < claimed
