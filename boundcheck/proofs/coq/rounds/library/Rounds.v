(* A round of a method: what is known of smooth functions at its points, local steps with their noise, and sums.

   [F u] is the mean over the clients of the values of their functions, each at its own point, less the lower bound of
   their mean; [G u] is the family of their gradients. Units are such that L = 1. *)
Require Import Reals List Lra Lia.
From Boundcheck Require Import Sums Space Rules Polynomials Blocks.
Import ListNotations.
Open Scope R_scope.

(* Products of combinations over products of atoms, by reflection; an atom of the server has no deviation. *)
Inductive expression := Atomic (n : nat) | Sum (d e : expression) | Multiple (c : R) (e : expression) | Average (e : expression) | Nothing.
Section Reflection.
Context {H : Projected} (atoms : list H) (shared : list bool).
Hypothesis servers : forall n, nth n shared false = true -> server (nth n atoms zero).
Fixpoint meant (e : expression) : H :=
  match e with Atomic n => nth n atoms zero | Sum d e => add (meant d) (meant e) | Multiple c e => scale c (meant e) | Average e => avg (meant e) | Nothing => zero end.
Definition mv_pair (n m : nat) : R := if (n <=? m)%nat then mv (nth n atoms zero) (nth m atoms zero) else mv (nth m atoms zero) (nth n atoms zero).
Definition dv_pair (n m : nat) : R :=
  if (nth n shared false || nth m shared false)%bool then 0 else if (n <=? m)%nat then dv (nth n atoms zero) (nth m atoms zero) else dv (nth m atoms zero) (nth n atoms zero).
Fixpoint mv_from (n : nat) (e : expression) : R :=
  match e with Atomic m => mv_pair n m | Sum d e => mv_from n d + mv_from n e | Multiple c e => c * mv_from n e | Average e => mv_from n e | Nothing => 0 end.
Fixpoint mv_of (d e : expression) : R :=
  match d with Atomic n => mv_from n e | Sum a b => mv_of a e + mv_of b e | Multiple c a => c * mv_of a e | Average a => mv_of a e | Nothing => 0 end.
Fixpoint dv_from (n : nat) (e : expression) : R :=
  match e with Atomic m => dv_pair n m | Sum d e => dv_from n d + dv_from n e | Multiple c e => c * dv_from n e | Average e => 0 | Nothing => 0 end.
Fixpoint dv_of (d e : expression) : R :=
  match d with Atomic n => dv_from n e | Sum a b => dv_of a e + dv_of b e | Multiple c a => c * dv_of a e | Average a => 0 | Nothing => 0 end.
Lemma mv_from_is n e : mv (nth n atoms zero) (meant e) = mv_from n e.
Proof.
  induction e as [m|d I e J|c e I|e I|]; cbn [meant mv_from].
  - unfold mv_pair. destruct (n <=? m)%nat; [reflexivity | apply mv_sym].
  - rewrite mv_add_right, I, J. reflexivity.
  - rewrite mv_scale_right, I. reflexivity.
  - rewrite mv_avg_right. exact I.
  - apply mv_zero_right.
Qed.
Lemma mv_is d e : mv (meant d) (meant e) = mv_of d e.
Proof.
  induction d as [n|a I b J|c a I|a I|]; cbn [meant mv_of].
  - apply mv_from_is.
  - rewrite mv_add, I, J. reflexivity.
  - rewrite mv_scale, I. reflexivity.
  - rewrite mv_avg. exact I.
  - apply mv_zero.
Qed.
Lemma dv_from_is n e : dv (nth n atoms zero) (meant e) = dv_from n e.
Proof.
  induction e as [m|d I e J|c e I|e I|]; cbn [meant dv_from].
  - unfold dv_pair. destruct (nth n shared false) eqn:A; [cbn; apply dv_server, servers, A|].
    destruct (nth m shared false) eqn:C; [cbn; apply dv_server_right, servers, C|]. cbn. destruct (n <=? m)%nat; [reflexivity | apply dv_sym].
  - rewrite dv_add_right, I, J. reflexivity.
  - rewrite dv_scale_right, I. reflexivity.
  - apply dv_avg_right.
  - apply dv_zero_right.
