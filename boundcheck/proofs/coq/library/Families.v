(* Families of vectors: one for each client and each value of the bound indices, with the mean of the inner products.

   An index environment [e] gives each index its value: index 0 is the client.  The mean over an index is a projection. *)
Require Import Reals ZArith List Arith Lra Lia FunctionalExtensionality.
From Boundcheck Require Import Sums Space.
Import ListNotations.
Open Scope R_scope.

Definition upd (e : nat -> Z) (x : nat) (j : Z) : nat -> Z := fun y => if Nat.eqb y x then j else e y.
Lemma upd_at e x j : upd e x j x = j. Proof. unfold upd. rewrite Nat.eqb_refl. reflexivity. Qed.
Lemma upd_else e x j y : y <> x -> upd e x j y = e y. Proof. intros H. unfold upd. apply Nat.eqb_neq in H. rewrite H. reflexivity. Qed.
Lemma upd_twice e x j l : upd (upd e x j) x l = upd e x l.
Proof. apply functional_extensionality. intros y. unfold upd. destruct (Nat.eqb y x); reflexivity. Qed.
Lemma upd_swap e x j y l : x <> y -> upd (upd e x j) y l = upd (upd e y l) x j.
Proof. intros H. apply functional_extensionality. intros z. unfold upd. destruct (Nat.eqb_spec z y), (Nat.eqb_spec z x); subst; congruence. Qed.

(* Places in short lists, by computing: what is known besides is not read. *)
Lemma place_below n x : Nat.ltb x n = true -> (x < n)%nat. Proof. apply Nat.ltb_lt. Qed.
Lemma places_below n X : forallb (fun x => Nat.ltb x n) X = true -> forall x, In x X -> (x < n)%nat.
Proof. intros H x I. apply place_below. rewrite forallb_forall in H. exact (H x I). Qed.
Lemma place_elsewhere x X : existsb (Nat.eqb x) X = false -> ~ In x X.
Proof. intros H I. enough (existsb (Nat.eqb x) X = true) by congruence. apply existsb_exists. exists x. split; [exact I | apply Nat.eqb_refl]. Qed.
Lemma places_elsewhere x X : existsb (Nat.eqb x) X = false -> forall y, In y X -> y <> x.
Proof. intros H y I E. apply (place_elsewhere x X H). rewrite <- E. exact I. Qed.
Fixpoint distinct (X : list nat) : bool := match X with [] => true | x :: X => (negb (existsb (Nat.eqb x) X) && distinct X)%bool end.
Lemma places_distinct X : distinct X = true -> NoDup X.
Proof.
  induction X as [|x X I]; intros H; [constructor|]. apply andb_prop in H as [A B]. constructor; [|exact (I B)].
  apply place_elsewhere. destruct (existsb (Nat.eqb x) X); [discriminate A | reflexivity].
Qed.

Section Families.
Context (V : Space) (n : nat) (low high : nat -> Z).
Hypothesis nonempty : forall x, (low x <= high x)%Z.
Local Notation Mean x := (mean (low x) (high x)).

(* The mean over the indices below m. *)
Fixpoint avg (m : nat) (F : (nat -> Z) -> R) (e : nat -> Z) : R :=
  match m with O => F e | S x => Mean x (fun j => avg x F (upd e x j)) end.
Definition inside m (e : nat -> Z) := forall x, (x < m)%nat -> (low x <= e x <= high x)%Z.
Definition agree m (e0 e : nat -> Z) := forall x, (m <= x)%nat -> e x = e0 x.

Lemma avg_same m F G : forall e0, (forall e, inside m e -> agree m e0 e -> F e = G e) -> avg m F e0 = avg m G e0.
Proof.
  induction m as [|x I]; intros e0 P; simpl; [apply P; intros y Hy; [lia | reflexivity]|].
  apply mean_same; [apply nonempty|]. intros j Hj. apply I. intros e He Ae. apply P.
  - intros y Hy. destruct (Nat.eq_dec y x) as [->|N]; [rewrite Ae by lia; rewrite upd_at; exact Hj | apply He; lia].
  - intros y Hy. rewrite Ae by lia. apply upd_else. lia.
