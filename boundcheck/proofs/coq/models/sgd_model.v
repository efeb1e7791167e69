(* The hypotheses of a page can hold together: a small world with noise, in which all of them are shown.

   Two clients and two fair coins, one for the noise of each; a vector is a number for each of the four outcomes, and the
   inner product is the expectation. *)
Require Import Reals ZArith List Lra Lia.
From Boundcheck Require Import Sums Space Families Rules.
Require sgd.
Import ListNotations.
Open Scope R_scope.

Definition outcome : Type := (bool * bool)%type.
Definition expected (u : outcome -> R) : R := (u (true, true) + u (true, false) + u (false, true) + u (false, false)) / 4.
Definition Coins : Space.
Proof.
  refine {| vector := outcome -> R; zero := fun _ => 0; add := fun u v o => u o + v o; scale := fun c u o => c * u o;
    ip := fun u v => expected (fun o => u o * v o) |}; unfold expected; intros; try field.
  assert (A := Rle_0_sqr (u (true, true))). assert (B := Rle_0_sqr (u (true, false))).
  assert (C := Rle_0_sqr (u (false, true))). assert (D := Rle_0_sqr (u (false, false))). unfold Rsqr in *. lra.
Defined.
Definition number (c : R) : Coins := fun _ => c.
Definition coin (b : bool) : R := if b then 1 else -1.
Definition noise (_ i : Z) : Coins := fun o => if (i =? 1)%Z then coin (fst o) else coin (snd o).

(* Before round 1 numbers are known; then everything is. *)
Definition known_then (s : Z * Z) (u : Coins) : Prop := (1 <= fst s)%Z \/ exists c, forall o, u o = c.
Definition past : Past Coins (Z * Z) (earlier 0 0).
Proof.
  refine {| known := known_then |}; unfold known_then.
  - intros s t u [[A _]|[A _]] [B|B]; [left; lia | right; exact B | left; lia | right; exact B].
  - intros s. right. exists 0. reflexivity.
  - intros s u v [A|[a A]] [B|[b B]]; try (left; assumption). right. exists (a + b). intros o. simpl. rewrite A, B. reflexivity.
  - intros s c u [A|[a A]]; [left; exact A|]. right. exists (c * a). intros o. simpl. rewrite A. reflexivity.
Defined.

Definition half_square (u : Coins) : R := ip u u / 2.
Definition slope (_ : Z) (u : Coins) : Coins := u.
Definition eta : R := 1 / 2.
Definition first : Coins := number 1.
Definition iterate (t : Z) : Coins := if (t =? 0)%Z then first else
  add first (add (scale (- eta) (vmean Coins 1 2 (fun i => slope i first))) (scale (- eta) (vmean Coins 1 2 (fun i => noise 0 i)))).

Lemma constant (V : Space) n low high nonempty (u v : Families V n low high nonempty) c :
  (forall e, inside low high n e -> ip ((u : family V) e) ((v : family V) e) = c) -> D [] u v = c.
Proof. intros P. rewrite D_avg. rewrite <- (avg_const low high nonempty n c (start low)). apply avg_same; [exact nonempty|]. intros e He _. exact (P e He). Qed.

Lemma alike one_N one_T (u v : family Coins) c : (forall e : nat -> Z, ip (u e) (v e) = c) -> sgd.prod Coins 2 1 one_N one_T [] u v = c.
Proof. intros P. exact (constant Coins _ _ _ _ u v c (fun e _ => P e)). Qed.

(* The theorem applies, with noise that is not zero, so that all its hypotheses hold together. *)
Lemma model one_N one_T : mean 0 (1 - 1) (sgd.grad2 Coins slope 2 1 one_N one_T iterate) <= 2 * (1 / 2) / (IZR 1 * eta) + 1 * eta * 1 ^ 2 / IZR 2.
Proof.
  unshelve eapply (sgd.example_sgd Coins half_square slope 2 1 1 1 (1 / 2) 0 eta one_N one_T _ _ iterate noise _ past); unfold eta; try lra.
  - intros t Ht. replace t with 0%Z by lia. reflexivity.
  - intros s i u K. exact K.
  - right. exists 1. reflexivity.
  - intros t i Ht Hi. left. simpl. lia.
  - intros t i Ht Hi u [A|[c A]]; [simpl in A; lia|]. simpl. unfold expected, noise, coin. rewrite !A. simpl. destruct (i =? 1)%Z; field.
  - intros t i j Ht Hi Hj N. assert (E : (i = 1 /\ j = 2)%Z \/ (i = 2 /\ j = 1)%Z) by lia.
    destruct E as [[-> ->]|[-> ->]]; simpl; unfold expected, noise, coin; simpl; field.
  - intros u v. unfold slope, half_square.
    rewrite !(alike _ _ (fun _ => u) (fun _ => v) (ip u v)), !(alike _ _ (fun _ => u) (fun _ => u) (ip u u)),
      !(alike _ _ (fun _ => v) (fun _ => v) (ip v v)) by (intros; reflexivity). lra.
  - intros u. unfold half_square. assert (A := ip_nonneg u). lra.
  - intros t Ht. rewrite (alike _ _ _ _ 1); [lra|].
    intros e. simpl. unfold expected, noise, coin. destruct (e 0%nat =? 1)%Z; simpl; field.
  - change (half_square (iterate 0)) with ((1 * 1 + 1 * 1 + 1 * 1 + 1 * 1) / 4 / 2). field.
Qed.
Print Assumptions model.
