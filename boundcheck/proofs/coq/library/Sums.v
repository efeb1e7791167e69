(* Sums and means of real sequences over ranges of whole numbers.

   A sum over low .. high is a difference of an antiderivative at high + 1 and at low, so that ranges can be shifted,
   cut and extended without a condition; only signs and comparisons ask that a range is not reversed. *)
Require Import Reals ZArith Lra Lia FunctionalExtensionality.
Open Scope R_scope.

Fixpoint below (n : nat) (f : nat -> R) : R := match n with O => 0 | S m => below m f + f m end.

Definition anti (f : Z -> R) (n : Z) : R :=
  match n with
  | Z0 => 0
  | Zpos p => below (Pos.to_nat p) (fun j => f (Z.of_nat j))
  | Zneg p => - below (Pos.to_nat p) (fun j => f (- Z.of_nat (S j))%Z)
  end.

Lemma anti_nat f n : anti f (Z.of_nat n) = below n (fun j => f (Z.of_nat j)).
Proof. destruct n; [reflexivity|]. simpl. rewrite SuccNat2Pos.id_succ. reflexivity. Qed.

Lemma anti_neg f n : anti f (- Z.of_nat n) = - below n (fun j => f (- Z.of_nat (S j))%Z).
Proof. destruct n; [simpl; ring|]. simpl. rewrite SuccNat2Pos.id_succ. reflexivity. Qed.

Lemma anti_next f n : anti f (n + 1) = anti f n + f n.
Proof.
  destruct (Z_le_dec 0 n) as [P|P].
  - replace n with (Z.of_nat (Z.to_nat n)) by lia. set (m := Z.to_nat n).
    replace (Z.of_nat m + 1)%Z with (Z.of_nat (S m)) by lia. rewrite !anti_nat. reflexivity.
  - set (m := Z.to_nat (- n - 1)). replace n with (- Z.of_nat (S m))%Z by lia.
    replace (- Z.of_nat (S m) + 1)%Z with (- Z.of_nat m)%Z by lia. rewrite !anti_neg. simpl below.
    replace (- Z.of_nat (S m))%Z with (- Z.pos (Pos.of_succ_nat m))%Z by reflexivity. simpl. ring.
Qed.

Definition sum (low high : Z) (f : Z -> R) : R := anti f (high + 1) - anti f low.
Definition mean (low high : Z) (f : Z -> R) : R := / IZR (high - low + 1) * sum low high f.

(* From low on: what holds at low and goes on holds at all later values. *)
Lemma upward (P : Z -> Prop) low : P low -> (forall n, (low <= n)%Z -> P n -> P (n + 1)%Z) -> forall n, (low <= n)%Z -> P n.
Proof. intros A B n H. revert n H. apply Z.le_ind; [intros x y E; subst; tauto | exact A |]. intros n H I. rewrite <- Z.add_1_r. apply B; assumption. Qed.

(* All is determined by the difference. *)
Lemma anti_unique f B : (forall n, B (n + 1)%Z - B n = f n) -> forall n, anti f n = B n - B 0%Z.
Proof.
  intros H n. destruct (Z_le_dec 0 n) as [P|P].
  - revert n P. apply upward; [simpl; ring|]. intros n P I. rewrite anti_next, I, <- (H n). ring.
  - assert (Q : forall m, (0 <= m)%Z -> anti f (- m) = B (- m)%Z - B 0%Z).
    { apply upward; [simpl; ring|]. intros m Pm I. assert (E := anti_next f (- (m + 1))). assert (F := H (- (m + 1))%Z).
      replace (- (m + 1) + 1)%Z with (- m)%Z in * by lia. lra. }
    replace n with (- - n)%Z by lia. apply Q. lia.
Qed.
Lemma sum_of_difference f B low high : (forall n, B (n + 1)%Z - B n = f n) -> sum low high f = B (high + 1)%Z - B low.
Proof. intros H. unfold sum. rewrite !(anti_unique f B H). ring. Qed.