Qed.
Lemma avg_add m F G : forall e, avg m (fun e => F e + G e) e = avg m F e + avg m G e.
Proof. induction m as [|x I]; intros e; simpl; [reflexivity|]. rewrite <- mean_add. apply mean_same; [apply nonempty|]. intros; apply I. Qed.
Lemma avg_scal m c F : forall e, avg m (fun e => c * F e) e = c * avg m F e.
Proof. induction m as [|x I]; intros e; simpl; [reflexivity|]. rewrite <- mean_scal. apply mean_same; [apply nonempty|]. intros; apply I. Qed.
Lemma avg_nonneg m F : (forall e, inside m e -> 0 <= F e) -> forall e0, 0 <= avg m F e0.
Proof.
  intros P e0. assert (Q : forall e0, (forall e, inside m e -> agree m e0 e -> 0 <= F e) -> 0 <= avg m F e0).
  { clear P e0. induction m as [|x I]; intros e0 P; simpl; [apply P; intros y Hy; [lia | reflexivity]|].
    apply mean_nonneg; [apply nonempty|]. intros j Hj. apply I. intros e He Ae. apply P.
    - intros y Hy. destruct (Nat.eq_dec y x) as [->|N]; [rewrite Ae by lia; rewrite upd_at; exact Hj | apply He; lia].
    - intros y Hy. rewrite Ae by lia. apply upd_else. lia. }
  apply Q. intros; apply P; assumption.
Qed.
Lemma avg_const m c e : avg m (fun _ => c) e = c.
Proof. revert e. induction m as [|x I]; intros e; simpl; [reflexivity|]. transitivity (Mean x (fun _ => c)); [apply mean_same; [apply nonempty | intros; apply I] | apply mean_const, nonempty]. Qed.
Lemma avg_zero m F e : (forall e, inside m e -> F e = 0) -> avg m F e = 0.
Proof. intros P. rewrite <- (avg_const m 0 e). apply avg_same. intros; apply P; assumption. Qed.
(* An index that is not averaged over may be set first. *)
Lemma avg_upd m F y j : (m <= y)%nat -> forall e, avg m (fun e => F (upd e y j)) e = avg m F (upd e y j).
Proof.
  intros Hy. induction m as [|x I]; intros e; simpl; [reflexivity|]. apply mean_same; [apply nonempty|]. intros l Hl.
  rewrite I by lia. rewrite upd_swap by lia. reflexivity.
Qed.
Lemma avg_mean m a b (F : Z -> (nat -> Z) -> R) : forall e, avg m (fun e => mean a b (fun l => F l e)) e = mean a b (fun l => avg m (F l) e).
Proof.
  induction m as [|x I]; intros e; simpl; [reflexivity|]. rewrite <- mean_swap. apply mean_same; [apply nonempty|]. intros j Hj. apply I.
Qed.
(* To average over an index once more changes nothing. *)
Lemma avg_again m F x : (x < m)%nat -> forall e, avg m F e = avg m (fun e => Mean x (fun j => F (upd e x j))) e.
Proof.
  induction m as [|y I]; intros Hx e; [lia|]. simpl. destruct (Nat.eq_dec x y) as [->|N].
  - transitivity (Mean y (fun _ => Mean y (fun l => avg y F (upd e y l)))); [symmetry; apply mean_const, nonempty|].
    apply mean_same; [apply nonempty|]. intros j Hj.
    rewrite (avg_mean y (low y) (high y) (fun l e => F (upd e y l))). apply mean_same; [apply nonempty|]. intros l Hl.
    rewrite avg_upd by lia. rewrite upd_twice. reflexivity.
  - apply mean_same; [apply nonempty|]. intros j Hj. rewrite I by lia. reflexivity.
Qed.