Qed.
Lemma dv_is d e : dv (meant d) (meant e) = dv_of d e.
Proof.
  induction d as [n|a I b J|c a I|a I|]; cbn [meant dv_of].
  - apply dv_from_is.
  - rewrite dv_add, I, J. reflexivity.
  - rewrite dv_scale, I. reflexivity.
  - apply dv_avg.
  - apply dv_zero.
Qed.
End Reflection.
Ltac place u l := lazymatch l with u :: _ => constr:(O) | _ :: ?l => let n := place u l in constr:(S n) end.
Ltac expressed u l := lazymatch u with
  | add ?a ?b => let d := expressed a l in let e := expressed b l in constr:(Sum d e)
  | scale ?c ?a => let e := expressed a l in constr:(Multiple c e)
  | avg ?a => let e := expressed a l in constr:(Average e)
  | zero => constr:(Nothing)
  | _ => let n := place u l in constr:(Atomic n) end.
Ltac composite u := lazymatch u with add _ _ => idtac | scale _ _ => idtac | avg _ => idtac | zero => idtac end.
Ltac multiplied atoms shared servers :=
  rewrite ?tot_is;
  repeat match goal with
  | |- context [@mv ?H ?a ?b] => first [composite a | composite b];
      let d := expressed a atoms in let e := expressed b atoms in let E := fresh in
      assert (E : @mv H a b = mv_of atoms d e) by exact (mv_is atoms d e);
      cbn [mv_of mv_from mv_pair nth Nat.leb] in E; rewrite E; clear E
  | |- context [@dv ?H ?a ?b] => first [composite a | composite b];
      let d := expressed a atoms in let e := expressed b atoms in let E := fresh in
      assert (E : @dv H a b = dv_of atoms shared d e) by exact (dv_is atoms shared servers d e);
      cbn [dv_of dv_from dv_pair nth Nat.leb orb] in E; rewrite E; clear E
  end.
(* The same where atoms are not named; for small goals. *)
Ltac bilinear := rewrite ?tot_is; repeat first
  [ rewrite mv_add | rewrite mv_scale | rewrite mv_avg | rewrite mv_zero | rewrite dv_add | rewrite dv_scale | rewrite dv_avg | rewrite dv_zero
  | rewrite mv_add_right | rewrite mv_scale_right | rewrite mv_avg_right | rewrite mv_zero_right
  | rewrite dv_add_right | rewrite dv_scale_right | rewrite dv_avg_right | rewrite dv_zero_right ].
Ltac one_of_list n p := destruct n as [|n]; [cbn in p |- *; first [discriminate | assumption] | ].

Definition square {H : Projected} (u : H) : R := tot u u.
(* At least 0 for a and b: values, places and gradients. *)
Definition smoothness {H : Projected} (fa fb : R) (xa xb ga gb : H) : R :=
  fa - fb - 1 / 2 * tot (add ga gb) (sub xa xb) - 1 / 4 * square (sub ga gb) + 1 / 4 * square (sub xa xb).

Section Facts.
Context {H : Projected} (F : H -> R) (G : H -> H).
(* Both are true of clients whose gradients are 1-Lipschitz. *)
Hypothesis descent : forall u v, F v <= F u + tot (G u) (sub v u) + 1 / 2 * square (sub v u).
Hypothesis ascent : forall u v, F u + tot (G u) (sub v u) - 1 / 2 * square (sub v u) <= F v.

Lemma mv_same (u v w : H) : same u v -> mv u w = mv v w.
Proof. intros E. unfold mv. rewrite !avg_self. apply E. Qed.
Lemma mv_same_right (u v w : H) : same u v -> mv w u = mv w v.
Proof. intros E. rewrite mv_sym, (mv_same u v w E). apply mv_sym. Qed.
Lemma dv_same (u v w : H) : same u v -> dv u w = dv v w.
Proof. intros E. unfold dv. rewrite (E w). fold (mv u w) (mv v w). rewrite (mv_same u v w E). reflexivity. Qed.
Lemma dv_same_right (u v w : H) : same u v -> dv w u = dv w v.
Proof. intros E. rewrite dv_sym, (dv_same u v w E). apply dv_sym. Qed.

