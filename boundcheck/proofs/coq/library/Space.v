(* Inner product spaces, by the laws of the inner product alone: vectors are equal where all inner products are.

   A space with projections has commuting orthogonal projections, one for each index over which vectors are averaged.
   [dot] writes the inner product of two combinations of atoms over inner products of atoms, each with the projections
   that remain: what an atom does not vary with, its projection leaves alone. *)
Require Import Reals List Arith Lra Lia.
Import ListNotations.
Open Scope R_scope.

Record Space := { vector :> Type; zero : vector; add : vector -> vector -> vector; scale : R -> vector -> vector;
  ip : vector -> vector -> R;
  ip_sym : forall u v, ip u v = ip v u;
  ip_zero : forall w, ip zero w = 0;
  ip_add : forall u v w, ip (add u v) w = ip u w + ip v w;
  ip_scale : forall c u w, ip (scale c u) w = c * ip u w;
  ip_nonneg : forall u, 0 <= ip u u }.
Arguments zero {_}. Arguments add {_}. Arguments scale {_}. Arguments ip {_}.
Arguments ip_sym {_}. Arguments ip_zero {_}. Arguments ip_add {_}. Arguments ip_scale {_}. Arguments ip_nonneg {_}.

Definition same {V : Space} (u v : V) := forall w, ip u w = ip v w.
Lemma same_refl {V : Space} (u : V) : same u u. Proof. intros w. reflexivity. Qed.
Lemma same_sym {V : Space} (u v : V) : same u v -> same v u. Proof. intros H w. symmetry. apply H. Qed.
Lemma same_trans {V : Space} (u v w : V) : same u v -> same v w -> same u w. Proof. intros A B z. rewrite A. apply B. Qed.
Lemma same_right {V : Space} (u v w : V) : same u v -> ip w u = ip w v. Proof. intros H. rewrite ip_sym, H. apply ip_sym. Qed.
Lemma ip_zero_right {V : Space} (w : V) : ip w zero = 0. Proof. rewrite ip_sym. apply ip_zero. Qed.
Lemma ip_add_right {V : Space} (u v w : V) : ip w (add u v) = ip w u + ip w v. Proof. rewrite ip_sym, ip_add, (ip_sym u), (ip_sym v). ring. Qed.
Lemma ip_scale_right {V : Space} c (u w : V) : ip w (scale c u) = c * ip w u. Proof. rewrite ip_sym, ip_scale, (ip_sym u). ring. Qed.

(* A vector at distance zero from zero is zero, as far as inner products say. *)
Lemma null {V : Space} (u : V) : ip u u = 0 -> same u zero.
Proof.
  intros H w. rewrite ip_zero. assert (P := fun c => ip_nonneg (add (scale c u) w)).
  assert (Q : forall c, 0 <= 2 * c * ip u w + ip w w).
  { intros c. specialize (P c). rewrite ip_add, ip_add_right, ip_add_right, ip_scale, ip_scale_right, ip_scale, ip_scale_right, H, (ip_sym w u) in P. lra. }
  destruct (Req_dec (ip u w) 0) as [E|E]; [exact E|]. exfalso.
  assert (A := Q (- (ip w w + 1) / (2 * ip u w))). replace (2 * (- (ip w w + 1) / (2 * ip u w)) * ip u w) with (- (ip w w + 1)) in A by (field; exact E). lra.
Qed.

Record Projected := { space :> Space; pr : nat -> space -> space;
  pr_self : forall x u v, ip (pr x u) v = ip u (pr x v);
  pr_twice : forall x u v, ip (pr x (pr x u)) v = ip (pr x u) v;
  pr_swap : forall x y u v, ip (pr x (pr y u)) v = ip (pr y (pr x u)) v }.
Arguments pr {_}. Arguments pr_self {_}. Arguments pr_twice {_}. Arguments pr_swap {_}.

Section Projections.
Context {H : Projected}.
Implicit Types u v w : H.

Fixpoint prs (X : list nat) (u : H) : H := match X with [] => u | x :: X => pr x (prs X u) end.

Lemma pr_same x u v : same u v -> same (pr x u) (pr x v).
Proof. intros E w. rewrite !pr_self. apply E. Qed.
Lemma prs_same X u v : same u v -> same (prs X u) (prs X v).
Proof. intros E. induction X; simpl; [exact E | apply pr_same, IHX]. Qed.
Lemma pr_prs x X u : same (pr x (prs X u)) (prs X (pr x u)).
Proof. induction X as [|y X I]; simpl; [apply same_refl|]. eapply same_trans; [intros w; apply pr_swap | apply pr_same, I]. Qed.
Lemma prs_app X T u : prs (X ++ T) u = prs X (prs T u).
Proof. induction X; simpl; [|rewrite IHX]; reflexivity. Qed.
Lemma prs_swap X T u : same (prs X (prs T u)) (prs T (prs X u)).
Proof. induction X as [|x X I]; simpl; [apply same_refl|]. eapply same_trans; [apply pr_same, I | apply pr_prs]. Qed.
Lemma prs_self X : forall u v, ip (prs X u) v = ip u (prs X v).
Proof.
  induction X as [|x X I]; intros u v; simpl; [reflexivity|].
  rewrite pr_self, I. apply same_right. apply same_sym, pr_prs.