Fixpoint vsum (m : nat) (u : nat -> V) : V := match m with O => zero | S m => add (vsum m u) (u m) end.
Definition vmean (a b : Z) (u : Z -> V) : V := scale (/ IZR (b - a + 1)) (vsum (Z.to_nat (b - a + 1)) (fun j => u (a + Z.of_nat j)%Z)).
Lemma ip_vsum m u (w : V) a : ip (vsum m (fun j => u (a + Z.of_nat j)%Z)) w = sum a (a + Z.of_nat m - 1) (fun j => ip (u j) w).
Proof.
  induction m; simpl vsum; [rewrite ip_zero; symmetry; replace (a + Z.of_nat 0 - 1)%Z with (a - 1)%Z by lia; apply sum_none|].
  rewrite ip_add, IHm. replace (a + Z.of_nat (S m) - 1)%Z with (a + Z.of_nat m - 1 + 1)%Z by lia. rewrite sum_next.
  f_equal. f_equal. f_equal. lia.
Qed.
Lemma ip_vmean a b u (w : V) : (a <= b)%Z -> ip (vmean a b u) w = mean a b (fun j => ip (u j) w).
Proof. intros H. unfold vmean, mean. rewrite ip_scale, ip_vsum. replace (a + Z.of_nat (Z.to_nat (b - a + 1)) - 1)%Z with b by lia. reflexivity. Qed.
Lemma vmean_ip a b u (w : V) : (a <= b)%Z -> ip w (vmean a b u) = mean a b (fun j => ip w (u j)).
Proof. intros H. rewrite ip_sym, ip_vmean by assumption. apply mean_same; [assumption|]. intros; apply ip_sym. Qed.

Definition family := (nat -> Z) -> V.
Definition start : nat -> Z := fun x => low x.
Definition fip (u v : family) : R := avg n (fun e => ip (u e) (v e)) start.
Definition Family : Space.
Proof.
  refine {| vector := family; zero := fun _ => zero; add := fun u v e => add (u e) (v e); scale := fun c u e => scale c (u e); ip := fip |}; unfold fip.
  - intros. apply avg_same. intros. apply ip_sym.
  - intros. apply avg_zero. intros. apply ip_zero.
  - intros. rewrite <- avg_add. apply avg_same. intros. apply ip_add.
  - intros. rewrite <- avg_scal. apply avg_same. intros. apply ip_scale.
  - intros. apply avg_nonneg. intros. apply ip_nonneg.
Defined.
Definition fpr (x : nat) (u : Family) : Family := if x <? n then fun e => vmean (low x) (high x) (fun j => (u : family) (upd e x j)) else u.
Lemma fip_fpr x (u v : Family) : (x < n)%nat -> ip (fpr x u) v = avg n (fun e => Mean x (fun j => Mean x (fun l => ip (u (upd e x j)) (v (upd e x l))))) start.
Proof.
  intros Hx. simpl. unfold fip, fpr. apply Nat.ltb_lt in Hx as B. rewrite B. rewrite (avg_again n _ x Hx). apply avg_same. intros e _ _. rewrite mean_swap.
  apply mean_same; [apply nonempty|]. intros l Hl. rewrite ip_vmean by apply nonempty. apply mean_same; [apply nonempty|]. intros j Hj. rewrite upd_twice. reflexivity.