(* The point between a and b at which the two parabolas are furthest apart. *)
Lemma smooth (a b : H) : 0 <= smoothness (F a) (F b) a b (G a) (G b).
Proof.
  set (z := add (scale (1 / 2) (add a b)) (scale (1 / 2) (sub (G b) (G a)))).
  assert (P := descent a z). assert (Q := ascent b z). unfold smoothness, square, z, sub, tot in *.
  assert (E : forall x : H, ip x a = ip a x) by (intros; apply ip_sym).
  rewrite ?ip_add, ?ip_scale, ?ip_add_right, ?ip_scale_right in *. rewrite ?ip_add, ?ip_scale, ?ip_add_right, ?ip_scale_right in *.
  rewrite ?(ip_sym b a), ?(ip_sym (G a) a), ?(ip_sym (G b) a), ?(ip_sym (G a) b), ?(ip_sym (G b) b), ?(ip_sym (G b) (G a)) in *. lra.
Qed.
Lemma smoothness_same (fa fb : R) (xa xb ga gb ya yb ka kb : H) (X : H) :
  same xa (add X ya) -> same xb (add X yb) -> same ga ka -> same gb kb ->
  smoothness fa fb xa xb ga gb = smoothness fa fb ya yb ka kb.
Proof.
  intros A B C D.
  assert (P : same (sub xa xb) (sub ya yb)). { intros w. unfold sub. rewrite !ip_add, !ip_scale, (A w), (B w), !ip_add. ring. }
  assert (Q : same (sub ga gb) (sub ka kb)). { intros w. unfold sub. rewrite !ip_add, !ip_scale, (C w), (D w). ring. }
  assert (S : same (add ga gb) (add ka kb)). { intros w. rewrite !ip_add, (C w), (D w). ring. }
  unfold smoothness, square, tot. rewrite (S _), (same_right _ _ _ P), (Q _), (same_right _ _ _ Q), (P _), (same_right _ _ _ P). reflexivity.
Qed.
(* The same with places measured from X. *)
Lemma smooth_from X a b ya yb ka kb : same a (add X ya) -> same b (add X yb) -> same (G a) ka -> same (G b) kb ->
  0 <= smoothness (F a) (F b) ya yb ka kb.
Proof. intros A B C D. rewrite <- (smoothness_same _ _ _ _ _ _ _ _ _ _ X A B C D). apply smooth. Qed.
Lemma from_itself (X : H) : same X (add X zero).
Proof. intros w. rewrite ip_add, ip_zero. ring. Qed.
(* Functions less their linear part at X are as smooth; there they and their gradients are 0. *)
Lemma sub_same (u v w : H) : same u v -> same (sub u w) (sub v w).
Proof. intros E z. unfold sub. rewrite !ip_add, (E z). reflexivity. Qed.
Lemma smooth_less X a b ya yb ka kb : same a (add X ya) -> same b (add X yb) -> same (sub (G a) (G X)) ka -> same (sub (G b) (G X)) kb ->
  0 <= smoothness (F a - F X - tot (G X) ya) (F b - F X - tot (G X) yb) ya yb ka kb.
Proof.
  intros A B C D. assert (P := smooth_from X a b ya yb (G a) (G b) A B (same_refl _) (same_refl _)).
  rewrite <- (smoothness_same _ _ ya yb (sub (G a) (G X)) (sub (G b) (G X)) ya yb ka kb zero); [|intros w; rewrite ip_add, ip_zero; ring ..| exact C | exact D].
  assert (E : same (sub (sub (G a) (G X)) (sub (G b) (G X))) (sub (G a) (G b))). { intros w. unfold sub. rewrite !ip_add, !ip_scale, !ip_add, !ip_scale. ring. }
  unfold smoothness, square, tot in *. rewrite (E _), (same_right _ _ _ E). unfold sub in *. rewrite ?ip_add, ?ip_scale, ?ip_add_right, ?ip_scale_right in *.
  rewrite ?ip_add, ?ip_scale, ?ip_add_right, ?ip_scale_right in *. lra.
