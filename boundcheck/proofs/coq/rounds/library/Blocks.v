(* Means over the clients and deviations from them, as two forms; and quadratic forms that are nowhere negative.

   [mv u v] is the inner product of the means of two families, [dv u v] that of their deviations; [tot] is their sum.
   A form whose coefficients are whole numbers is checked by elimination, which Coq computes.  Where coefficients
   are polynomials on a box, they are combinations of whole numbers with weights that are not negative. *)
Require Import Reals ZArith List Lra Lia.
From Boundcheck Require Import Sums Space Polynomials.
Import ListNotations.
Open Scope R_scope.

Section Blocks.
Context {H : Projected}.
Implicit Types u v w : H.
Definition avg u : H := pr 0 u.
Definition sub u v : H := add u (scale (-1) v).
Definition tot u v : R := ip u v.
Definition mv u v : R := ip (avg u) v.
Definition dv u v : R := ip u v - ip (avg u) v.
(* One vector for all clients. *)
Definition server u := same (avg u) u.

Lemma tot_is u v : tot u v = mv u v + dv u v. Proof. unfold tot, mv, dv. ring. Qed.
Lemma avg_self u v : ip (avg u) v = ip u (avg v). Proof. apply pr_self. Qed.
Lemma avg_avg u v : ip (avg u) (avg v) = ip (avg u) v.
Proof. unfold avg. rewrite <- pr_self. apply pr_twice. Qed.
Lemma mv_sym u v : mv u v = mv v u. Proof. unfold mv. rewrite avg_self. apply ip_sym. Qed.
Lemma dv_sym u v : dv u v = dv v u. Proof. unfold dv. fold (mv u v) (mv v u). rewrite mv_sym, ip_sym. reflexivity. Qed.
Lemma avg_add u v w : ip (avg (add u v)) w = ip (avg u) w + ip (avg v) w.
Proof. rewrite !avg_self. apply ip_add. Qed.
Lemma avg_scale c u w : ip (avg (scale c u)) w = c * ip (avg u) w.
Proof. rewrite !avg_self. apply ip_scale. Qed.
Lemma avg_zero w : ip (avg zero) w = 0. Proof. rewrite avg_self. apply ip_zero. Qed.
Lemma mv_add u v w : mv (add u v) w = mv u w + mv v w. Proof. apply avg_add. Qed.
Lemma mv_scale c u w : mv (scale c u) w = c * mv u w. Proof. apply avg_scale. Qed.
Lemma mv_zero w : mv zero w = 0. Proof. apply avg_zero. Qed.
Lemma mv_avg u w : mv (avg u) w = mv u w. Proof. unfold mv. rewrite (avg_self (avg u)), avg_avg. reflexivity. Qed.
Lemma mv_nonneg u : 0 <= mv u u. Proof. unfold mv. rewrite <- avg_avg. apply ip_nonneg. Qed.
Lemma dv_add u v w : dv (add u v) w = dv u w + dv v w. Proof. unfold dv. rewrite avg_add, ip_add. ring. Qed.
Lemma dv_scale c u w : dv (scale c u) w = c * dv u w. Proof. unfold dv. rewrite avg_scale, ip_scale. ring. Qed.
Lemma dv_zero w : dv zero w = 0. Proof. unfold dv. rewrite avg_zero, ip_zero. ring. Qed.
Lemma dv_avg u w : dv (avg u) w = 0. Proof. unfold dv. fold (mv (avg u) w). rewrite mv_avg. unfold mv. ring. Qed.
Lemma dv_server u w : server u -> dv u w = 0. Proof. intros S. unfold dv. rewrite (S w). ring. Qed.
Lemma dv_nonneg u : 0 <= dv u u.
Proof.
  assert (P := ip_nonneg (add u (scale (-1) (avg u)))).
  rewrite ip_add, ip_scale, !ip_add_right, !ip_scale_right, avg_avg, (ip_sym u (avg u)) in P. unfold dv. lra.
