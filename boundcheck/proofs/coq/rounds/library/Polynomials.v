(* Polynomials with whole coefficients in n letters, as nested lists, and their values: Coq computes with the lists.

   The weights of a box are products of powers of a and b, the distances of a letter from the ends of its range.  A combination
   of weights is computed as a polynomial, and compared with what it is said to be. *)
Require Import Reals ZArith List Lra Lia.
Import ListNotations.
Open Scope R_scope.

Fixpoint pol (n : nat) : Type := match n with O => Z | S m => list (pol m) end.
Fixpoint plus (n : nat) : pol n -> pol n -> pol n :=
  match n with
  | O => Z.add
  | S m => fix go l k := match l, k with [], _ => k | _, [] => l | a :: l, b :: k => plus m a b :: go l k end
  end.
Fixpoint times (n : nat) (z : Z) : pol n -> pol n := match n with O => Z.mul z | S m => map (times m z) end.
Fixpoint number (n : nat) (z : Z) : pol n := match n with O => z | S m => [number m z] end.
Fixpoint product (n : nat) : pol n -> pol n -> pol n :=
  match n with
  | O => Z.mul
  | S m => fix go l k := match l with [] => [] | a :: l => plus (S m) (map (product m a) k) (number m 0 :: go l k) end
  end.
Fixpoint letter (n i : nat) : pol n :=
  match n, i with O, _ => 0%Z | S m, O => [number m 0; number m 1] | S m, S j => [letter m j] end.
Fixpoint none (n : nat) : pol n -> bool := match n with O => Z.eqb 0 | S m => forallb (none m) end.

Fixpoint value (n : nat) : list R -> pol n -> R :=
  match n with
  | O => fun _ z => IZR z
  | S m => fun xs => fix go l := match l with [] => 0 | a :: l => value m (tl xs) a + hd 0 xs * go l end
  end.
Arguments plus {_}. Arguments times {_}. Arguments product {_}. Arguments none {_}. Arguments value {_}.

Lemma value_plus n : forall xs (p q : pol n), value xs (plus p q) = value xs p + value xs q.
Proof.
  induction n as [|n I]; intros xs; [intros p q; apply plus_IZR|].
  induction p as [|a p J]; intros [|b q]; try (cbn; ring).
  change (value xs (plus (a :: p : pol (S n)) (b :: q))) with (value (tl xs) (plus a b) + hd 0 xs * value xs (plus (p : pol (S n)) q)).
  rewrite I, J. cbn. ring.
Qed.
Lemma value_times n z : forall xs (p : pol n), value xs (times z p) = IZR z * value xs p.
Proof.
  induction n as [|n I]; intros xs; [intros p; apply mult_IZR|]. induction p as [|a p J]; cbn in *; [ring|]. rewrite I, J. ring.
Qed.
Lemma value_number n z : forall xs, value xs (number n z) = IZR z.
Proof. induction n as [|n I]; intros xs; cbn; [reflexivity|]. rewrite I. ring. Qed.
Lemma value_product n : forall xs (p q : pol n), value xs (product p q) = value xs p * value xs q.
Proof.
  induction n as [|n I]; intros xs; [intros p q; apply mult_IZR|].
  intros p q. induction p as [|a p J]; [cbn; ring|].
  change (product (a :: p : pol (S n)) q) with (plus (map (product a) q : pol (S n)) (number n 0 :: product (p : pol (S n)) q)).
  rewrite value_plus. change (value xs (number n 0 :: product (p : pol (S n)) q : pol (S n))) with (value (tl xs) (number n 0) + hd 0 xs * value xs (product (p : pol (S n)) q)).
  rewrite J, value_number. change (value xs (a :: p : pol (S n))) with (value (tl xs) a + hd 0 xs * value xs (p : pol (S n))).
  assert (E : value xs (map (product a) q : pol (S n)) = value (tl xs) a * value xs (q : pol (S n))).
  { clear J. induction q as [|b q J]; cbn in *; [ring|]. rewrite I, J. ring. }
  rewrite E. ring.
Qed.
Lemma value_none n : forall xs (p : pol n), none p = true -> value xs p = 0.
Proof.
  induction n as [|n I]; intros xs p; [intros E; apply (proj1 (Z.eqb_eq 0 p)) in E; subst; reflexivity|].
  induction p as [|a p J]; intros E; [reflexivity|]. cbn in *. apply Bool.andb_true_iff in E as [A B]. rewrite I, J by assumption. ring.
Qed.