Qed.

(* Projections that fix one side are left out, and so are repetitions. *)
Definition fixes x u := same (pr x u) u.
Lemma fixes_prs x X u : fixes x u -> fixes x (prs X u).
Proof. intros F. eapply same_trans; [apply pr_prs | apply prs_same, F]. Qed.
Lemma drop_fixed (keep : nat -> bool) u (fix_u : nat -> bool) : (forall x, fix_u x = true -> fixes x u) ->
  forall X v, (forall x, In x X -> keep x = false -> fix_u x = true \/ fixes x v) ->
  ip (prs X u) v = ip (prs (filter keep X) u) v.
Proof.
  intros Fu. induction X as [|x X I]; intros v P; [reflexivity|]. simpl. destruct (keep x) eqn:E; simpl.
  - rewrite !pr_self. apply I. intros y Hy Ky. destruct (P y (or_intror Hy) Ky) as [A|A]; [left; exact A|right].
    eapply same_trans; [intros w; apply pr_swap | apply pr_same, A].
  - rewrite pr_self. destruct (P x (or_introl eq_refl) E) as [A|A].
    + rewrite <- pr_self. rewrite (fixes_prs x X u (Fu x A)). apply I. intros y Hy. apply P. right; exact Hy.
    + rewrite (same_right _ _ _ A). apply I. intros y Hy. apply P. right; exact Hy.
Qed.
Lemma absorb x X u : In x X -> same (pr x (prs X u)) (prs X u).
Proof.
  induction X as [|y X I]; simpl; [tauto|]. intros [->|J]; [intros w; apply pr_twice|].
  eapply same_trans; [intros w; apply pr_swap | apply pr_same, I, J].
Qed.
Lemma absorb_all X T u : incl X T -> same (prs X (prs T u)) (prs T u).
Proof.
  induction X as [|x X I]; intros J; simpl; [apply same_refl|]. eapply same_trans; [apply pr_same, I | apply absorb].
  - intros y Hy. apply J. right; exact Hy.
  - apply J. left; reflexivity.
Qed.
Lemma prs_set X T u : incl X T -> incl T X -> same (prs X u) (prs T u).
Proof.
  intros A B. eapply same_trans; [apply same_sym, (absorb_all T X u B)|]. eapply same_trans; [apply prs_swap | apply absorb_all, A].
Qed.

(* A combination of atoms, each averaged over a list of indices. *)
Inductive vec := Atom (X : list nat) (a : nat) | Add (a b : vec) | Scale (c : R) (a : vec) | Zero.
Context (env : nat -> H) (varies : nat -> nat -> bool).
Fixpoint den (e : vec) : H :=
  match e with Atom X a => prs X (env a) | Add a b => add (den a) (den b) | Scale c a => scale c (den a) | Zero => zero end.

Definition D (T : list nat) (u v : H) : R := ip (prs T u) v.
Definition mem x X := existsb (Nat.eqb x) X.
(* The indices of n that are in X and with which both atoms vary, in order; the smaller atom stands first. *)
Definition kept (n : nat) (X : list nat) (a b : nat) : list nat :=
  filter (fun x => varies a x && varies b x)%bool (filter (fun x => mem x X) (seq 0 n)).
Definition entry n X a b := if a <=? b then D (kept n X a b) (env a) (env b) else D (kept n X b a) (env b) (env a).
Fixpoint dot_atom n X a (e : vec) : R :=
  match e with Atom T b => entry n (X ++ T) a b | Add p q => dot_atom n X a p + dot_atom n X a q
  | Scale c p => c * dot_atom n X a p | Zero => 0 end.
Fixpoint dot n (d e : vec) : R :=
  match d with Atom X a => dot_atom n X a e | Add p q => dot n p e + dot n q e | Scale c p => c * dot n p e | Zero => 0 end.
Fixpoint proj (T : list nat) (e : vec) : vec :=
  match e with Atom X a => Atom (T ++ X) a | Add p q => Add (proj T p) (proj T q) | Scale c p => Scale c (proj T p) | Zero => Zero end.
Fixpoint legal n (e : vec) : bool :=
  match e with Atom X _ => forallb (fun x => x <? n) X | Add p q => legal n p && legal n q | Scale _ p => legal n p | Zero => true end%bool.

Hypothesis fixed : forall a x, varies a x = false -> fixes x (env a).

Lemma D_sym T u v : D T u v = D T v u.
Proof. unfold D. rewrite prs_self. apply ip_sym. Qed.
Lemma mem_in x X : mem x X = true <-> In x X.
Proof.
  unfold mem. rewrite existsb_exists. split; [intros [y [A B]]; apply Nat.eqb_eq in B; subst; exact A | intros A; exists x; split; [exact A | apply Nat.eqb_refl]].