Qed.
Lemma less_at_start X : F X - F X - tot (G X) zero = 0. Proof. unfold tot. rewrite ip_zero_right. ring. Qed.
Lemma sub_itself (u : H) : same (sub u u) zero. Proof. intros w. unfold sub. rewrite ip_add, ip_scale, ip_zero. ring. Qed.
Lemma smooth_from_start X b yb kb : same b (add X yb) -> same (sub (G b) (G X)) kb -> 0 <= smoothness 0 (F b - F X - tot (G X) yb) zero yb zero kb.
Proof.
  intros B D. assert (P := smooth_less X X b zero yb zero kb (from_itself X) B (sub_itself _) D). rewrite less_at_start in P. exact P.
Qed.
Lemma smooth_to_start X a ya ka : same a (add X ya) -> same (sub (G a) (G X)) ka -> 0 <= smoothness (F a - F X - tot (G X) ya) 0 ya zero ka zero.
Proof.
  intros A C. assert (P := smooth_less X a X ya zero ka zero A (from_itself X) C (sub_itself _)). rewrite less_at_start in P. exact P.
Qed.
Lemma lipschitz a b : square (sub (G a) (G b)) <= square (sub a b).
Proof.
  assert (P := smooth a b). assert (Q := smooth b a). unfold smoothness, square, sub, tot in *.
  rewrite ?ip_add, ?ip_scale, ?ip_add_right, ?ip_scale_right in *. rewrite ?ip_add, ?ip_scale, ?ip_add_right, ?ip_scale_right in *.
  rewrite ?(ip_sym b a), ?(ip_sym (G a) a), ?(ip_sym (G b) a), ?(ip_sym (G a) b), ?(ip_sym (G b) b), ?(ip_sym (G b) (G a)) in *. lra.
Qed.
(* One step of gradient descent with the mean gradient. *)
Lemma floor X : (forall u, server u -> 0 <= F u) -> server X -> 0 <= F X - 1 / 2 * mv (G X) (G X).
Proof.
  intros P S. assert (Q := P (add X (scale (-1) (avg (G X)))) (server_add _ _ S (server_scale _ _ (server_avg _)))).
  assert (D := descent X (add X (scale (-1) (avg (G X))))). unfold square, sub in D.
  assert (E : same (add (add X (scale (-1) (avg (G X)))) (scale (-1) X)) (scale (-1) (avg (G X)))).
  { intros w. rewrite !ip_add, !ip_scale. ring. }
  unfold tot in D. rewrite (same_right _ _ _ E), (E _), (same_right _ _ _ E) in D. fold (tot (G X) (scale (-1) (avg (G X)))) in D.
  fold (tot (scale (-1) (avg (G X))) (scale (-1) (avg (G X)))) in D. revert D. bilinear. lra.
Qed.
End Facts.

(* -- sums ---------------------------------------------------------------------------------------------------------- *)
Lemma rounds (V M : nat -> R) rate c start : 0 <= rate -> (forall t, V (S t) + rate * M t <= V t + c) -> V 0%nat <= start -> (forall t, 0 <= V t) ->
  forall T, (1 <= T)%nat -> rate * (below T M / INR T) <= start / INR T + c.
Proof.
  intros Rn P S0 N T HT. assert (Q : forall n, V n + rate * below n M <= start + INR n * c).
  { induction n as [|n I]; [cbn [below INR]; lra|]. rewrite S_INR. cbn [below]. specialize (P n). lra. }
  specialize (Q T). specialize (N T). assert (I : 0 < INR T) by (apply lt_0_INR; lia).
  apply (Rmult_le_reg_r (INR T)); [exact I|]. replace (rate * (below T M / INR T) * INR T) with (rate * below T M) by (field; lra).
  replace ((start / INR T + c) * INR T) with (start + INR T * c) by (field; lra). lra.
Qed.
(* A level that falls by a share in each round, but for a constant. *)
Lemma geometric (V : nat -> R) fall c start : 0 < fall <= 1 -> 0 <= c -> (forall t, V (S t) <= (1 - fall) * V t + c) -> V 0%nat <= start ->
  forall T, V T <= (1 - fall) ^ T * start + c / fall.
