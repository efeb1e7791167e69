(* The sum of the powers of n/(n - 1), and recursions that grow by them: (n - 1) A[k + 1] <= n A[k] + (n - 1) b. *)
Require Import Reals ZArith Lra Lia.
From Boundcheck Require Import Sums Space Families Rules.
Open Scope R_scope.

(* r^0 + .. + r^(n - 2) with r = n/(n - 1); 0 for n = 1. *)
Definition series (n : Z) : R := below (Z.to_nat (n - 1)) (fun j => (IZR n / (IZR n - 1)) ^ j).

Lemma below_nonneg m f : (forall j, 0 <= f j) -> 0 <= below m f.
Proof. intros P. induction m as [|m I]; simpl; [lra|]. specialize (P m). lra. Qed.
Lemma below_grows l m f : (l <= m)%nat -> (forall j, 0 <= f j) -> below l f <= below m f.
Proof. intros H P. induction H as [|m H I]; [lra|]. simpl. specialize (P m). lra. Qed.
Lemma below_powers r m : below (S m) (fun j => r ^ j) = 1 + r * below m (fun j => r ^ j).
Proof.
  induction m as [|m I]; [simpl; ring|]. transitivity (below (S m) (fun j => r ^ j) + r ^ S m); [reflexivity|].
  rewrite I at 1. transitivity (1 + r * (below m (fun j => r ^ j) + r ^ m)); [simpl; ring | reflexivity].
Qed.

Section Series.
Context (n : Z) (Hn : (1 <= n)%Z).
Let r := IZR n / (IZR n - 1).

Lemma ratio_positive : (2 <= n)%Z -> 1 <= r.
Proof.
  intros H. apply IZR_le in H. unfold r. apply Rmult_le_reg_r with (IZR n - 1); [lra|].
  replace (IZR n / (IZR n - 1) * (IZR n - 1)) with (IZR n) by (field; lra). lra.
Qed.
Lemma power_nonneg j : 0 <= r ^ j.
Proof.
  destruct (Z.eq_dec n 1) as [E|E].
  - unfold r. rewrite E. apply pow_le. unfold Rdiv. replace (1 - 1) with 0 by ring. rewrite Rinv_0. lra.
  - apply pow_le. assert (H := ratio_positive ltac:(lia)). lra.
Qed.
Lemma series_nonneg : 0 <= series n. Proof. apply below_nonneg, power_nonneg. Qed.
Lemma power_below_e m : (2 <= n)%Z -> (Z.of_nat m <= n - 1)%Z -> r ^ m <= exp 1.
Proof.
  intros H Hm. assert (P := power_below_exp 1 (n - 1) m ltac:(lia) Hm). rewrite minus_IZR in P. apply IZR_le in H.
  replace (1 + INR 1 / (IZR n - 1)) with r in P by (unfold r; simpl; field; lra). simpl in P. lra.
Qed.
Lemma growth_series (A : Z -> R) b low high : (high - low + 1 <= n - 1)%Z -> 0 <= A low -> 0 <= b ->
  (forall k, (low <= k <= high)%Z -> 0 <= IZR n * A k + (IZR n - 1) * b - (IZR n - 1) * A (k + 1)%Z) ->
  forall k, (low <= k <= high + 1)%Z -> 0 <= exp 1 * A low + b * series n - A k.
Proof.
  intros Hs A0 Pb P k [H1 H2]. assert (E1 := euler_above). assert (Sn := series_nonneg).
  assert (B0 : 0 <= b * series n) by (apply Rmult_le_pos; assumption).
  destruct (Z.eq_dec n 1) as [E|E].
  { replace k with low by lia. assert (A low * 1 <= A low * exp 1) by (apply Rmult_le_compat_l; lra). lra. }
  assert (H : (2 <= n)%Z) by lia. assert (R1 := ratio_positive H). assert (Hr : 2 <= IZR n) by (apply IZR_le; exact H).
  assert (Q : forall k, (low <= k)%Z -> (k <= high + 1)%Z -> A k <= r ^ Z.to_nat (k - low) * A low + b * below (Z.to_nat (k - low)) (fun j => r ^ j)).
  { apply (upward (fun k => (k <= high + 1)%Z -> A k <= r ^ Z.to_nat (k - low) * A low + b * below (Z.to_nat (k - low)) (fun j => r ^ j))).
    - intros _. rewrite Z.sub_diag. simpl. lra.
    - intros j Hj I Hh. specialize (I ltac:(lia)). specialize (P j ltac:(lia)).
      replace (Z.to_nat (j + 1 - low)) with (S (Z.to_nat (j - low))) by lia. rewrite below_powers. simpl pow.
      assert (C : A (j + 1)%Z <= r * A j + b).
      { apply Rmult_le_reg_l with (IZR n - 1); [lra|]. replace ((IZR n - 1) * (r * A j + b)) with (IZR n * A j + (IZR n - 1) * b) by (unfold r; field; lra). lra. }
      assert (M := Rmult_le_compat_l r _ _ ltac:(lra) I). lra. }
  specialize (Q k H1 H2).
  assert (M1 : r ^ Z.to_nat (k - low) * A low <= exp 1 * A low) by (apply Rmult_le_compat_r; [exact A0|]; apply power_below_e; lia).
  assert (M2 : b * below (Z.to_nat (k - low)) (fun j => r ^ j) <= b * series n).
  { apply Rmult_le_compat_l; [exact Pb|]. unfold series. apply below_grows; [lia | apply power_nonneg]. }
  lra.
Qed.
End Series.