Qed.
Lemma fpr_at x (u : Family) e (w : V) : (x < n)%nat -> ip ((fpr x u : family) e) w = Mean x (fun j => ip ((u : family) (upd e x j)) w).
Proof. intros Hx. unfold fpr. apply Nat.ltb_lt in Hx as B. rewrite B. apply ip_vmean, nonempty. Qed.
Lemma fpr_out x (u : Family) : ~ (x < n)%nat -> fpr x u = u.
Proof. intros Hx. unfold fpr. apply Nat.ltb_nlt in Hx. rewrite Hx. reflexivity. Qed.
Lemma pointwise (u v : Family) : (forall e, inside n e -> same ((u : family) e) ((v : family) e)) -> same u v.
Proof. intros P w. simpl. unfold fip. apply avg_same. intros e He _. apply P, He. Qed.
Definition Families : Projected.
Proof.
  refine {| space := Family; pr := fpr |}.
  - intros x u v. destruct (lt_dec x n) as [Hx|Hx]; [|rewrite !fpr_out by assumption; reflexivity].
    rewrite (ip_sym u), !fip_fpr by assumption. apply avg_same. intros e _ _. rewrite mean_swap.
    apply mean_same; [apply nonempty|]. intros l Hl. apply mean_same; [apply nonempty|]. intros j Hj. apply ip_sym.
  - intros x u v. destruct (lt_dec x n) as [Hx|Hx]; [|rewrite !fpr_out by assumption; reflexivity].
    apply pointwise. intros e _ w. rewrite fpr_at by assumption. rewrite <- (mean_const (low x) (high x) (ip (fpr x u e) w)) by apply nonempty.
    apply mean_same; [apply nonempty|]. intros j Hj. rewrite !fpr_at by assumption. apply mean_same; [apply nonempty|]. intros l Hl. rewrite upd_twice. reflexivity.
  - intros x y u v. destruct (Nat.eq_dec x y) as [->|N]; [reflexivity|].
    destruct (lt_dec x n) as [Hx|Hx], (lt_dec y n) as [Hy|Hy]; rewrite ?(fpr_out x), ?(fpr_out y) by assumption; try reflexivity.
    apply pointwise. intros e _ w. rewrite !fpr_at by assumption.
    transitivity (Mean x (fun j => Mean y (fun l => ip (u (upd (upd e x j) y l)) w))); [apply mean_same; [apply nonempty|]; intros; apply fpr_at, Hy|].
    rewrite mean_swap. apply mean_same; [apply nonempty|]. intros l Hl. rewrite fpr_at by assumption. apply mean_same; [apply nonempty|]. intros j Hj.
    rewrite upd_swap by assumption. reflexivity.
Defined.

(* What does not vary with an index is fixed by its projection. *)
Lemma fixed_family x (u : Families) : (forall e j, (u : family) (upd e x j) = (u : family) e) -> fixes x u.
Proof.
  intros P. unfold fixes. simpl. destruct (lt_dec x n) as [Hx|Hx]; [|rewrite fpr_out by assumption; apply same_refl].
  apply pointwise. intros e _ w. rewrite fpr_at by assumption. rewrite <- (mean_const (low x) (high x) (ip ((u : family) e) w)) by apply nonempty.
  apply mean_same; [apply nonempty|]. intros j Hj. rewrite P. reflexivity.
Qed.

(* The mean over the values of an index that is not averaged over apart. *)
Definition at_index (x : nat) (j : Z) (u : Families) : Families := (fun e => (u : family) (upd e x j)) : family.
Lemma prs_at X : forall (u : Families) x j e w, (forall y, In y X -> y <> x) ->
  ip ((prs X (at_index x j u) : family) e) w = ip ((prs X u : family) (upd e x j)) w.
Proof.
  induction X as [|y X I]; intros u x j e w P; [reflexivity|]. simpl prs. destruct (lt_dec y n) as [Hy|Hy].
  - simpl pr. rewrite !fpr_at by assumption. apply mean_same; [apply nonempty|]. intros l Hl.
    rewrite I by (intros z Hz; apply P; right; exact Hz). rewrite upd_swap by (apply P; left; reflexivity). reflexivity.
  - simpl pr. rewrite !fpr_out by assumption. apply I. intros z Hz; apply P; right; exact Hz.
Qed.
Lemma D_mean X x (u v : Families) : (x < n)%nat -> (forall y, In y X -> y <> x) ->
  Mean x (fun j => D X (at_index x j u) (at_index x j v)) = D X u v.
Proof.
  intros Hx P. unfold D. simpl ip. unfold fip. rewrite (avg_again n (fun e => ip ((prs X u : family) e) ((v : family) e)) x Hx).
  rewrite <- (avg_mean n (low x) (high x) (fun j e => ip ((prs X (at_index x j u) : family) e) ((at_index x j v : family) e))).
  apply avg_same. intros e _ _. apply mean_same; [apply nonempty|]. intros j Hj. apply prs_at, P.
Qed.

Lemma sum_D X x (u v : Families) : (x < n)%nat -> (forall y, In y X -> y <> x) ->
  sum (low x) (high x) (fun j => D X (at_index x j u) (at_index x j v)) = IZR (high x - low x + 1) * D X u v.
Proof. intros Hx P. rewrite <- (D_mean X x u v Hx P). apply sum_mean, nonempty. Qed.