Qed.
Lemma mv_add_right u v w : mv w (add u v) = mv w u + mv w v. Proof. rewrite mv_sym, mv_add, (mv_sym u), (mv_sym v). ring. Qed.
Lemma mv_scale_right c u w : mv w (scale c u) = c * mv w u. Proof. rewrite mv_sym, mv_scale, (mv_sym u). ring. Qed.
Lemma mv_zero_right w : mv w zero = 0. Proof. rewrite mv_sym. apply mv_zero. Qed.
Lemma mv_avg_right u w : mv w (avg u) = mv w u. Proof. rewrite mv_sym, mv_avg. apply mv_sym. Qed.
Lemma dv_add_right u v w : dv w (add u v) = dv w u + dv w v. Proof. rewrite dv_sym, dv_add, (dv_sym u), (dv_sym v). ring. Qed.
Lemma dv_scale_right c u w : dv w (scale c u) = c * dv w u. Proof. rewrite dv_sym, dv_scale, (dv_sym u). ring. Qed.
Lemma dv_zero_right w : dv w zero = 0. Proof. rewrite dv_sym. apply dv_zero. Qed.
Lemma dv_avg_right u w : dv w (avg u) = 0. Proof. rewrite dv_sym. apply dv_avg. Qed.
Lemma dv_server_right u w : server u -> dv w u = 0. Proof. intros S. rewrite dv_sym. apply dv_server, S. Qed.
Lemma server_add u v : server u -> server v -> server (add u v).
Proof. intros A B w. rewrite avg_add, ip_add, (A w), (B w). reflexivity. Qed.
Lemma server_scale c u : server u -> server (scale c u).
Proof. intros A w. rewrite avg_scale, ip_scale, (A w). reflexivity. Qed.
Lemma server_avg u : server (avg u).
Proof. intros w. unfold avg. apply pr_twice. Qed.
Lemma server_zero : server zero.
Proof. intros w. rewrite avg_zero, ip_zero. reflexivity. Qed.

(* -- elimination --------------------------------------------------------------------------------------------------- *)
Section Forms.
Context (B : H -> H -> R).
Hypothesis B_sym : forall u v, B u v = B v u.
Hypothesis B_add : forall u v w, B (add u v) w = B u w + B v w.
Hypothesis B_scale : forall c u w, B (scale c u) w = c * B u w.
Hypothesis B_zero : forall w, B zero w = 0.
Hypothesis B_nonneg : forall u, 0 <= B u u.

(* A row starts at its diagonal; beside the diagonal a coefficient stands for both orders. *)
Fixpoint row u (c : list Z) (us : list H) : R :=
  match c, us with a :: c, v :: us => IZR a * B u v + row u c us | _, _ => 0 end.
Fixpoint form (q : list (list Z)) (us : list H) : R :=
  match q, us with c :: q, u :: us => row u c (u :: us) + form q us | _, _ => 0 end.
Fixpoint comb (c : list Z) (us : list H) : H :=
  match c, us with a :: c, v :: us => add (scale (IZR a) v) (comb c us) | _, _ => zero end.
(* 4 a times a row, less what the square of the first row takes of it. *)
Fixpoint less (a b : Z) (c d : list Z) : list Z :=
  match c, d with x :: c, y :: d => (4 * a * x - 2 * b * y)%Z :: less a b c d | _, _ => [] end.
Fixpoint reduce (a : Z) (b : list Z) (q : list (list Z)) : list (list Z) :=
  match b, q with y :: b, (x :: c) :: q => ((4 * a * x - y * y)%Z :: less a y c b) :: reduce a b q | _, _ => [] end.
Fixpoint shaped (n : nat) (q : list (list Z)) : bool :=
  match n, q with O, [] => true | S n, c :: q => (length c =? S n)%nat && shaped n q | _, _ => false end%bool.
Fixpoint semidefinite (n : nat) (q : list (list Z)) : bool :=
  match n, q with
  | O, _ => true
  | S n, (a :: b) :: q => if (a =? 0)%Z then forallb (Z.eqb 0) b && semidefinite n q else (0 <? a)%Z && semidefinite n (reduce a b q)
  | _, _ => false end%bool.

Lemma B_add_right u v w : B w (add u v) = B w u + B w v. Proof. rewrite B_sym, B_add, (B_sym u), (B_sym v). ring. Qed.
Lemma B_scale_right c u w : B w (scale c u) = c * B w u. Proof. rewrite B_sym, B_scale, (B_sym u). ring. Qed.
Lemma row_comb u : forall c us, length c = length us -> row u c us = B u (comb c us).
Proof.
  induction c as [|a c I]; intros [|v us] L; cbn [row form comb less reduce shaped semidefinite forallb length] in *; try discriminate; [rewrite B_sym, B_zero; reflexivity|].
  rewrite B_add_right, B_scale_right, I by lia. reflexivity.