Qed.
Lemma set_of n X : forallb (fun x => x <? n) X = true -> incl X (filter (fun x => mem x X) (seq 0 n)) /\ incl (filter (fun x => mem x X) (seq 0 n)) X.
Proof.
  intros L. rewrite forallb_forall in L. split; intros x Hx.
  - apply filter_In. split; [apply in_seq; specialize (L x Hx); apply Nat.ltb_lt in L; lia | apply mem_in, Hx].
  - apply filter_In in Hx. apply mem_in, Hx.
Qed.
Lemma kept_ok n X a b : forallb (fun x => x <? n) X = true -> D X (env a) (env b) = D (kept n X a b) (env a) (env b).
Proof.
  intros L. destruct (set_of n X L) as [A B]. unfold D, kept. rewrite (prs_set _ _ (env a) A B).
  apply (drop_fixed _ _ (fun x => negb (varies a x))).
  - intros x E. apply fixed. destruct (varies a x); [discriminate | reflexivity].
  - intros x _ K. destruct (varies a x) eqn:E; [right; apply fixed; simpl in K; exact K | left; reflexivity].
Qed.
Lemma entry_ok n X T a b : forallb (fun x => x <? n) X = true -> forallb (fun x => x <? n) T = true ->
  ip (prs X (env a)) (prs T (env b)) = entry n (X ++ T) a b.
Proof.
  intros LS LT. assert (L : forallb (fun x => x <? n) (X ++ T) = true) by (rewrite forallb_app, LS, LT; reflexivity).
  rewrite <- prs_self, (prs_swap T X (env a)), <- prs_app. fold (D (X ++ T) (env a) (env b)). unfold entry.
  destruct (a <=? b); [apply kept_ok, L|]. rewrite D_sym. apply kept_ok, L.
Qed.
Lemma dot_atom_ok n X a e : forallb (fun x => x <? n) X = true -> legal n e = true -> ip (prs X (env a)) (den e) = dot_atom n X a e.
Proof.
  intros LS. induction e; simpl; intros LE.
  - apply entry_ok; assumption.
  - apply andb_prop in LE. rewrite ip_add_right, IHe1, IHe2 by tauto. reflexivity.
  - rewrite ip_scale_right, IHe by assumption. reflexivity.
  - apply ip_zero_right.
Qed.
Lemma dot_ok n d e : legal n d = true -> legal n e = true -> ip (den d) (den e) = dot n d e.
Proof.
  intros LD LE. induction d; simpl in *.
  - apply dot_atom_ok; assumption.
  - apply andb_prop in LD. rewrite ip_add, IHd1, IHd2 by tauto. reflexivity.
  - rewrite ip_scale, IHd by assumption. reflexivity.
  - apply ip_zero.
Qed.
Lemma proj_ok T e : same (den (proj T e)) (prs T (den e)).
Proof.
  induction e; simpl; intros w.
  - rewrite prs_app. reflexivity.
  - rewrite ip_add, IHe1, IHe2, (prs_self T (add _ _)), ip_add, <- !prs_self. reflexivity.
  - rewrite ip_scale, IHe, (prs_self T (scale _ _)), ip_scale, <- prs_self. reflexivity.
  - rewrite ip_zero, (prs_self T zero), ip_zero. reflexivity.
Qed.
Lemma legal_proj n T e : forallb (fun x => x <? n) T = true -> legal n e = true -> legal n (proj T e) = true.
Proof.
  intros LT. induction e; simpl; intros L; try reflexivity.
  - rewrite forallb_app, LT, L. reflexivity.
  - apply andb_prop in L. rewrite IHe1, IHe2 by tauto. reflexivity.
  - apply IHe, L.
Qed.
(* Both sides replaced by combinations that they equal. *)
Lemma D_dot n T u v d e : (forallb (fun x => x <? n) T && legal n d && legal n e)%bool = true ->
  same u (den d) -> same v (den e) -> D T u v = dot n (proj T d) e.
Proof.
  intros L A B. apply andb_prop in L as [L LE]. apply andb_prop in L as [LT LD].
  unfold D. rewrite prs_self, A, <- prs_self, (same_right _ _ _ B), <- (dot_ok n) by (try apply legal_proj; assumption). symmetry. apply proj_ok.
Qed.
Lemma D_nonneg T u : 0 <= D T u u.
Proof.
  unfold D. rewrite <- (absorb_all T T u (incl_refl T)), prs_self. apply ip_nonneg.
Qed.
Lemma square_nonneg n d : legal n d = true -> 0 <= dot n d d.
Proof. intros L. rewrite <- (dot_ok n d d L L). apply ip_nonneg. Qed.
End Projections.

(* Atoms and what they vary with, as lists; a list that ends says that all else varies. *)
Definition atoms {H : Projected} (l : list H) : nat -> H := fun a => nth a l zero.
Definition rows (l : list (list bool)) : nat -> nat -> bool := fun a x => nth x (nth a l []) true.
Ltac expand := cbn [dot dot_atom proj entry kept filter mem existsb seq app Nat.eqb Nat.leb nth atoms rows andb orb].