Proof.
  intros Hf Hc Step S0 T. induction T as [|T I].
  - assert (K : 0 <= c / fall) by (apply Rmult_le_pos; [exact Hc | left; apply Rinv_0_lt_compat; lra]). cbn [pow]. lra.
  - apply (Rle_trans _ _ _ (Step T)). assert (W : (1 - fall) * V T <= (1 - fall) * ((1 - fall) ^ T * start + c / fall)) by (apply Rmult_le_compat_l; [lra | exact I]).
    cbn [pow]. replace ((1 - fall) * (1 - fall) ^ T * start + c / fall) with ((1 - fall) * ((1 - fall) ^ T * start + c / fall) + c) by (field; lra). lra.
Qed.
(* Where V = over F + R, R >= 0, falls by fall R beside what a round pays, and M >= 2 mu F. *)
Lemma falls (V M F : nat -> R) rate fall over c start mu : 0 < mu <= 1 -> 0 < fall <= 1 -> 0 <= rate -> 0 <= c -> fall * over <= 2 * rate ->
  (forall t, V (S t) + rate * M t + fall * (V t - over * F t) <= V t + c) -> (forall t, over * F t <= V t) -> (forall t, 0 <= F t) ->
  (forall t, 2 * mu * F t <= M t) -> V 0%nat <= start -> forall T, over * F T <= (1 - mu * fall) ^ T * start + c / (mu * fall).
Proof.
  intros Hm Hf Hr Hc Ho P Q N PL S0 T. assert (A : 0 < mu * fall) by (apply Rmult_lt_0_compat; lra).
  assert (B : mu * fall <= 1) by (rewrite <- (Rmult_1_l 1); apply Rmult_le_compat; lra).
  apply (Rle_trans _ (V T)); [apply Q|]. apply geometric; [lra | exact Hc | | exact S0].
  intros t. specialize (P t). specialize (Q t). specialize (N t). specialize (PL t).
  assert (X : rate * (2 * mu * F t) <= rate * M t) by (apply Rmult_le_compat_l; assumption).
  assert (Y : fall * over * (mu * F t) <= 2 * rate * (mu * F t)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos; lra | exact Ho]).
  assert (Z : mu * fall * (V t - over * F t) <= 1 * fall * (V t - over * F t)) by (apply Rmult_le_compat_r; [lra | apply Rmult_le_compat_r; lra]).
  lra.
Qed.
Lemma below_le n f g : (forall k, (k < n)%nat -> f k <= g k) -> below n f <= below n g.
Proof. induction n as [|n I]; intros P; cbn [below]; [lra|]. apply Rplus_le_compat; [apply I; intros; apply P; lia | apply P; lia]. Qed.
Lemma below_scal n c f : below n (fun k => c * f k) = c * below n f.
Proof. induction n as [|n I]; cbn [below]; [ring|]. rewrite I. ring. Qed.
Lemma below_add n f g : below n (fun k => f k + g k) = below n f + below n g.
Proof. induction n as [|n I]; cbn [below]; [ring|]. rewrite I. ring. Qed.
Lemma below_same n f g : (forall k, f k = g k) -> below n f = below n g.
Proof. intros P. induction n as [|n I]; cbn [below]; [reflexivity|]. rewrite I, P. reflexivity. Qed.
(* Sums of powers of 1 .. n. *)
Lemma powers_0 n : below n (fun _ => 1) = INR n.
Proof. induction n as [|n I]; cbn [below]; [reflexivity|]. rewrite S_INR, I. ring. Qed.
Lemma powers_1 n : below n (fun k => INR (S k)) = INR n * (INR n + 1) / 2.
Proof. induction n as [|n I]; cbn [below]; [cbn [INR]; field|]. rewrite !S_INR, I. field. Qed.
Lemma powers_2 n : below n (fun k => INR (S k) ^ 2) = INR n * (INR n + 1) * (2 * INR n + 1) / 6.
Proof. induction n as [|n I]; cbn [below]; [cbn [INR]; field|]. rewrite !S_INR, I. field. Qed.
Lemma powers_3 n : below n (fun k => INR (S k) ^ 3) = (INR n * (INR n + 1) / 2) ^ 2.
Proof. induction n as [|n I]; cbn [below]; [cbn [INR]; field|]. rewrite !S_INR, I. field. Qed.
(* The same of k e, e = 1/K, for k = 1 .. K. *)
Lemma shares_0 K e : e * INR K = 1 -> e * below K (fun _ => 1) = 1.
Proof. intros E. rewrite powers_0. exact E. Qed.
Lemma shares_1 K e : e * INR K = 1 -> e * below K (fun k => INR (S k) * e) = (1 + e) / 2.
Proof.
  intros E. rewrite (below_same K _ (fun k => e * INR (S k))) by (intros; ring). rewrite below_scal, powers_1.
  replace (e * (e * (INR K * (INR K + 1) / 2))) with (e * INR K * (e * INR K + e) / 2) by field. rewrite E. field.