(* Where all pairs of entries that the projections mix are orthogonal, so are the families. *)
Lemma prs_zero X (u : Families) (w : V) : forall e, (forall f, (forall x, In x X -> (low x <= f x <= high x)%Z) -> (forall x, ~ In x X -> f x = e x) -> ip ((u : family) f) w = 0) ->
  (forall x, In x X -> (x < n)%nat) -> (forall x, In x X -> (low x <= e x <= high x)%Z) -> ip ((prs X u : family) e) w = 0.
Proof.
  induction X as [|x X I]; intros e P L Ie; [apply P; [simpl; tauto | reflexivity]|]. simpl prs. simpl pr. rewrite fpr_at by (apply L; left; reflexivity).
  rewrite <- (mean_const (low x) (high x) 0) by apply nonempty. apply mean_same; [apply nonempty|]. intros j Hj. apply I.
  - intros f Hf Af. apply P.
    + intros y [->|Hy]; [|apply Hf, Hy]. destruct (in_dec Nat.eq_dec y X) as [J|J]; [apply Hf, J | rewrite Af by assumption; rewrite upd_at; exact Hj].
    + intros y Hy. rewrite Af by (intros J; apply Hy; right; exact J). apply upd_else. intros ->. apply Hy. left; reflexivity.
  - intros y Hy. apply L. right; exact Hy.
  - intros y Hy. destruct (Nat.eq_dec y x) as [->|N]; [rewrite upd_at; exact Hj | rewrite upd_else by assumption; apply Ie; right; exact Hy].
Qed.
Lemma D_zero X (u v : Families) : (forall x, In x X -> (x < n)%nat) ->
  (forall f e, inside n f -> inside n e -> (forall x, ~ In x X -> f x = e x) -> ip ((u : family) f) ((v : family) e) = 0) -> D X u v = 0.
Proof.
  intros L P. unfold D. simpl ip. unfold fip. apply avg_zero. intros e He. apply prs_zero; [|exact L|intros x Hx; apply He, L, Hx].
  intros f Hf Af. apply P; [|exact He|exact Af]. intros x Hx. destruct (in_dec Nat.eq_dec x X) as [J|J]; [apply Hf, J | rewrite Af by assumption; apply He, Hx].
Qed.
(* fresh: entries that differ in an averaged index are orthogonal. *)
Fixpoint count (X : list nat) : R := match X with [] => 1 | x :: X => IZR (high x - low x + 1) * count X end.
Lemma prs_single X (u : Families) (w : V) : NoDup X -> (forall x, In x X -> (x < n)%nat) -> forall e, (forall x, In x X -> (low x <= e x <= high x)%Z) ->
  (forall f, (forall x, In x X -> (low x <= f x <= high x)%Z) -> (forall x, ~ In x X -> f x = e x) -> (exists x, In x X /\ f x <> e x) -> ip ((u : family) f) w = 0) ->
  ip ((prs X u : family) e) w = ip ((u : family) e) w / count X.
Proof.
  intros ND. induction X as [|x X I]; intros L e He P; [simpl; field|]. inversion ND as [|? ? Nx NX]; subst. simpl prs. simpl pr.
  rewrite fpr_at by (apply L; left; reflexivity). unfold mean. rewrite (sum_single _ _ _ (e x)).
  - replace (upd e x (e x)) with e by (apply functional_extensionality; intros y; unfold upd; destruct (Nat.eqb_spec y x); subst; reflexivity).
    rewrite I; [simpl; assert (C := count_pos (low x) (high x) (nonempty x)) | exact NX | intros y Hy; apply L; right; exact Hy | intros y Hy; apply He; right; exact Hy |].
    + unfold Rdiv. rewrite Rinv_mult. ring.
    + intros f Hf Af [y [Hy Ny]]. apply P.
      * intros z [->|Hz]; [rewrite Af by assumption; apply He; left; reflexivity | apply Hf, Hz].
      * intros z Hz. apply Af. intros J. apply Hz. right; exact J.
      * exists y. split; [right; exact Hy | exact Ny].
  - apply He. left; reflexivity.
  - intros j Hj Nj. apply prs_zero.
    + intros f Hf Af. apply P.
      * intros y [->|Hy]; [rewrite Af by assumption; rewrite upd_at; exact Hj | apply Hf, Hy].
      * intros y Hy. rewrite Af by (intros J; apply Hy; right; exact J). apply upd_else. intros ->. apply Hy. left; reflexivity.
      * exists x. split; [left; reflexivity|]. rewrite Af by assumption. rewrite upd_at. exact Nj.
    + intros y Hy. apply L. right; exact Hy.
    + intros y Hy. rewrite upd_else by (intros ->; contradiction). apply He. right; exact Hy.
