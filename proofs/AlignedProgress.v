(** * AlignedProgress: without cycles the aligned checkpoint completes (T4, T7)

    Aligned.v shows that on a cycle it never does. Here the channels form no cycle: each leads to a process of higher
    rank. Look at a process that is not done. If all its inputs are closed, it is a source that has not begun - who has
    inputs and has closed them all has recorded - and can begin. Otherwise one of its inputs is open. If the process
    at the other end has recorded, that channel's marker can come nearer. If not, that process is not done either and is
    of lower rank: look at it. This ends, so there always is a step nearer to completion. *)

Require Import List Bool Arith Lia.
Import ListNotations.
From Snapcheck Require Import Machine Universal Refinement Aligned Counting Progress.

Section AlignedProgress.
Context {S : System}.

(** Each channel leads upwards. *)
Definition acyclic : Prop := exists rank : process -> nat, forall c, rank (source c) < rank (target c).

(** T7: a run of the aligned algorithm has at most one step of its own for each process and each channel. *)
Theorem flink_aligned_steps_are_bounded n s :
  takes (application_step flink_aligned) (overlay_step flink_aligned) n initial s ->
  n <= length processes + length channels.
Proof.
  intros run. rewrite <- remaining_initial.
  apply overlay_steps_are_bounded in run; [lia | apply flink_aligned_refines_universal | apply stays].
Qed.

(** Who has inputs and has closed them all has recorded. *)
Lemma closed_means_recorded s :
  reachable flink_aligned s -> forall p, has_no_inputs p = false -> all_inputs_closed s p = true -> recorded s p = true.
Proof.
  apply (always _ _
    (fun s => forall p, has_no_inputs p = false -> all_inputs_closed s p = true -> recorded s p = true)).
  - intros p inputs shut. exfalso. apply not_true_iff_false in inputs. apply inputs, has_no_inputs_iff.
    intros c into. apply (proj1 (all_inputs_closed_iff _ _) shut) in into. discriminate.
  - intros a b _ [t app | t [q _ _ | d rest _]] before p inputs shut.
    + destruct (application_keeps _ a t app) as [same same']. rewrite same. apply before; [exact inputs|].
      revert shut. apply all_inputs_closed_same. intros c _. rewrite same'. auto.
    + rewrite recorded_after_record, before; [destruct (same_process p q); reflexivity | exact inputs |].
      revert shut. apply all_inputs_closed_same. intros c _. rewrite closed_after_record. auto.
    + rewrite recorded_after_marker. cbn [joins flink_aligned].
      destruct (same_process p (target d)) as [->|other].
      * apply orb_true_iff. right. revert shut. apply all_inputs_closed_same. intros c _.
        rewrite closed_after_marker, closed_after_consume. auto.
      * rewrite before; [reflexivity | exact inputs |].
        revert shut. apply all_inputs_closed_same. intros c into. rewrite closed_after_marker.
        destruct (same_channel c d) as [->|]; [congruence | auto].
Qed.

(** Who is not done waits for a source to begin, or for an open channel from a process that has recorded. *)
Lemma someone_to_wait_for s (rank : process -> nat) :
  (forall c, rank (source c) < rank (target c)) -> reachable flink_aligned s ->
  forall p, done s p = false ->
  (exists q, has_no_inputs q = true /\ recorded s q = false) \/
  (exists c, recorded s (source c) = true /\ closed (chan s c) = false).
Proof.
  intros upwards before p. induction p as [p below] using (induction_ltof1 _ rank). unfold ltof in below.
  intros not. destruct (all_inputs_closed s p) eqn:inputs.
  - unfold done in not. rewrite inputs, andb_true_r in not. left. exists p. split; [|exact not].
    destruct (has_no_inputs p) eqn:some; [reflexivity|].
    rewrite (closed_means_recorded s before p some inputs) in not. discriminate.
  - destruct (open_input s p inputs) as (c & <- & is_open).
    destruct (recorded s (source c)) eqn:sender; [eauto|].
    apply (below (source c)); [apply upwards|]. unfold done. rewrite sender. reflexivity.
Qed.

(** T7: the aligned algorithm does not get stuck where no channels form a cycle. *)
Theorem flink_aligned_progress s :
  all_can_be_received -> acyclic -> reachable flink_aligned s -> complete_or_nearer flink_aligned s.
Proof.
  intros can [rank upwards] before. pose proof (refines_sound _ s flink_aligned_refines_universal before) as all.
  destruct (complete_or_not s) as [|[p not]]; [left; assumption | right].
  destruct (someone_to_wait_for s rank upwards before p not) as [(q & begins & new) | (c & sender & is_open)].
  - pose proof (by_itself flink_aligned s q begins (saved_none s q new)) as over.
    exists (record q s). split; [apply of_overlay, over | left; exact (overlay_lowers _ _ _ all over)].
  - apply open_channel_comes_nearer with c; auto. intros r. apply orb_true_r.
Qed.

(** T4, T7: from every reachable state of the aligned algorithm, where no channels form a cycle, a complete one can be
    reached. *)
Theorem flink_aligned_completes s :
  all_can_be_received -> acyclic -> reachable flink_aligned s ->
  exists s', runs (step flink_aligned) s s' /\ complete s'.
Proof.
  intros can no_cycle before. apply (completes _ (fun _ => True)); auto.
  intros t reached _. apply flink_aligned_progress; assumption.
Qed.

(** T7: and a run that ends, ends with a complete snapshot and empty channels. *)
Corollary flink_aligned_terminates s :
  all_can_be_received -> acyclic -> reachable flink_aligned s ->
  stuck flink_aligned s -> complete s /\ all_empty s.
Proof. intros can no_cycle before. apply stuck_is_complete; auto using flink_aligned_progress. Qed.

End AlignedProgress.