Qed.
Lemma shares_2 K e : e * INR K = 1 -> e * below K (fun k => (INR (S k) * e) ^ 2) = (1 + e) * (2 + e) / 6.
Proof.
  intros E. rewrite (below_same K _ (fun k => e ^ 2 * INR (S k) ^ 2)) by (intros; ring). rewrite below_scal, powers_2.
  replace (e * (e ^ 2 * (INR K * (INR K + 1) * (2 * INR K + 1) / 6))) with (e * INR K * (e * INR K + e) * (2 * (e * INR K) + e) / 6) by field. rewrite E. field.
Qed.
Lemma shares_3 K e : e * INR K = 1 -> e * below K (fun k => (INR (S k) * e) ^ 3) = ((1 + e) / 2) ^ 2.
Proof.
  intros E. rewrite (below_same K _ (fun k => e ^ 3 * INR (S k) ^ 3)) by (intros; ring). rewrite below_scal, powers_3.
  replace (e * (e ^ 3 * (INR K * (INR K + 1) / 2) ^ 2)) with ((e * INR K) ^ 2 * (e * INR K + e) ^ 2 / 4) by field. rewrite E. field.
Qed.
Lemma shares K e c0 c1 c2 c3 : e * INR K = 1 ->
  e * below K (fun k => c0 + (INR (S k) * e) * c1 + (INR (S k) * e) ^ 2 * c2 + (INR (S k) * e) ^ 3 * c3)
  = c0 + (1 + e) / 2 * c1 + (1 + e) * (2 + e) / 6 * c2 + ((1 + e) / 2) ^ 2 * c3.
Proof.
  intros E. rewrite (below_same K _ (fun k => c0 * 1 + c1 * (INR (S k) * e) + c2 * (INR (S k) * e) ^ 2 + c3 * (INR (S k) * e) ^ 3)) by (intros; ring).
  rewrite (below_add K (fun k => c0 * 1 + c1 * (INR (S k) * e) + c2 * (INR (S k) * e) ^ 2)), (below_add K (fun k => c0 * 1 + c1 * (INR (S k) * e))), (below_add K (fun k => c0 * 1)), !below_scal.
  transitivity (c0 * (e * below K (fun _ => 1)) + c1 * (e * below K (fun k => INR (S k) * e)) + c2 * (e * below K (fun k => (INR (S k) * e) ^ 2))
    + c3 * (e * below K (fun k => (INR (S k) * e) ^ 3))); [ring|].
  rewrite (shares_0 K e E), (shares_1 K e E), (shares_2 K e E), (shares_3 K e E). field.
Qed.
(* -- local steps --------------------------------------------------------------------------------------------------- *)
Lemma along_steps (P c : nat -> R) K : (1 <= K)%nat -> P 1%nat <= c 0%nat -> (forall k, (1 <= k < K)%nat -> P (S k) <= P k + c k) -> P K <= below K c.
Proof.
  intros HK P1 I. assert (Q : forall n, (1 <= n <= K)%nat -> P n <= below n c).
  { induction n as [|n J]; intros Hn; [lia|]. destruct n as [|n]; [cbn [below]; lra|]. cbn [below] in *. specialize (I (S n) ltac:(lia)). specialize (J ltac:(lia)). lra. }
  apply Q. lia.
Qed.
Lemma never_grows (P : nat -> R) n : P 0%nat <= 0 -> (forall k, (k < n)%nat -> P (S k) <= P k) -> P n <= 0.
Proof.
  intros Z I. assert (Q : forall k, (k <= n)%nat -> P k <= 0); [|apply Q; lia].
  induction k as [|k J]; intros L; [exact Z|]. apply (Rle_trans _ (P k)); [apply I; lia | apply J; lia].