Qed.
Lemma D_fresh X (u v : Families) : NoDup X -> (forall x, In x X -> (x < n)%nat) ->
  (forall f e, inside n f -> inside n e -> (forall x, ~ In x X -> f x = e x) -> (exists x, In x X /\ f x <> e x) -> ip ((u : family) f) ((v : family) e) = 0) ->
  D X u v = D [] u v / count X.
Proof.
  intros ND L P. unfold D. simpl ip. unfold fip. simpl prs. unfold Rdiv. rewrite Rmult_comm, <- avg_scal. apply avg_same. intros e He _.
  rewrite prs_single; try assumption; [unfold Rdiv; ring | intros x Hx; apply He, L, Hx |].
  intros f Hf Af Ef. apply P; try assumption. intros x Hx. destruct (in_dec Nat.eq_dec x X) as [J|J]; [apply Hf, J | rewrite Af by assumption; apply He, Hx].
Qed.
(* What an inner product of families is: a mean over all indices. *)
Lemma D_avg X (u v : Families) : D X u v = avg n (fun e => ip ((prs X u : family) e) ((v : family) e)) start.
Proof. reflexivity. Qed.
(* samples: inner products of what a sample takes, from those of what it is taken of. *)
Lemma D_scaled X c (u u0 v : Families) : (forall x, In x X -> (x < n)%nat) ->
  (forall f e, inside n f -> inside n e -> (forall x, ~ In x X -> f x = e x) -> ip ((u : family) f) ((v : family) e) = c * ip ((u0 : family) f) ((v : family) e)) ->
  D X u v = c * D X u0 v.
Proof.
  intros L P. assert (E : D X (add u (scale (- c) u0)) v = 0).
  { apply D_zero; [exact L|]. intros f e Hf He Af. simpl. rewrite ip_add, ip_scale, (P f e Hf He Af). ring. }
  unfold D in *. rewrite prs_self, ip_add, ip_scale, <- !prs_self in E. lra.
Qed.
Lemma D_scaled_both X c (u u0 v v0 : Families) : (forall x, In x X -> (x < n)%nat) ->
  (forall f e, inside n f -> inside n e -> (forall x, ~ In x X -> f x = e x) -> ip ((u : family) f) ((v : family) e) = c * ip ((u0 : family) f) ((v0 : family) e)) ->
  D X u v = c * D X u0 v0.
Proof.
  intros L P. unfold D. simpl ip. unfold fip. rewrite <- avg_scal. apply avg_same. intros e He _.
  assert (Q : forall X (u u0 : Families) e, (forall x, In x X -> (x < n)%nat) -> (forall x, In x X -> (low x <= e x <= high x)%Z) -> forall w w0,
    (forall f, (forall x, In x X -> (low x <= f x <= high x)%Z) -> (forall x, ~ In x X -> f x = e x) -> ip ((u : family) f) w = c * ip ((u0 : family) f) w0) ->
    ip ((prs X u : family) e) w = c * ip ((prs X u0 : family) e) w0).
  { clear - nonempty. induction X as [|x X I]; intros u u0 e L Ie w w0 P; [apply P; [simpl; tauto | reflexivity]|]. simpl prs. simpl pr.
    rewrite !fpr_at by (apply L; left; reflexivity). rewrite <- mean_scal. apply mean_same; [apply nonempty|]. intros j Hj. apply I.
    - intros y Hy. apply L. right; exact Hy.
    - intros y Hy. destruct (Nat.eq_dec y x) as [->|N]; [rewrite upd_at; exact Hj | rewrite upd_else by assumption; apply Ie; right; exact Hy].
    - intros f Hf Af. apply P.
      + intros y [->|Hy]; [|apply Hf, Hy]. destruct (in_dec Nat.eq_dec y X) as [J|J]; [apply Hf, J | rewrite Af by assumption; rewrite upd_at; exact Hj].
      + intros y Hy. rewrite Af by (intros J; apply Hy; right; exact J). apply upd_else. intros ->. apply Hy. left; reflexivity. }
  apply Q; [exact L | intros x Hx; apply He, L, Hx |]. intros f Hf Af. apply P; [|exact He|exact Af].
  intros x Hx. destruct (in_dec Nat.eq_dec x X) as [J|J]; [apply Hf, J | rewrite Af by assumption; apply He, Hx].