Qed.
Lemma row_less u a b : forall c d us, length c = length us -> length d = length us ->
  row u (less a b c d) us = 4 * IZR a * row u c us - 2 * IZR b * row u d us.
Proof.
  induction c as [|x c I]; intros [|y d] [|v us] L M; cbn [row form comb less reduce shaped semidefinite forallb length] in *; try discriminate; try ring.
  rewrite I by lia. rewrite minus_IZR, !mult_IZR. ring.
Qed.
Lemma reduced a : forall b q us, length b = length us -> shaped (length us) q = true ->
  form (reduce a b q) us = 4 * IZR a * form q us - B (comb b us) (comb b us) /\ shaped (length us) (reduce a b q) = true.
Proof.
  induction b as [|y b I]; intros [|[|x c] q] [|u us] L M; cbn [row form comb less reduce shaped semidefinite forallb length] in *; try discriminate.
  - rewrite B_zero. split; [ring | reflexivity].
  - apply Bool.andb_true_iff in M as [M1 M2]. apply Nat.eqb_eq in M1. injection L as L. injection M1 as M1.
    destruct (I q us L M2) as [E F]. rewrite E. split.
    + rewrite row_less by congruence. rewrite (row_comb u b us L). rewrite minus_IZR, !mult_IZR.
      rewrite !B_add, !B_add_right, !B_scale, !B_scale_right, (B_sym (comb b us) u). ring.
    + rewrite F, Bool.andb_true_r. apply Nat.eqb_eq. f_equal. rewrite <- M1. rewrite <- L in M1. clear - M1.
      revert b M1. induction c; intros [|z b] M; cbn [row form comb less reduce shaped semidefinite forallb length] in *; try discriminate; try reflexivity. f_equal. apply IHc. lia.
Qed.
Lemma row_zero u : forall b us, forallb (Z.eqb 0) b = true -> row u b us = 0.
Proof.
  induction b as [|y b I]; intros [|v us] Z0; cbn [row form comb less reduce shaped semidefinite forallb length] in *; try reflexivity. apply Bool.andb_true_iff in Z0 as [A C]. apply Z.eqb_eq in A. subst. rewrite I by exact C. ring.
Qed.
Lemma semidefinite_ok : forall us q, shaped (length us) q = true -> semidefinite (length us) q = true -> 0 <= form q us.
Proof.
  induction us as [|u us I]; intros [|[|a b] q] Sh P; cbn [row form comb less reduce shaped semidefinite forallb length] in *; try discriminate; try lra.
  apply Bool.andb_true_iff in Sh as [S1 S2]. apply Nat.eqb_eq in S1. injection S1 as S1.
  destruct (Z.eqb_spec a 0) as [->|N].
  - apply Bool.andb_true_iff in P as [P1 P2]. rewrite row_zero by exact P1. specialize (I q S2 P2). lra.
  - apply Bool.andb_true_iff in P as [P1 P2]. apply Z.ltb_lt in P1. destruct (reduced a b q us S1 S2) as [E F].
    specialize (I _ F P2). rewrite E in I. rewrite (row_comb u b us S1). apply IZR_lt in P1.
    assert (Q := B_nonneg (add (scale (2 * IZR a) u) (comb b us))).
    rewrite B_add, !B_add_right, !B_scale, !B_scale_right, (B_sym (comb b us) u) in Q. nra.
Qed.

(* The same by one list: rows one after the other, beside the products in the same order. *)
Fixpoint products (us : list H) : list R := match us with u :: vs => map (B u) us ++ products vs | [] => [] end.
Fixpoint rows_of (n : nat) (l : list Z) : list (list Z) := match n with O => [] | S m => firstn n l :: rows_of m (skipn n l) end.
Lemma lin_app : forall l m g k, length l = length g -> lin (l ++ m) (g ++ k) = lin l g + lin m k.
Proof.
  induction l as [|a l I]; intros m [|x g] k L; cbn [lin app length] in *; try discriminate; [ring|]. rewrite I by lia. ring.
Qed.
Lemma row_lin u : forall c us, row u c us = lin (map IZR c) (map (B u) us).
Proof. induction c as [|a c I]; intros [|v us]; cbn [row map lin]; try reflexivity. rewrite I. reflexivity. Qed.
Lemma form_lin : forall us l, shaped (length us) (rows_of (length us) l) = true -> form (rows_of (length us) l) us = lin (map IZR l) (products us).
Proof.
  induction us as [|u us I]; intros l Sh; [destruct l; reflexivity|]. cbn [length rows_of shaped form products] in *.
  apply Bool.andb_true_iff in Sh as [L Sh]. apply Nat.eqb_eq in L. rewrite I by exact Sh. rewrite row_lin.
  rewrite <- lin_app by (rewrite !map_length; exact L). rewrite <- map_app, firstn_skipn. reflexivity.
