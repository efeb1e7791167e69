(* The rules that are more than algebra: growth over many steps, what is known at a time, and signs. *)
Require Import Reals ZArith List Arith Lra Lia FunctionalExtensionality.
From Boundcheck Require Import Sums Space Families.
Open Scope R_scope.

(* -- signs ------------------------------------------------------------------------------------------------------ *)
Lemma square_positive a : a <> 0 -> 0 < a ^ 2. Proof. intros H. assert (P := pow2_ge_0 a). destruct P as [P|P]; [exact P|]. exfalso. apply H. symmetry in P. simpl in P. rewrite Rmult_1_r in P. apply Rmult_integral in P. tauto. Qed.
(* What pages say of the signs of letters with indices.  Numbers are compared by computing: [lra] would read all that is known first. *)
Create HintDb signs.
Ltac positive := first [assumption | lazymatch goal with
  | |- 0 < IZR (Zpos _) => apply IZR_lt; reflexivity
  | |- 0 < ?a ^ 2 => first [apply square_positive; assumption | apply pow_lt; positive]
  | |- 0 < ?a * ?b => apply Rmult_lt_0_compat; positive
  | |- 0 < ?a / ?b => apply Rmult_lt_0_compat; [positive | apply Rinv_0_lt_compat; positive]
  | |- 0 < ?a + ?b => first [apply Rplus_lt_le_0_compat; [positive | nonneg] | apply Rplus_le_lt_0_compat; [nonneg | positive]]
  | |- 0 < / ?a => apply Rinv_0_lt_compat; positive
  | |- 0 < ?a ^ _ => apply pow_lt; positive
  | |- 0 < exp _ => apply exp_pos end | solve [auto 1 with signs nocore] | lra]
with nonneg := first [assumption | lazymatch goal with
  | |- 0 <= IZR (Zpos _) => left; apply IZR_lt; reflexivity
  | |- 0 <= ?a ^ 2 => apply pow2_ge_0
  | |- 0 <= ?a + ?b => apply Rplus_le_le_0_compat; nonneg
  | |- 0 <= ?a * ?b => apply Rmult_le_pos; nonneg
  | |- 0 <= ?a / ?b => apply Rmult_le_pos; [nonneg | left; apply Rinv_0_lt_compat; positive]
  | |- 0 <= / ?a => left; apply Rinv_0_lt_compat; positive
  | |- 0 <= ?a ^ _ => apply pow_le; nonneg
  | |- 0 <= exp _ => left; apply exp_pos
  | |- 0 <= D ?T ?u ?u => apply D_nonneg end | solve [auto 1 with signs nocore] | left; positive | lra].
Ltac nonzero := repeat split; first [assumption | apply Rgt_not_eq, Rlt_gt; positive | apply pow_nonzero; nonzero | apply Rmult_integral_contrapositive_currified; nonzero | lra].

Lemma moved a b : 0 <= a -> b = a -> 0 <= b. Proof. intros H ->. exact H. Qed.
Lemma moved_zero a b : a = 0 -> b = a -> b = 0. Proof. intros H ->. exact H. Qed.
Lemma opposite_zero a : a = 0 -> - a = 0. Proof. intros ->. lra. Qed.
Lemma moved_positive a b : 0 < a -> b = a -> 0 < b. Proof. intros H ->. exact H. Qed.
Lemma not_zero a b : 0 < a -> b = a -> b <> 0. Proof. intros H ->. lra. Qed.
Lemma opposite_not_zero a : - a <> 0 -> a <> 0. Proof. lra. Qed.
(* Inner products with a combination, one by one. *)
Ltac linear := let w := fresh in intros w; rewrite ?ip_add, ?ip_scale, ?ip_zero.

