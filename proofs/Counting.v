(** * Counting: how one comes to an end

    What the proofs of progress need of numbers, and nothing of snapshots: sums of what is still to come, runs with few
    steps of one kind, and that one arrives where one always comes nearer. *)

Require Import List Bool Arith Lia.
Import ListNotations.
From Snapcheck Require Import Machine.

Fixpoint total {A} (f : A -> nat) (l : list A) : nat :=
  match l with [] => 0 | a :: rest => f a + total f rest end.

Lemma total_le {A} (f g : A -> nat) l : (forall x, f x <= g x) -> total f l <= total g l.
Proof. intros all. induction l as [|x l IH]; cbn; [lia | specialize (all x); lia]. Qed.

Lemma total_lt {A} (f g : A -> nat) l a : In a l -> f a < g a -> (forall x, f x <= g x) -> total f l < total g l.
Proof.
  intros here less all. induction l as [|x l IH]; [contradiction|].
  pose proof (total_le f g l all). pose proof (all x). cbn.
  destruct here as [-> | there]; [lia | specialize (IH there); lia].
Qed.

Lemma total_of_ones {A} (l : list A) : total (fun _ => 1) l = length l.
Proof. induction l; cbn; congruence. Qed.

Lemma all_or_one_not {A} (f : A -> bool) l : forallb f l = true \/ exists a, In a l /\ f a = false.
Proof.
  induction l as [|x l IH]; cbn; [auto|]. destruct (f x) eqn:here; [|eauto].
  destruct IH as [all | (a & there & not)]; eauto.
Qed.

Lemma one_is_not {A} (f : A -> bool) l : forallb f l = false -> exists a, f a = false.
Proof. intros not. destruct (all_or_one_not f l) as [all | (a & _ & here)]; [congruence | eauto]. Qed.

(** One for what is still to come. *)
Definition pending (has_come : bool) : nat := if has_come then 0 else 1.

Lemma pending_le b b' : (b = true -> b' = true) -> pending b' <= pending b.
Proof. destruct b, b'; cbn; intros comes; auto. discriminate (comes eq_refl). Qed.

(** A run with [n] costly steps and any number of free ones. *)
Inductive takes {A} (free costly : A -> A -> Prop) : nat -> A -> A -> Prop :=
| takes_none a : takes free costly 0 a a
| takes_free n a b c : free a b -> takes free costly n b c -> takes free costly n a c
| takes_costly n a b c : costly a b -> takes free costly n b c -> takes free costly (1 + n) a c.

Lemma costly_steps_are_bounded {A} (free costly : A -> A -> Prop) (P : A -> Prop) (m : A -> nat) :
  (forall a b, P a -> free a b -> P b /\ m b <= m a) ->
  (forall a b, P a -> costly a b -> P b /\ m b < m a) ->
  forall n a b, takes free costly n a b -> P a -> n + m b <= m a.
Proof.
  intros frees costs n a b run. induction run as [a | n a x b one run IH | n a x b one run IH]; intros holds.
  - lia.
  - destruct (frees a x holds one) as [after less]. specialize (IH after). lia.
  - destruct (costs a x holds one) as [after less]. specialize (IH after). lia.
Qed.

(** Where there always is a step to something less, by a first measure or else a second, one comes to the goal. *)
Lemma descent {A} (step : A -> A -> Prop) (P goal : A -> Prop) (first second : A -> nat) :
  (forall a, P a -> goal a \/ exists b, step a b /\ P b /\
     (first b < first a \/ first b <= first a /\ second b < second a)) ->
  forall a, P a -> exists b, runs step a b /\ goal b.
Proof.
  intros goes.
  enough (forall i j a, first a <= i -> second a <= j -> P a -> exists b, runs step a b /\ goal b) by eauto.
  induction i as [i outer] using lt_wf_ind. induction j as [j inner] using lt_wf_ind. intros a below_i below_j holds.
  destruct (goes a holds) as [there | (b & one & after & less)]; [eauto using stays|].
  enough (exists c, runs step b c /\ goal c) as (c & run & there) by eauto using goes_on.
  destruct less as [less | [same less]].
  - apply (outer (first b)) with (second b); auto; lia.
  - apply (inner (second b)); auto; lia.
Qed.