Qed.

(* Columns: for each product the coefficients, one for each weight. *)
Definition fine (n : nat) (q : list (list Z)) : bool := (shaped n q && semidefinite n q)%bool.
Fixpoint all_fine (n m : nat) (cols : list (list Z)) : bool :=
  match m with O => true | S m => fine n (rows_of n (map (hd 0%Z) cols)) && all_fine n m (map (@tl Z) cols) end%bool.
Lemma on_box us : forall ws cols, Forall (Rle 0) ws -> all_fine (length us) (length ws) cols = true ->
  0 <= lin (map (against ws) cols) (products us).
Proof.
  induction ws as [|w ws I]; intros cols P Q.
  - clear. generalize (products us). induction cols as [|c cols J]; intros [|x g]; cbn [map lin]; try lra. specialize (J g). change (against [] c) with 0. lra.
  - inversion P; subst. cbn [length all_fine] in Q. apply Bool.andb_true_iff in Q as [Q1 Q2]. apply Bool.andb_true_iff in Q1 as [A C].
    specialize (I _ H3 Q2). assert (F := semidefinite_ok us _ A C). rewrite form_lin in F by exact A.
    assert (E : forall g, lin (map (against (w :: ws)) cols) g = w * lin (map IZR (map (hd 0%Z) cols)) g + lin (map (against ws) (map (@tl Z) cols)) g).
    { clear. induction cols as [|c cols J]; intros [|x g]; cbn [map lin]; try ring. rewrite J. destruct c; cbn [against hd tl]; [|ring].
      replace (against ws []) with 0 by (destruct ws; reflexivity). ring. }
    rewrite E. apply Rplus_le_le_0_compat; [apply Rmult_le_pos; assumption | exact I].
Qed.
(* All that Coq computes: the matrices are semidefinite, and the columns are the coefficients. *)
Fixpoint all_agree {n} (sides : list side) (cols : list (list Z)) (ps : list (pol n)) : bool :=
  match cols, ps with c :: cols, p :: ps => agrees sides c p && all_agree sides cols ps | [], [] => true | _, _ => false end%bool.
Definition checked {n} (k : nat) (sides : list side) (cols : list (list Z)) (ps : list (pol n)) : bool :=
  ((length sides =? n)%nat && all_fine k (size sides) cols && all_agree sides cols ps)%bool.
Lemma nonnegative_on us n xs sides cols (ps : list (pol n)) : checked (length us) sides cols ps = true -> length xs = n -> inside xs sides ->
  0 <= lin (map (value xs) ps) (products us).
Proof.
  intros C L P. apply Bool.andb_true_iff in C as [C A]. apply Bool.andb_true_iff in C as [N F]. apply Nat.eqb_eq in N.
  rewrite <- (size_weights xs sides) in F by congruence. assert (Q := on_box us _ _ (weights_nonneg xs sides P) F).
  replace (map (value xs) ps) with (map (against (weights xs sides)) cols); [exact Q|].
  clear - A N L. revert ps A. induction cols as [|c cols I]; intros [|p ps] A; cbn [all_agree map] in *; try discriminate; [reflexivity|].
  apply Bool.andb_true_iff in A as [A B]. rewrite (agreed n xs sides c p N L A), (I ps B). reflexivity.
Qed.
End Forms.
Lemma means_on us n xs sides cols (ps : list (pol n)) : checked (length us) sides cols ps = true -> length xs = n -> inside xs sides ->
  0 <= lin (map (value xs) ps) (products mv us).
Proof. apply nonnegative_on; [apply mv_sym | apply mv_add | apply mv_scale | apply mv_zero | apply mv_nonneg]. Qed.
Lemma deviations_on us n xs sides cols (ps : list (pol n)) : checked (length us) sides cols ps = true -> length xs = n -> inside xs sides ->
  0 <= lin (map (value xs) ps) (products dv us).
Proof. apply nonnegative_on; [apply dv_sym | apply dv_add | apply dv_scale | apply dv_zero | apply dv_nonneg]. Qed.
End Blocks.