Lemma gap a b : a <= b -> 0 <= b - a. Proof. lra. Qed.
Lemma ungap a b : 0 <= b - a -> a <= b. Proof. lra. Qed.
Lemma gap_zero a b : a = b -> b - a = 0. Proof. lra. Qed.
Lemma ungap_zero a b : b - a = 0 -> a = b. Proof. lra. Qed.
Lemma times_zero m p : p = 0 -> 0 <= m * p. Proof. intros ->. lra. Qed.
Lemma is_minimum x a b : x = Rmin a b -> x = a \/ x = b.
Proof. intros ->. unfold Rmin. destruct (Rle_dec a b); tauto. Qed.
Lemma minimum_left x a b : x = Rmin a b -> 0 <= a - x. Proof. intros ->. assert (H := Rmin_l a b). lra. Qed.
Lemma minimum_right x a b : x = Rmin a b -> 0 <= b - x. Proof. intros ->. assert (H := Rmin_r a b). lra. Qed.
Ltac below_minimum H := let X := fresh in pose proof H as X; revert X; unfold Rmin; repeat destruct Rle_dec; intros; lra.
Lemma minimum_of_two y a b : y <= a -> y <= b -> (y = a \/ y = b) -> y = Rmin a b.
Proof. intros A B C. unfold Rmin. destruct (Rle_dec a b); destruct C; lra. Qed.
Lemma minimum_of_three y a b c : y <= a -> y <= b -> y <= c -> (y = a \/ y = b \/ y = c) -> y = Rmin a (Rmin b c).
Proof. intros A B C D. apply minimum_of_two; [exact A | apply Rmin_glb; assumption |]. destruct D as [D|D]; [left; exact D | right; apply minimum_of_two; assumption]. Qed.
Lemma is_minimum_of_three x a b c : x = Rmin a (Rmin b c) -> x = a \/ x = b \/ x = c.
Proof. intros H. destruct (is_minimum _ _ _ H) as [A|A]; [left; exact A | right; apply is_minimum, A]. Qed.
Lemma from_terms a b : a = b -> 0 <= b -> 0 <= a. Proof. intros ->. tauto. Qed.

