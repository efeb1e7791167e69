(* Means with weights that grow backwards: the weight of t is (1 + g)^(high - t).

   A recursion that grows by 1 + g in each step and falls by b bounds such a mean of b. *)
Require Import Reals ZArith Lra Lia FunctionalExtensionality.
From Boundcheck Require Import Sums.
Open Scope R_scope.

Definition weight (g : R) (high t : Z) : R := (1 + g) ^ Z.to_nat (high - t).
Definition discounted (g : R) (low high : Z) (f : Z -> R) : R :=
  / sum low high (weight g high) * sum low high (fun t => weight g high t * f t).

Lemma weight_next g high t : (t < high)%Z -> weight g high t = (1 + g) * weight g high (t + 1).
Proof. intros H. unfold weight. replace (Z.to_nat (high - t)) with (S (Z.to_nat (high - (t + 1)))) by lia. reflexivity. Qed.
Lemma weight_last g high : weight g high high = 1.
Proof. unfold weight. replace (high - high)%Z with 0%Z by lia. reflexivity. Qed.
Lemma weight_one g high t : 0 <= g -> 1 <= weight g high t.
Proof. intros H. apply pow_R1_Rle. lra. Qed.

(* The weights are a geometric series, and there are as many as steps, each at least 1. *)
Lemma weights_sum g low high : 0 <= g -> forall n, (low - 1 <= n)%Z -> (n <= high)%Z ->
  g * sum low n (weight g high) = weight g high (low - 1) - weight g high n /\ IZR (n - low + 1) <= sum low n (weight g high).
Proof.
  intros G. apply (upward (fun n => (n <= high)%Z ->
    g * sum low n (weight g high) = weight g high (low - 1) - weight g high n /\ IZR (n - low + 1) <= sum low n (weight g high))).
  - intros _. rewrite sum_none. replace (low - 1 - low + 1)%Z with 0%Z by lia. split; [ring | lra].
  - intros n Hn I Hh. destruct (I ltac:(lia)) as [E F]. rewrite sum_next. assert (W := weight_one g high (n + 1) G).
    rewrite (weight_next g high n) in E by lia. split; [lra|].
    replace (n + 1 - low + 1)%Z with (n - low + 1 + 1)%Z by lia. rewrite plus_IZR. lra.
Qed.
Lemma weights_positive g low high : (low <= high)%Z -> 0 <= g -> 0 < sum low high (weight g high).
Proof.
  intros H G. destruct (weights_sum g low high G high) as [_ F]; try lia. assert (C := count_pos low high H). lra.
Qed.

Lemma discounted_cons g low high c f h F K : discounted g low high f = F -> discounted g low high h = K ->
  discounted g low high (fun t => c * f t + h t) = c * F + K.
Proof.
  intros <- <-. unfold discounted.
  replace (fun t => weight g high t * (c * f t + h t)) with (fun t => c * (weight g high t * f t) + weight g high t * h t)
    by (apply functional_extensionality; intros; ring).
  rewrite sum_add, sum_scal. ring.
Qed.
Lemma discounted_const g low high c : (low <= high)%Z -> 0 <= g -> discounted g low high (fun _ => c) = c.
Proof.
  intros H G. assert (W := weights_positive g low high H G). unfold discounted.
  replace (fun t => weight g high t * c) with (fun t => c * weight g high t) by (apply functional_extensionality; intros; ring).
  rewrite sum_scal. field. lra.
Qed.
Lemma discounted_nil g low high : discounted g low high (fun _ => 0) = 0.
Proof.
  unfold discounted. replace (fun t : Z => weight g high t * 0) with (fun _ : Z => 0) by (apply functional_extensionality; intros; ring).
  rewrite sum_nil. ring.
Qed.
Lemma discounted_same g low high f h : (low <= high)%Z -> (forall t, (low <= t <= high)%Z -> f t = h t) ->
  discounted g low high f = discounted g low high h.
Proof.
  intros H P. unfold discounted. f_equal. apply sum_same; [lia|]. intros t Ht. rewrite (P t Ht). reflexivity.
Qed.
Lemma discounted_nonneg g low high f : (low <= high)%Z -> 0 <= g -> (forall t, (low <= t <= high)%Z -> 0 <= f t) -> 0 <= discounted g low high f.
Proof.
  intros H G P. apply Rmult_le_pos; [left; apply Rinv_0_lt_compat, weights_positive; assumption|].
  apply sum_nonneg; [lia|]. intros t Ht. apply Rmult_le_pos; [assert (W := weight_one g high t G); lra | exact (P t Ht)].
Qed.

Lemma discount (A b : Z -> R) g low high : (low <= high)%Z -> 0 <= g -> 0 <= A low -> 0 <= A (high + 1)%Z ->
  (forall t, (low <= t <= high)%Z -> 0 <= (1 + g) * A t + b t - A (t + 1)%Z) ->
  0 <= (g + / IZR (high - low + 1)) * A low + discounted g low high b.
Proof.
  intros H G A0 A1 P.
  assert (Q : forall n, (low - 1 <= n)%Z -> (n <= high)%Z ->
    0 <= weight g high (low - 1) * A low + sum low n (fun t => weight g high t * b t) - weight g high n * A (n + 1)%Z).
  { apply (upward (fun n => (n <= high)%Z ->
      0 <= weight g high (low - 1) * A low + sum low n (fun t => weight g high t * b t) - weight g high n * A (n + 1)%Z)).
    - intros _. rewrite sum_none. replace (low - 1 + 1)%Z with low by lia. lra.
    - intros n Hn I Hh. specialize (I ltac:(lia)). rewrite (weight_next g high n) in I by lia. rewrite sum_next.
      assert (W := weight_one g high (n + 1) G). assert (W0 : 0 <= weight g high (n + 1)) by lra.
      assert (M := Rmult_le_pos _ _ W0 (P (n + 1)%Z ltac:(lia))).
      refine (Rle_trans _ _ _ (Rplus_le_le_0_compat _ _ I M) _). right. ring. }
  specialize (Q high ltac:(lia) ltac:(lia)). rewrite weight_last in Q.
  destruct (weights_sum g low high G high) as [E F]; try lia. rewrite weight_last in E.
  assert (C := count_pos low high H). assert (W := weights_positive g low high H G). unfold discounted.
  set (w := sum low high (weight g high)) in *. set (s := sum low high (fun t => weight g high t * b t)) in *. set (c := IZR (high - low + 1)) in *.
  assert (M : 1 <= / c * w). { apply (Rmult_le_reg_l c); [exact C|]. rewrite <- Rmult_assoc, Rinv_r by lra. lra. }
  replace ((g + / c) * A low + / w * s) with (/ w * ((g * w + / c * w) * A low + s)) by (field; lra).
  apply Rmult_le_pos; [left; apply Rinv_0_lt_compat; exact W|]. rewrite E.
  assert (N := Rmult_le_pos (/ c * w - 1) (A low) ltac:(lra) A0). lra.
Qed.