Lemma sum_next low high f : sum low (high + 1) f = sum low high f + f (high + 1)%Z.
Proof. unfold sum. rewrite (anti_next f (high + 1)). ring. Qed.
Lemma sum_none low f : sum low (low - 1) f = 0.
Proof. unfold sum. replace (low - 1 + 1)%Z with low by lia. ring. Qed.
Lemma sum_last low high f : sum low high f = sum low (high - 1) f + f high.
Proof. assert (E := sum_next low (high - 1) f). replace (high - 1 + 1)%Z with high in E by lia. exact E. Qed.
Lemma sum_first low high f : sum low high f = f low + sum (low + 1) high f.
Proof. unfold sum. rewrite (anti_next f low). ring. Qed.
Lemma sum_shift low high j f : sum low high (fun t => f (t + j)%Z) = sum (low + j) (high + j) f.
Proof.
  rewrite (sum_of_difference _ (fun n => anti f (n + j))).
  - unfold sum. f_equal. f_equal. lia.
  - intros n. replace (n + 1 + j)%Z with (n + j + 1)%Z by lia. rewrite anti_next. ring.
Qed.
Lemma anti_add f g n : anti (fun t => f t + g t) n = anti f n + anti g n.
Proof. rewrite (anti_unique _ (fun n => anti f n + anti g n)); [simpl; ring|]. intros. rewrite !anti_next. ring. Qed.
Lemma anti_scal c f n : anti (fun t => c * f t) n = c * anti f n.
Proof. rewrite (anti_unique _ (fun n => c * anti f n)); [simpl; ring|]. intros. rewrite !anti_next. ring. Qed.
Lemma sum_add low high f g : sum low high (fun t => f t + g t) = sum low high f + sum low high g.
Proof. unfold sum. rewrite !anti_add. ring. Qed.
Lemma sum_scal low high c f : sum low high (fun t => c * f t) = c * sum low high f.
Proof. unfold sum. rewrite !anti_scal. ring. Qed.
Lemma sum_const low high c : sum low high (fun _ => c) = IZR (high - low + 1) * c.
Proof.
  rewrite (sum_of_difference _ (fun n => IZR n * c)); [|intros; rewrite plus_IZR; ring].
  rewrite !plus_IZR, minus_IZR. ring.
Qed.
(* The sum of a combination, a term at a time. *)
Lemma sum_cons low high c f g F G : sum low high f = F -> sum low high g = G -> sum low high (fun t => c * f t + g t) = c * F + G.
Proof. intros <- <-. rewrite sum_add, sum_scal. reflexivity. Qed.
Lemma sum_fixed low high c x g C G : sum low high c = C -> sum low high g = G -> sum low high (fun t => c t * x + g t) = C * x + G.
Proof.
  intros <- <-. rewrite sum_add. f_equal. replace (fun t : Z => c t * x) with (fun t : Z => x * c t) by (apply functional_extensionality; intros; ring).
  rewrite sum_scal. ring.
Qed.
Lemma sum_nil low high : sum low high (fun _ => 0) = 0.
Proof. rewrite sum_const. ring. Qed.

Lemma sum_induction (P : R -> Prop) low high f : (low <= high + 1)%Z -> P 0 ->
  (forall t s, (low <= t <= high)%Z -> P s -> P (s + f t)) -> P (sum low high f).
Proof.
  intros H Z0 I. assert (Q : forall n, (low - 1 <= n)%Z -> (n <= high)%Z -> P (sum low n f)).
  { apply (upward (fun n => (n <= high)%Z -> P (sum low n f))); [intros; rewrite sum_none; exact Z0|].
    intros n Hn J Hh. rewrite sum_next. apply I; [lia|]. apply J. lia. }
  apply Q; lia.
Qed.
Lemma sum_nonneg low high f : (low <= high + 1)%Z -> (forall t, (low <= t <= high)%Z -> 0 <= f t) -> 0 <= sum low high f.
Proof. intros H P. apply sum_induction; [assumption | lra |]. intros t s Ht. specialize (P t Ht). lra. Qed.
Lemma sum_zero low high f : (low <= high + 1)%Z -> (forall t, (low <= t <= high)%Z -> f t = 0) -> sum low high f = 0.
Proof. intros H P. apply (sum_induction (fun s => s = 0)); [assumption | reflexivity |]. intros t s Ht E. rewrite E, (P t Ht). ring. Qed.
Lemma sum_same low high f g : (low <= high + 1)%Z -> (forall t, (low <= t <= high)%Z -> f t = g t) -> sum low high f = sum low high g.
Proof.
  intros H P. assert (E : sum low high (fun t => f t + (-1) * g t) = 0) by (apply sum_zero; [assumption|]; intros t Ht; rewrite (P t Ht); ring).
  rewrite sum_add, sum_scal in E. lra.