(* -- Euler's number ---------------------------------------------------------------------------------------------- *)
Lemma decreasing_from f f' a b : a <= b -> (forall c, derivable_pt_lim f c (f' c)) -> (forall c, a <= c <= b -> f' c <= 0) -> f b <= f a.
Proof.
  intros H Df N. destruct H as [H|H]; [|subst; lra]. destruct (MVT_cor2 f f' a b H (fun c _ => Df c)) as [c [E B]].
  assert (f' c <= 0) by (apply N; lra). nra.
Qed.
Lemma exp_above x : 0 <= x -> 1 + x + x * x / 2 <= exp x.
Proof.
  intros H. assert (P := decreasing_from (fun x => 1 + x + x * x / 2 - exp x) (fun x => 0 + 1 + (1 * x + x * 1) / 2 - exp x) 0 x H).
  cbv beta in P. assert (Q : 1 + x + x * x / 2 - exp x <= 1 + 0 + 0 * 0 / 2 - exp 0).
  { apply P.
    - intros c. apply derivable_pt_lim_minus; [|apply derivable_pt_lim_exp]. apply derivable_pt_lim_plus; [apply derivable_pt_lim_plus; [apply derivable_pt_lim_const | apply derivable_pt_lim_id]|].
      replace (fun x => x * x / 2) with (fun x => / 2 * (x * x)) by (apply functional_extensionality; intros; field).
      replace ((1 * c + c * 1) / 2) with (/ 2 * (1 * c + c * 1)) by field. apply derivable_pt_lim_scal. apply (derivable_pt_lim_mult id id); apply derivable_pt_lim_id.
    - intros c Hc. assert (E := exp_ineq1_le c). lra. }
  rewrite exp_0 in Q. lra.
Qed.
Lemma exp_below x : 0 <= x -> (2 - x) * exp x <= 2 + x.
Proof.
  intros H. assert (P := decreasing_from (fun x => (2 - x) * exp x - (2 + x)) (fun x => ((0 - 1) * exp x + (2 - x) * exp x) - (0 + 1)) 0 x H).
  cbv beta in P. assert (Q : (2 - x) * exp x - (2 + x) <= (2 - 0) * exp 0 - (2 + 0)).
  { apply P.
    - intros c. apply derivable_pt_lim_minus; [apply (derivable_pt_lim_mult (fun x => 2 - x) exp) | ].
      + apply derivable_pt_lim_minus; [apply derivable_pt_lim_const | apply derivable_pt_lim_id].
      + apply derivable_pt_lim_exp.
      + apply derivable_pt_lim_plus; [apply derivable_pt_lim_const | apply derivable_pt_lim_id].
    - intros c Hc. assert (E := exp_ineq1_le (- c)). assert (X := exp_pos c). assert (Y : exp (- c) * exp c = 1) by (rewrite <- exp_plus; replace (- c + c) with 0 by ring; apply exp_0). nra. }
  rewrite exp_0 in Q. lra.
Qed.
Lemma exp_power x n : exp x ^ n = exp (INR n * x).
Proof. induction n; [simpl; rewrite Rmult_0_l, exp_0; reflexivity|]. rewrite S_INR. simpl pow. rewrite IHn, <- exp_plus. f_equal. ring. Qed.
Lemma euler_above : 2718 / 1000 <= exp 1.
Proof.
  assert (A := exp_above (/ 64) ltac:(lra)). assert (E : exp 1 = exp (/ 64) ^ 64) by (rewrite exp_power; f_equal; simpl; field).
  rewrite E. apply Rle_trans with ((1 + / 64 + / 64 * / 64 / 2) ^ 64); [lra|]. apply pow_incr. split; lra.
Qed.
Lemma euler_below : exp 1 <= 2719 / 1000.
Proof.
  assert (A := exp_below (/ 32) ltac:(lra)). assert (B : exp (/ 32) <= 65 / 63) by lra. assert (E : exp 1 = exp (/ 32) ^ 32) by (rewrite exp_power; f_equal; simpl; field).
  rewrite E. apply Rle_trans with ((65 / 63) ^ 32); [|lra]. apply pow_incr. split; [left; apply exp_pos | exact B].
Qed.

(* -- growth ------------------------------------------------------------------------------------------------------ *)
Lemma power_below_exp q (n : Z) m : (1 <= n)%Z -> (Z.of_nat m <= n)%Z -> (1 + INR q / IZR n) ^ m <= exp 1 ^ q.
Proof.
  intros Hn Hm. rewrite exp_power, Rmult_1_r. assert (Pn : 1 <= IZR n) by (apply IZR_le in Hn; exact Hn). assert (Pq := pos_INR q).
  apply Rle_trans with (exp (INR q / IZR n) ^ m).
  { apply pow_incr. split; [|apply exp_ineq1_le]. apply Rplus_le_le_0_compat; [lra|]. apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]. }
  rewrite exp_power. apply IZR_le in Hm. rewrite <- INR_IZR_INZ in Hm.
  assert (E : INR m * (INR q / IZR n) <= INR q).
  { replace (INR m * (INR q / IZR n)) with (INR m / IZR n * INR q) by (field; lra). rewrite <- (Rmult_1_l (INR q)) at 2.
    apply Rmult_le_compat_r; [lra|]. apply Rmult_le_reg_r with (IZR n); [lra|]. replace (INR m / IZR n * IZR n) with (INR m) by (field; lra). lra. }
  destruct E as [E|E]; [left; apply exp_increasing, E | rewrite E; lra].
Qed.
Lemma growth_steps (A b : Z -> R) q (n low high : Z) : (1 <= n)%Z -> (high - low + 1 <= n)%Z -> 0 <= A low -> (forall k, (low <= k <= high)%Z -> 0 <= b k) ->
  (forall k, (low <= k <= high)%Z -> 0 <= (1 + INR q / IZR n) * A k + b k - A (k + 1)%Z) ->
  forall k, (low <= k)%Z -> (k <= high + 1)%Z -> A k <= (1 + INR q / IZR n) ^ Z.to_nat (k - low) * (A low + sum low (k - 1) b).
Proof.
  intros Hn Hs A0 Pb P. set (r := 1 + INR q / IZR n) in *.
  assert (R1 : 1 <= r). { unfold r. assert (0 <= INR q / IZR n); [|lra]. apply Rmult_le_pos; [apply pos_INR|]. left. apply Rinv_0_lt_compat, IZR_lt. lia. }
  apply (upward (fun k => (k <= high + 1)%Z -> A k <= r ^ Z.to_nat (k - low) * (A low + sum low (k - 1) b))).
  - intros _. rewrite sum_none, Z.sub_diag. simpl. lra.
  - intros k Hk I Hh. specialize (I ltac:(lia)). specialize (P k ltac:(lia)). assert (Q := Pb k ltac:(lia)).
    replace (Z.to_nat (k + 1 - low)) with (S (Z.to_nat (k - low))) by lia. replace (k + 1 - 1)%Z with k by lia. rewrite (sum_last low k b). simpl pow.
    set (p := r ^ Z.to_nat (k - low)) in *. assert (P1 : 1 <= p) by (apply pow_R1_Rle, R1). set (s := A low + sum low (k - 1) b) in *.
    assert (A k * r <= p * s * r) by (apply Rmult_le_compat_r; lra). assert (b k <= r * p * b k). { rewrite <- (Rmult_1_l (b k)) at 1. apply Rmult_le_compat_r; [exact Q|]. nra. }
    replace (r * p * (A low + (sum low (k - 1) b + b k))) with (p * s * r + r * p * b k) by (unfold s; ring). lra.
Qed.
Lemma growth (A : Z -> R) b q (n low high : Z) : (1 <= n)%Z -> (high - low + 1 <= n)%Z -> 0 <= A low -> 0 <= b ->
  (forall k, (low <= k <= high)%Z -> 0 <= (1 + INR q / IZR n) * A k + b - A (k + 1)%Z) ->
  forall k, (low <= k <= high + 1)%Z -> 0 <= exp 1 ^ q * (A low + IZR (k - low) * b) - A k.
Proof.
  intros Hn Hs A0 Pb P k [H1 H2]. assert (G := growth_steps A (fun _ => b) q n low high Hn Hs A0 (fun _ _ => Pb) P k H1 H2). rewrite sum_const in G.
  replace (k - 1 - low + 1)%Z with (k - low)%Z in G by lia. assert (E := power_below_exp q n (Z.to_nat (k - low)) Hn ltac:(lia)).
  assert (S : 0 <= A low + IZR (k - low) * b). { apply Rplus_le_le_0_compat; [exact A0|]. apply Rmult_le_pos; [apply IZR_le; lia | exact Pb]. }
  assert (M := Rmult_le_compat_r _ _ _ S E). lra.
Qed.
Lemma growth_sum (A b : Z -> R) q (n low high : Z) : (1 <= n)%Z -> (high - low + 1 <= n)%Z -> (low <= high + 1)%Z -> 0 <= A low -> (forall k, (low <= k <= high)%Z -> 0 <= b k) ->
  (forall k, (low <= k <= high)%Z -> 0 <= (1 + INR q / IZR n) * A k + b k - A (k + 1)%Z) ->
  0 <= exp 1 ^ q * ((IZR (high - low + 1) + 1) * A low + IZR (high - low + 1) * sum low high b) - sum low (high + 1) A.
Proof.
  intros Hn Hs Hl A0 Pb P. assert (Sb : 0 <= sum low high b) by (apply sum_nonneg; assumption). assert (Ee : 1 <= exp 1 ^ q) by (apply pow_R1_Rle; assert (X := euler_above); lra).
  assert (B : forall k, (low <= k <= high + 1)%Z -> A k <= exp 1 ^ q * (A low + sum low (k - 1) b)).
  { intros k [H1 H2]. assert (G := growth_steps A b q n low high Hn Hs A0 Pb P k H1 H2). assert (E := power_below_exp q n (Z.to_nat (k - low)) Hn ltac:(lia)).
    assert (S : 0 <= A low + sum low (k - 1) b). { apply Rplus_le_le_0_compat; [exact A0|]. apply sum_nonneg; [lia|]. intros; apply Pb; lia. }
    assert (M := Rmult_le_compat_r _ _ _ S E). lra. }
  assert (C : forall k, (low + 1 <= k <= high + 1)%Z -> 0 <= exp 1 ^ q * (A low + sum low high b) + (-1) * A k).
  { intros k Hk. specialize (B k ltac:(lia)). assert (S : sum low (k - 1) b <= sum low high b).
    { assert (T : 0 <= sum k high b) by (apply sum_nonneg; [lia|]; intros; apply Pb; lia).
      unfold sum in *. replace (k - 1 + 1)%Z with k by lia. lra. }
    assert (M : exp 1 ^ q * (A low + sum low (k - 1) b) <= exp 1 ^ q * (A low + sum low high b)) by (apply Rmult_le_compat_l; lra). lra. }
  assert (G := sum_nonneg (low + 1) (high + 1) _ ltac:(lia) C). rewrite sum_add, !sum_scal, sum_const in G. rewrite (sum_first low (high + 1) A).
  replace (high + 1 - (low + 1) + 1)%Z with (high - low + 1)%Z in G by lia. assert (Z0 : A low <= exp 1 ^ q * A low) by nra.
  replace (exp 1 ^ q * ((IZR (high - low + 1) + 1) * A low + IZR (high - low + 1) * sum low high b)) with (exp 1 ^ q * A low + IZR (high - low + 1) * (exp 1 ^ q * (A low + sum low high b))) by ring. lra.
Qed.
Lemma mean_is low high f : mean low high f = / IZR (high - low + 1) * sum low high f. Proof. reflexivity. Qed.
Lemma sum_is low high f : sum low high f = anti f (high + 1) - anti f low. Proof. reflexivity. Qed.
(* An entry of a nonnegative sequence is at most the sum. *)
Lemma entry_below_sum low high f a : (low <= a <= high)%Z -> (forall t, (low <= t <= high)%Z -> 0 <= f t) -> 0 <= sum low high f - f a.
Proof.
  intros Ha P. assert (E : sum low high f = sum low (a - 1) f + f a + sum (a + 1) high f).
  { unfold sum. replace (a - 1 + 1)%Z with a by lia. rewrite (anti_next f a). ring. }
  assert (0 <= sum low (a - 1) f) by (apply sum_nonneg; [lia|]; intros; apply P; lia).
  assert (0 <= sum (a + 1) high f) by (apply sum_nonneg; [lia|]; intros; apply P; lia). lra.
Qed.

(* -- what is known at a time -------------------------------------------------------------------------------------- *)
Record Past (V : Space) (Time : Type) (later : Time -> Time -> Prop) := { known :> Time -> V -> Prop;
  known_later : forall s t u, later s t -> known s u -> known t u;
  known_zero : forall s, known s zero;
  known_add : forall s u v, known s u -> known s v -> known s (add u v);
  known_scale : forall s c u, known s u -> known s (scale c u) }.
Arguments known {_ _ _}. Arguments known_later {_ _ _}. Arguments known_zero {_ _ _}. Arguments known_add {_ _ _}. Arguments known_scale {_ _ _}.
Lemma known_vmean {V Time later} (P : Past V Time later) s a b u : (forall j, (a <= j <= b)%Z -> P s (u j)) -> P s (vmean V a b u).
Proof.
  intros H. apply known_scale. assert (Q : forall m, (m <= Z.to_nat (b - a + 1))%nat -> P s (vsum V m (fun j => u (a + Z.of_nat j)%Z))).
  { induction m; intros L; simpl; [apply known_zero|]. apply known_add; [apply IHm; lia | apply H; lia]. }
  apply Q. lia.
Qed.
(* Round t and step k of low .. high in it; the end of a round comes before the next. *)
Definition earlier (low high : Z) (s t : Z * Z) : Prop :=
  ((fst s < fst t /\ snd s <= high + 1 /\ low <= snd t) \/ (fst s = fst t /\ snd s <= snd t))%Z.

(* Entries are determined one after the other: induction along three whole numbers, in lexicographic order. *)
Definition before (a b c a' b' c' : Z) : Prop := (a < a' \/ (a = a' /\ (b < b' \/ (b = b' /\ c < c'))))%Z.
Lemma in_order (P : Z -> Z -> Z -> Prop) :
  (forall a b c, (0 <= a)%Z -> (0 <= b)%Z -> (0 <= c)%Z -> (forall a' b' c', (0 <= a')%Z -> (0 <= b')%Z -> (0 <= c')%Z -> before a' b' c' a b c -> P a' b' c') -> P a b c) ->
  forall a b c, (0 <= a)%Z -> (0 <= b)%Z -> (0 <= c)%Z -> P a b c.
Proof.
  intros I a b c Ha. revert b c. pattern a. revert a Ha. apply Zlt_0_ind. intros a Ia Ha b c Hb. revert c. pattern b. revert b Hb. apply Zlt_0_ind. intros b Ib Hb c Hc.
  pattern c. revert c Hc. apply Zlt_0_ind. intros c Ic Hc. apply I; try assumption. intros a' b' c' A' B' C' [L|[-> [L|[-> L]]]].
  - apply Ia; try assumption. lia.
  - apply Ib; try assumption. lia.
  - apply Ic. lia.
Qed.
(* Induction over a range. *)
Lemma range_induction (P : Z -> Prop) low high : P low -> (forall k, (low <= k <= high - 1)%Z -> P k -> P (k + 1)%Z) -> forall k, (low <= k <= high)%Z -> P k.
Proof.
  intros B I k [H1 H2]. revert k H1 H2. apply (upward (fun k => (k <= high)%Z -> P k)); [intros; exact B|]. intros k Hk J Hh. apply I; [lia|]. apply J. lia.
Qed.