Qed.
(* t = k/K lies between 0 and 1 - 2 e. *)
Lemma between_ends K e k : e * INR K = 1 -> (k + 2 <= K)%nat -> exists s, 0 <= s <= 1 /\ INR k * e = s - 2 * e * s.
Proof.
  intros E L. assert (A := pos_INR k). assert (B : INR k + 2 <= INR K) by (apply le_INR in L; rewrite plus_INR in L; exact L).
  destruct (Req_dec (INR K) 2) as [D|D].
  - exists 0. split; [lra|]. assert (Z : INR k = 0) by lra. rewrite Z. ring.
  - assert (P : 0 < INR K - 2) by (destruct (Rlt_le_dec 2 (INR K)) as [M|M]; [lra | exfalso; apply D; lra]).
    exists (INR k / (INR K - 2)). split.
    + split; [apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat, P]|].
      apply (Rmult_le_reg_r (INR K - 2)); [exact P|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
    + assert (F : e = / INR K) by (apply (Rmult_eq_reg_r (INR K)); [rewrite E, Rinv_l by lra; reflexivity | lra]). rewrite F. field. lra.
Qed.
(* t = k/K lies between e and 1 - e. *)
Lemma between K e k : e * INR K = 1 -> (1 <= k < K)%nat -> exists s, 0 <= s <= 1 /\ INR k * e = e + s - 2 * e * s.
Proof.
  intros E [H1 H2]. assert (A : 1 <= INR k) by (apply (le_INR 1), H1). assert (B : INR k + 1 <= INR K) by (rewrite <- S_INR; apply le_INR; lia).
  destruct (Req_dec (INR K) 2) as [D|D].
  - exists 0. split; [lra|]. assert (INR k = 1) by lra. rewrite H. ring.
  - assert (P : 0 < INR K - 2) by (destruct (Rlt_le_dec 2 (INR K)) as [L|L]; [lra | exfalso; apply D; lra]).
    exists ((INR k - 1) / (INR K - 2)). split.
    + split; [apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat, P]|].
      apply (Rmult_le_reg_r (INR K - 2)); [exact P|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
    + assert (F : e = / INR K) by (apply (Rmult_eq_reg_r (INR K)); [rewrite E, Rinv_l by lra; reflexivity | lra]). rewrite F. field. lra.
Qed.
Lemma share_bounds K e : (1 <= K)%nat -> e * INR K = 1 -> 0 < e <= 1.
Proof.
  intros HK E. assert (A : 1 <= INR K) by (apply (le_INR 1), HK).
  assert (F : e = / INR K) by (apply (Rmult_eq_reg_r (INR K)); [rewrite E, Rinv_l by lra; reflexivity | lra]). rewrite F.
  split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
Qed.
Lemma share_half K e k : e * INR K = 1 -> (1 <= k < K)%nat -> 0 < e <= 1 / 2.
Proof.
  intros E Hk. assert (A : 2 <= INR K) by (apply (le_INR 2); lia).
  assert (F : e = / INR K) by (apply (Rmult_eq_reg_r (INR K)); [rewrite E, Rinv_l by lra; reflexivity | lra]). rewrite F.
  split; [apply Rinv_0_lt_compat; lra|]. unfold Rdiv. rewrite Rmult_1_l. apply Rinv_le_contravar; lra.
Qed.
Lemma share_inside k K e : 0 < e -> e * INR K = 1 -> (k <= K)%nat -> 0 <= INR k * e <= 1.
Proof.
  intros P E L. split; [apply Rmult_le_pos; [apply pos_INR | lra]|]. rewrite <- E, Rmult_comm. apply Rmult_le_compat_l; [lra | apply le_INR, L].
Qed.
(* What noise of variance at most sigma2, independent over N clients, adds. *)
Lemma noise_at_most {H : Projected} (u : H) N sigma2 a b c : 1 <= N -> 0 <= a -> 0 <= b -> square u <= sigma2 -> mv u u = square u / N ->
  c ^ 2 * (a * mv u u + b * dv u u) <= c ^ 2 * sigma2 * (a / N + b * (1 - 1 / N)).
Proof.
  intros HN A B S M.
  assert (D : dv u u = square u * (1 - 1 / N)). { assert (T := tot_is u u). fold (square u) in T. rewrite M in T. replace (dv u u) with (square u - square u / N) by lra. field. lra. }
  rewrite D, M. assert (I : 0 < / N) by (apply Rinv_0_lt_compat; lra). assert (J : / N <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
  rewrite Rmult_assoc. apply Rmult_le_compat_l; [apply pow2_ge_0|].
  replace (a * (square u / N) + b * (square u * (1 - 1 / N))) with (square u * (a / N + b * (1 - 1 / N))) by (field; lra).
  apply Rmult_le_compat_r; [|exact S]. apply Rplus_le_le_0_compat; [apply Rmult_le_pos; lra|]. apply Rmult_le_pos; [exact B|]. unfold Rdiv. lra.
Qed.
Lemma noise_nonneg e b sigma2 N P Q : 0 <= e -> 0 <= sigma2 -> 1 <= N -> 0 <= P -> 0 <= Q -> 0 <= e * b ^ 2 * sigma2 * (P / N + Q * (1 - 1 / N)).
Proof.
  intros He Hs HN HP HQ. assert (I : 0 < / N) by (apply Rinv_0_lt_compat; lra). assert (J : / N <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
  apply Rmult_le_pos; [apply Rmult_le_pos; [apply Rmult_le_pos; [exact He | apply pow2_ge_0] | exact Hs]|].
  apply Rplus_le_le_0_compat; apply Rmult_le_pos; unfold Rdiv; lra.
Qed.
Lemma below_zero n : below n (fun _ => 0) = 0.
Proof. induction n as [|n I]; cbn [below]; [reflexivity|]. rewrite I. ring. Qed.
Lemma noises_at_most K e b sigma2 N (p q : R -> R) P Q : 0 < e -> 0 <= sigma2 -> 1 <= N ->
  e * below K (fun k => p (INR (S k) * e)) <= P -> e * below K (fun k => q (INR (S k) * e)) <= Q ->
  below K (fun k => (e * b) ^ 2 * sigma2 * (p (INR (S k) * e) / N + q (INR (S k) * e) * (1 - 1 / N))) <= e * b ^ 2 * sigma2 * (P / N + Q * (1 - 1 / N)).
Proof.
  intros He Hs HN HP HQ. assert (I : 0 < / N) by (apply Rinv_0_lt_compat; lra). assert (J : / N <= 1) by (rewrite <- Rinv_1; apply Rinv_le_contravar; lra).
  rewrite (below_same K _ (fun k => (e * b) ^ 2 * sigma2 / N * p (INR (S k) * e) + (e * b) ^ 2 * sigma2 * (1 - 1 / N) * q (INR (S k) * e))) by (intros; field; lra).
  rewrite (below_add K (fun k => (e * b) ^ 2 * sigma2 / N * p (INR (S k) * e))), !below_scal.
  set (A := below K (fun k => p (INR (S k) * e))) in *. set (C := below K (fun k => q (INR (S k) * e))) in *.
  replace ((e * b) ^ 2 * sigma2 / N * A + (e * b) ^ 2 * sigma2 * (1 - 1 / N) * C) with (e * b ^ 2 * sigma2 * ((e * A) / N + (e * C) * (1 - 1 / N))) by (field; lra).
  apply Rmult_le_compat_l; [apply Rmult_le_pos; [apply Rmult_le_pos; [lra | apply pow2_ge_0] | exact Hs]|].
  apply Rplus_le_compat; [apply Rmult_le_compat_r; lra|]. apply Rmult_le_compat_r; [unfold Rdiv; lra | exact HQ].
Qed.
(* What is the server's, and what is known, by the form of a vector. *)
Ltac of_server := repeat first [assumption | apply server_add | apply server_scale | apply server_avg | apply server_zero].
Ltac known_now := repeat first [assumption | apply known_add | apply known_scale | apply known_zero | match goal with K : forall s u, _ s u -> _ s (avg u) |- _ => apply K end].
Ltac expand_ip := repeat first [rewrite ip_add | rewrite ip_scale | rewrite ip_zero].