Qed.
Lemma sum_swap a b c d (f : Z -> Z -> R) : sum a b (fun i => sum c d (fun j => f i j)) = sum c d (fun j => sum a b (fun i => f i j)).
Proof.
  assert (A : forall n, anti (fun i => sum c d (fun j => f i j)) n = sum c d (fun j => anti (fun i => f i j) n)).
  { intros n. rewrite (anti_unique _ (fun n => sum c d (fun j => anti (fun i => f i j) n))).
    - simpl. rewrite sum_const. ring.
    - intros m. replace (fun j => anti (fun i => f i j) (m + 1)) with (fun j => anti (fun i => f i j) m + f m j).
      + rewrite (sum_add c d (fun j => anti (fun i => f i j) m) (f m)). cbv beta. unfold Rminus. rewrite Rplus_comm, <- Rplus_assoc. rewrite Rplus_opp_l. apply Rplus_0_l.
      + apply functional_extensionality. intros. rewrite anti_next. reflexivity. }
  change (anti (fun i => sum c d (fun j => f i j)) (b + 1) - anti (fun i => sum c d (fun j => f i j)) a
    = sum c d (fun j => anti (fun i => f i j) (b + 1) - anti (fun i => f i j) a)).
  rewrite !A. replace (fun j => anti (fun i => f i j) (b + 1) - anti (fun i => f i j) a)
    with (fun j => anti (fun i => f i j) (b + 1) + (-1) * anti (fun i => f i j) a) by (apply functional_extensionality; intros; ring).
  rewrite sum_add, sum_scal. ring.
Qed.

Lemma count_pos low high : (low <= high)%Z -> 0 < IZR (high - low + 1).
Proof. intros H. apply IZR_lt. lia. Qed.
Lemma mean_add low high f g : mean low high (fun t => f t + g t) = mean low high f + mean low high g.
Proof. unfold mean. rewrite sum_add. ring. Qed.
Lemma mean_scal low high c f : mean low high (fun t => c * f t) = c * mean low high f.
Proof. unfold mean. rewrite sum_scal. ring. Qed.
Lemma mean_const low high c : (low <= high)%Z -> mean low high (fun _ => c) = c.
Proof. intros H. apply count_pos in H. unfold mean. rewrite sum_const. field. lra. Qed.
Lemma mean_nonneg low high f : (low <= high)%Z -> (forall t, (low <= t <= high)%Z -> 0 <= f t) -> 0 <= mean low high f.
Proof. intros H P. apply Rmult_le_pos; [left; apply Rinv_0_lt_compat, count_pos, H|]. apply sum_nonneg; [lia|exact P]. Qed.
Lemma mean_same low high f g : (low <= high)%Z -> (forall t, (low <= t <= high)%Z -> f t = g t) -> mean low high f = mean low high g.
Proof. intros H P. unfold mean. rewrite (sum_same low high f g); [reflexivity | lia | exact P]. Qed.
Lemma mean_swap a b c d (f : Z -> Z -> R) : mean a b (fun i => mean c d (fun j => f i j)) = mean c d (fun j => mean a b (fun i => f i j)).
Proof. unfold mean. rewrite !sum_scal, sum_swap. ring. Qed.
Lemma sum_mean low high f : (low <= high)%Z -> sum low high f = IZR (high - low + 1) * mean low high f.
Proof. intros H. apply count_pos in H. unfold mean. field. lra. Qed.
(* A sum whose entries other than the one at j are zero. *)
Lemma sum_single low high f j : (low <= j <= high)%Z -> (forall t, (low <= t <= high)%Z -> t <> j -> f t = 0) -> sum low high f = f j.
Proof.
  intros Hj P. assert (E : sum low high f = sum low (j - 1) f + f j + sum (j + 1) high f).
  { unfold sum. replace (j - 1 + 1)%Z with j by lia. rewrite (anti_next f j). ring. }
  rewrite E, (sum_zero low (j - 1)), (sum_zero (j + 1) high); try lia; try ring; intros; apply P; lia.
Qed.
