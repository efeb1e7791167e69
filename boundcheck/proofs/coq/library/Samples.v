(* Samples without replacement: the factor in the variance of the mean of S of N clients. *)
Require Import Reals ZArith Lra Lia.
Open Scope R_scope.

Section Spread.
Context (N : Z) (S spread : R).
Hypotheses (one_N : (1 <= N)%Z) (one_S : 1 <= S) (most_S : S <= IZR N).
Hypothesis none : (N = 1)%Z -> spread = 0.
Hypothesis some : (2 <= N)%Z -> spread = (IZR N - S) / (S * (IZR N - 1)).

Lemma two_or_one : (N = 1)%Z \/ ((2 <= N)%Z /\ 2 <= IZR N).
Proof. destruct (Z.eq_dec N 1) as [E|E]; [left; exact E | right; split; [lia | apply IZR_le; lia]]. Qed.
Lemma sample_spread_is : spread * S * (IZR N - 1) = IZR N - S.
Proof.
  destruct two_or_one as [E|[E P]]; [rewrite none by exact E; rewrite E in *; lra|]. rewrite some by exact E. field. lra.
Qed.
Lemma sample_spread_nonneg : 0 <= spread.
Proof.
  destruct two_or_one as [E|[E P]]; [rewrite none by exact E; lra|]. rewrite some by exact E.
  apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. nra.
Qed.
Lemma sample_spread_most : 0 <= 1 - spread.
Proof. assert (A := sample_spread_is). assert (B := sample_spread_nonneg). destruct two_or_one as [E|[E P]]; [rewrite none by exact E; lra|].
  apply Rmult_le_reg_r with (S * (IZR N - 1)); [apply Rmult_lt_0_compat; lra|]. replace ((1 - spread) * (S * (IZR N - 1))) with (S * (IZR N - 1) - spread * S * (IZR N - 1)) by ring. rewrite A. nra.
Qed.
Lemma sample_spread_excess : 0 <= IZR N - S - spread * S.
Proof.
  assert (A := sample_spread_is). assert (B := sample_spread_nonneg). destruct two_or_one as [E|[E P]]; [rewrite none by exact E; lra|].
  assert (C : 0 <= spread * S) by (apply Rmult_le_pos; lra). assert (0 <= spread * S * (IZR N - 2)) by (apply Rmult_le_pos; lra). lra.
Qed.
End Spread.
