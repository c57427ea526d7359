(** * Aligned: the aligned checkpoint needs no channel state (T4)

    A process of the aligned algorithm records when the markers of all its inputs are in, and reads nothing behind
    them before. So when it records, its inputs are closed, and nothing is ever recorded of a channel. By T2 it has then
    received on each input exactly what the sender had sent before its own record.

    The price: processes on a cycle wait for their own markers and never record ([cycle_never_records]). That the
    snapshot does complete where there is no cycle is shown in AlignedProgress.v, so that what is said here of processes
    that have recorded is said of something. *)

Require Import List Bool Arith.
Import ListNotations.
From Snapcheck Require Import Machine Universal Refinement.

Section Aligned.
Context {S : System}.

Lemma has_no_inputs_iff p : has_no_inputs p = true <-> forall c, target c <> p.
Proof.
  unfold has_no_inputs. rewrite forallb_forall. split.
  - intros none c into. specialize (none c (every_channel c)).
    destruct (same_process (target c) p); [discriminate | contradiction].
  - intros none c _. destruct (same_process (target c) p); [|reflexivity]. contradiction (none c).
Qed.

(** Who has recorded has closed its inputs. *)
Lemma recorded_has_closed s :
  reachable flink_aligned s -> forall c, recorded s (target c) = true -> closed (chan s c) = true.
Proof.
  apply (always _ _ (fun s => forall c, recorded s (target c) = true -> closed (chan s c) = true)); [discriminate|].
  intros a b _ [t app|t [p begins _|d rest _]] before c.
  - destruct (application_keeps _ a t app) as [same same']. rewrite same, same'. apply before.
  - rewrite closed_after_record, recorded_after_record.
    destruct (same_process (target c) p) as [into|]; [|apply before].
    contradiction (proj1 (has_no_inputs_iff p) begins c).
  - rewrite recorded_after_marker, closed_after_marker. cbn [joins flink_aligned]. intros by_now.
    apply orb_true_iff in by_now as [was|joins].
    + destruct (same_channel c d); auto.
    + destruct (same_process (target c) (target d)) as [into|]; [|discriminate].
      rewrite <- (closed_after_consume d rest). apply (proj1 (all_inputs_closed_iff _ _) joins c into).
Qed.

(** Nothing is ever recorded of a channel. *)
Lemma nothing_recorded s : reachable flink_aligned s -> forall c, recording (chan s c) = [].
Proof.
  apply (always _ _ (fun s => forall c, recording (chan s c) = [])); [reflexivity|].
  intros a b reached moves before c. destruct moves as [t app|t over].
  - assert (sending : forall p sends l u, recording (chan (after_act p sends l u) c) = recording (chan u c)).
    { intros p sends l u. cbn. destruct (same_process (source c) p); reflexivity. }
    destruct app as [p sends l _|d m rest sends l _ _ _]; unfold after_receive; rewrite sending; [apply before|].
    cbn. unfold on_channel, change. destruct (same_channel c d) as [->|]; [cbn|apply before].
    destruct (recorded a (target d)) eqn:was; [|apply before].
    rewrite (recorded_has_closed a reached d was). apply before.
  - assert (keeps : forall p u, recording (chan (record p u) c) = recording (chan u c)).
    { intros p u. cbn. destruct (same_process (target c) p), (same_process (source c) p); reflexivity. }
    assert (consumes : forall d rest, recording (chan (consume d rest a) c) = recording (chan a c)).
    { intros d rest. cbn. unfold on_channel, change. destruct (same_channel c d) as [->|]; reflexivity. }
    destruct over as [p _ _|d rest _]; [|unfold on_marker; destruct (_ && _)];
      rewrite ?keeps, ?consumes; apply before.
Qed.

(** T4: an input of a process that has recorded has no recorded state, and needs none: received is what was sent. *)
Theorem aligned_no_channel_state s c :
  reachable flink_aligned s -> recorded s (target c) = true ->
  closed (chan s c) = true /\ recording (chan s c) = [] /\
  received_at_record (past (chan s c)) = sent_at_record (past (chan s c)).
Proof.
  intros reached is_recorded. pose proof (recorded_has_closed s reached c is_recorded) as shut.
  pose proof (nothing_recorded s reached c) as empty. repeat split; try assumption.
  destruct (flink_aligned_is_right s reached) as [_ right]. destruct (right c) as [_ [cut _]].
  rewrite (cut is_recorded shut), empty, app_nil_r. reflexivity.
Qed.

(** T4: processes of which each has an input from one of them, as on a cycle, never record. *)
Theorem cycle_never_records (on_cycle : process -> Prop) :
  (forall p, on_cycle p -> exists c, target c = p /\ on_cycle (source c)) ->
  forall s, reachable flink_aligned s -> forall p, on_cycle p -> recorded s p = false.
Proof.
  intros cycle. apply (always _ _ (fun s => forall p, on_cycle p -> recorded s p = false)); [reflexivity|].
  intros a b reached moves before p on. destruct (cycle p on) as (c & into & from).
  pose proof (universal_is_right a (refines_reachable _ _ flink_aligned_refines_universal reached)) as [all _].
  pose proof (one_marker _ _ _ (all c)) as no_marker. rewrite (before (source c) from) in no_marker.
  destruct moves as [t app|t [q begins _|d rest head]].
  - destruct (application_keeps _ a t app) as [same _]. rewrite same. auto.
  - rewrite recorded_after_record. destruct (same_process p q) as [->|]; [|auto].
    contradiction (proj1 (has_no_inputs_iff q) begins c).
  - rewrite recorded_after_marker, (before p on). cbn [joins flink_aligned orb].
    destruct (same_process p (target d)) as [->|]; [|reflexivity].
    destruct (all_inputs_closed _ _) eqn:shut; [|reflexivity]. exfalso.
    pose proof (proj1 (all_inputs_closed_iff _ _) shut c into) as closes.
    rewrite closed_after_consume in closes. destruct (same_channel c d) as [->|].
    + rewrite head in no_marker. discriminate.
    + rewrite closes, Nat.add_comm in no_marker. discriminate.
Qed.

End Aligned.