(* a^i b^(d - i) for i = 0 .. d, and products of such. *)
Fixpoint powers (d : nat) (a b : R) : list R := match d with O => [1] | S n => b ^ d :: map (Rmult a) (powers n a b) end.
Definition outer (l m : list R) : list R := flat_map (fun x => map (Rmult x) m) l.
Lemma powers_nonneg d a b : 0 <= a -> 0 <= b -> Forall (Rle 0) (powers d a b).
Proof.
  intros A B. induction d as [|d I]; cbn [powers]; [repeat constructor; lra|]. constructor; [apply pow_le, B|].
  apply Forall_map. apply Forall_impl with (2 := I). intros x X. apply Rmult_le_pos; assumption.
Qed.
Lemma outer_nonneg l m : Forall (Rle 0) l -> Forall (Rle 0) m -> Forall (Rle 0) (outer l m).
Proof.
  intros A B. unfold outer. induction A; simpl; [constructor|]. apply Forall_app. split; [|exact IHA].
  apply Forall_map. apply Forall_impl with (2 := B). intros y Y. apply Rmult_le_pos; assumption.
Qed.
Fixpoint lin (c g : list R) : R := match c, g with a :: c, x :: g => a * x + lin c g | _, _ => 0 end.
Fixpoint against (ws : list R) (c : list Z) : R := match ws, c with w :: ws, z :: c => w * IZR z + against ws c | _, _ => 0 end.
Lemma against_nonneg : forall ws c, Forall (Rle 0) ws -> forallb (Z.leb 0) c = true -> 0 <= against ws c.
Proof.
  induction ws as [|w ws I]; intros [|z c] P Q; simpl in *; try lra. inversion P; subst. apply Bool.andb_true_iff in Q as [A B].
  apply Z.leb_le, IZR_le in A. apply Rplus_le_le_0_compat; [apply Rmult_le_pos; assumption | apply I; assumption].
Qed.

(* A side of a box: the degree, and the whole numbers p, q, r with a = q x - p and b = r - q x. *)
Definition side : Type := nat * (Z * Z * Z).
Definition from_low {n} (i : nat) (s : side) : pol n := let '(_, (p, q, r)) := s in plus (times q (letter n i)) (number n (- p)).
Definition to_high {n} (i : nat) (s : side) : pol n := let '(_, (p, q, r)) := s in plus (number n r) (times (- q) (letter n i)).
Fixpoint raised {n} (b : pol n) (k : nat) : pol n := match k with O => number n 1 | S k => product b (raised b k) end.
Fixpoint pol_powers {n} (d : nat) (a b : pol n) : list (pol n) :=
  match d with O => [number n 1] | S m => raised b d :: map (product a) (pol_powers m a b) end.
Fixpoint pol_weights {n} (i : nat) (sides : list side) : list (pol n) :=
  match sides with
  | [] => [number n 1]
  | s :: more => flat_map (fun x => map (product x) (pol_weights (S i) more)) (pol_powers (fst s) (from_low i s) (to_high i s))
  end.
Fixpoint weights (xs : list R) (sides : list side) : list R :=
  match xs, sides with
  | x :: xs, (d, (p, q, r)) :: more => outer (powers d (IZR q * x - IZR p) (IZR r - IZR q * x)) (weights xs more)
  | _, _ => [1]
  end.
Fixpoint pol_against {n} (ws : list (pol n)) (c : list Z) : pol n :=
  match ws, c with w :: ws, z :: c => plus (times z w) (pol_against ws c) | _, _ => number n 0 end.

Lemma value_letter n : forall i xs, (i < n)%nat -> value xs (letter n i) = nth i xs 0.
Proof.
  induction n as [|n I]; intros i xs L; [lia|]. destruct i as [|j].
  - cbn. rewrite !value_number. destruct xs; cbn; ring.
  - cbn. rewrite I by lia. destruct xs as [|x xs]; cbn; [destruct j; ring | ring].
Qed.
Lemma value_raised n xs (b : pol n) k : value xs (raised b k) = value xs b ^ k.
Proof. induction k; cbn [raised pow]; [apply value_number|]. rewrite value_product, IHk. reflexivity. Qed.
Lemma value_powers n xs d (a b : pol n) : map (value xs) (pol_powers d a b) = powers d (value xs a) (value xs b).
Proof.
  induction d as [|d I]; cbn [pol_powers powers map]; [rewrite value_number; reflexivity|]. rewrite value_raised, <- I. f_equal.
  rewrite !map_map. apply map_ext. intros x. apply value_product.
Qed.
Lemma value_weights n xs : forall sides i, (i + length sides = n)%nat -> length xs = n ->
  map (value xs) (@pol_weights n i sides) = weights (skipn i xs) sides.