Qed.
Lemma D_pairs x p1 p2 (w u : Families) : (x < n)%nat ->
  (forall f e, inside n f -> inside n e -> (forall y, y <> x -> f y = e y) -> f x <> e x -> ip ((w : family) f) ((w : family) e) = p2 * ip ((u : family) f) ((u : family) e)) ->
  (forall e, inside n e -> ip ((w : family) e) ((w : family) e) = p1 * ip ((u : family) e) ((u : family) e)) ->
  D [x] w w = p2 * D [x] u u + (p1 - p2) / IZR (high x - low x + 1) * D [] u u.
Proof.
  intros Hx P Q. unfold D. simpl prs. simpl pr. simpl ip. unfold fip. rewrite <- !avg_scal, <- avg_add. apply avg_same. intros e He _.
  rewrite !fpr_at by assumption. assert (C := count_pos (low x) (high x) (nonempty x)).
  assert (E : sum (low x) (high x) (fun j => ip ((w : family) (upd e x j)) ((w : family) e) + (- p2) * ip ((u : family) (upd e x j)) ((u : family) e)) = (p1 - p2) * ip ((u : family) e) ((u : family) e)).
  { rewrite (sum_single _ _ _ (e x)).
    - replace (upd e x (e x)) with e by (apply functional_extensionality; intros y; unfold upd; destruct (Nat.eqb_spec y x); subst; reflexivity). rewrite (Q e He). ring.
    - apply He, Hx.
    - intros j Hj Nj. rewrite (P (upd e x j) e); [ring| |exact He| |rewrite upd_at; exact Nj].
      + intros y Hy. destruct (Nat.eq_dec y x) as [->|N]; [rewrite upd_at; exact Hj | rewrite upd_else by assumption; apply He, Hy].
      + intros y N. apply upd_else, N. }
  rewrite sum_add, sum_scal in E. unfold mean. apply Rmult_eq_reg_l with (IZR (high x - low x + 1)); [|lra].
  replace (IZR (high x - low x + 1) * (/ IZR (high x - low x + 1) * sum (low x) (high x) (fun j => ip ((w : family) (upd e x j)) ((w : family) e)))) with (sum (low x) (high x) (fun j => ip ((w : family) (upd e x j)) ((w : family) e))) by (field; lra).
  replace (IZR (high x - low x + 1) * (p2 * (/ IZR (high x - low x + 1) * sum (low x) (high x) (fun j => ip ((u : family) (upd e x j)) ((u : family) e))) + (p1 - p2) / IZR (high x - low x + 1) * ip ((u : family) e) ((u : family) e)))
    with (p2 * sum (low x) (high x) (fun j => ip ((u : family) (upd e x j)) ((u : family) e)) + (p1 - p2) * ip ((u : family) e) ((u : family) e)) by (field; lra). lra.
Qed.
(* A projection makes no vector longer. *)
Lemma D_contracts X (u : Families) : D X u u <= D [] u u.
Proof.
  assert (P := ip_nonneg (add (u : Families) (scale (-1) (prs X u)))). rewrite ip_add, ip_scale, !ip_add_right, !ip_scale_right in P.
  unfold D. simpl prs. rewrite (ip_sym u (prs X u)) in P. assert (E : ip (prs X u) (prs X u) = ip (prs X u) u) by (rewrite <- prs_self; apply absorb_all, incl_refl).
  rewrite E in P. lra.
Qed.
End Families.