Proof.
  induction sides as [|[d [[p q] r]] more I]; intros i L X; cbn [pol_weights].
  - cbn [map]. rewrite value_number. destruct (skipn i xs); reflexivity.
  - cbn [length] in L. assert (E : exists ys, skipn i xs = nth i xs 0 :: ys /\ skipn (S i) xs = ys).
    { clear -L X. revert i L X. revert n. induction xs as [|x xs J]; intros n i L X; cbn [length] in X; [lia|].
      destruct i as [|i]; [exists xs; split; reflexivity|]. destruct (J (pred n) i) as [ys [A B]]; [lia | lia |]. exists ys. split; assumption. }
    destruct E as [ys [E1 E2]]. rewrite E1. cbn [weights fst]. specialize (I (S i)). rewrite E2 in I.
    rewrite <- I by lia. unfold outer.
    replace (powers d (IZR q * nth i xs 0 - IZR p) (IZR r - IZR q * nth i xs 0)) with (map (value xs) (pol_powers d (from_low i (d, (p, q, r))) (to_high i (d, (p, q, r))) : list (pol n))).
    + induction (pol_powers d _ _ : list (pol n)) as [|w ws J]; cbn [flat_map map]; [reflexivity|]. rewrite map_app, J. f_equal.
      rewrite !map_map. apply map_ext. intros y. apply value_product.
    + rewrite value_powers. unfold from_low, to_high. rewrite !value_plus, !value_times, !value_number, !value_letter by lia.
      f_equal; rewrite opp_IZR; ring.
Qed.
Lemma value_against n xs : forall (ws : list (pol n)) c, value xs (pol_against ws c) = against (map (value xs) ws) c.
Proof.
  induction ws as [|w ws I]; intros [|z c]; cbn [pol_against map against]; try apply value_number.
  rewrite value_plus, value_times, I. ring.
Qed.
(* A combination of weights is the polynomial that it is said to be. *)
Definition agrees {n} (sides : list side) (c : list Z) (p : pol n) : bool :=
  none (plus (pol_against (pol_weights 0 sides) c) (times (-1) p)).
Lemma agreed n xs sides c (p : pol n) : length sides = n -> length xs = n -> agrees sides c p = true -> against (weights xs sides) c = value xs p.
Proof.
  intros L X A. apply (value_none n xs) in A. rewrite value_plus, value_times, value_against, value_weights in A by assumption.
  cbn [skipn] in A. lra.
Qed.
Fixpoint inside (xs : list R) (sides : list side) : Prop :=
  match xs, sides with
  | x :: xs, (d, (p, q, r)) :: more => (0 <= IZR q * x - IZR p /\ 0 <= IZR r - IZR q * x) /\ inside xs more
  | _, _ => True
  end.
Lemma weights_nonneg : forall xs sides, inside xs sides -> Forall (Rle 0) (weights xs sides).
Proof.
  induction xs as [|x xs I]; intros [|[d [[p q] r]] more] P; cbn [weights inside] in *; try (repeat constructor; lra).
  destruct P as [[A B] C]. apply outer_nonneg; [apply powers_nonneg; assumption | apply I, C].
Qed.
Fixpoint size (sides : list side) : nat := match sides with [] => 1 | (d, _) :: more => S d * size more end.
Lemma size_weights : forall xs sides, length xs = length sides -> length (weights xs sides) = size sides.
Proof.
  assert (P : forall d a b, length (powers d a b) = S d) by (induction d; intros; cbn [powers length]; [reflexivity|]; rewrite map_length, IHd; reflexivity).
  assert (Q : forall l m, length (outer l m) = (length l * length m)%nat).
  { induction l as [|x l I]; intros m; [reflexivity|]. unfold outer in *. cbn [flat_map length]. rewrite app_length, map_length, I. reflexivity. }
  induction xs as [|x xs I]; intros [|[d [[p q] r]] more] L; cbn [length] in L; try discriminate; [reflexivity|]. cbn [weights size].
  rewrite Q, P, I by lia. reflexivity.
Qed.
(* The same for a number alone. *)
Lemma number_on n xs sides c (p : pol n) : ((length sides =? n)%nat && agrees sides c p && forallb (Z.leb 0) c)%bool = true -> length xs = n -> inside xs sides ->
  0 <= value xs p.
Proof.
  intros C L P. apply Bool.andb_true_iff in C as [C F]. apply Bool.andb_true_iff in C as [N A]. apply Nat.eqb_eq in N.
  rewrite <- (agreed n xs sides c p N L A). apply against_nonneg; [apply weights_nonneg, P | exact F].
Qed.
(* Polynomials are written out by these alone, so that no number is computed with. *)
Ltac written := cbn [value lin map hd tl app].
Ltac inside_box := cbn [inside]; repeat split; lra.
