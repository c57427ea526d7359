(** * Progress: snapshots complete (T7)

    Two things are shown of each algorithm that keeps the invariant of Universal.v.

    It takes boundedly many steps of its own. Every process records once, every channel closes once; each of the
    algorithm's own steps does one of these, the application's steps do none, and nothing is undone. So however a run
    goes on, it has at most as many of them as there was of this to do ([remaining]).

    And it does not get stuck, however slow, silent or talkative the application is, as long as what has been sent can
    be received. Where a process has recorded and a channel from it is open, its marker lies in it: either the marker is
    at the head and can be consumed, or the message there can be received, which brings the marker nearer. So in every
    reachable state that is not complete there is a step that brings completion nearer ([nearer]: less remains, or as
    much and fewer messages lie before markers), and a run of such steps ends in a complete state. What has to be
    shown of an algorithm is only that there is such a channel, or something else to do. Here this is done of
    Chandy-Lamport: on the way from a recorded process to one that is not, some channel leads out of the recorded ones.
    AlignedProgress.v and CoordinatedProgress.v do it of the aligned and of the general algorithm. *)

Require Import List Bool Arith Lia.
Import ListNotations.
From Snapcheck Require Import Machine Universal Refinement Counting.

Section Progress.
Context {S : System}.

(** ** What remains to be done *)

Definition unrecorded (s : state) : nat := total (fun p => pending (recorded s p)) processes.
Definition open_channels (s : state) : nat := total (fun c => pending (closed (chan s c))) channels.

(** Processes that have not recorded, and channels that are not closed. *)
Definition remaining (s : state) : nat := unrecorded s + open_channels s.

Lemma remaining_initial : remaining initial = length processes + length channels.
Proof. unfold remaining, unrecorded, open_channels. cbn. rewrite !total_of_ones. reflexivity. Qed.

Lemma open_channels_le s s' :
  (forall c, closed (chan s c) = true -> closed (chan s' c) = true) -> open_channels s' <= open_channels s.
Proof. intros closes. apply total_le. intros c. apply pending_le, closes. Qed.

Lemma open_channels_lt s s' c :
  (forall c, closed (chan s c) = true -> closed (chan s' c) = true) ->
  closed (chan s c) = false -> closed (chan s' c) = true -> open_channels s' < open_channels s.
Proof.
  intros closes was is. apply total_lt with c; [apply every_channel | rewrite was, is; cbn; lia|].
  intros d. apply pending_le, closes.
Qed.

Lemma unrecorded_le s s' :
  (forall p, recorded s p = true -> recorded s' p = true) -> unrecorded s' <= unrecorded s.
Proof. intros records. apply total_le. intros p. apply pending_le, records. Qed.

Lemma unrecorded_lt s s' p :
  (forall p, recorded s p = true -> recorded s' p = true) ->
  recorded s p = false -> recorded s' p = true -> unrecorded s' < unrecorded s.
Proof.
  intros records was is. apply total_lt with p; [apply every_process | rewrite was, is; cbn; lia|].
  intros q. apply pending_le, records.
Qed.

(** A channel with a marker in it is open. *)
Lemma marker_means_open s c rest :
  all_sound s -> queue (chan s c) = Marker :: rest -> closed (chan s c) = false.
Proof.
  intros all head. destruct (closed (chan s c)) eqn:shut; [|reflexivity].
  destruct (closed_has_no_marker _ _ _ (all c) shut) as [none _]. rewrite head in none. discriminate.
Qed.

Lemma marker_lowers A s c rest :
  all_sound s -> queue (chan s c) = Marker :: rest -> open_channels (on_marker A c rest s) < open_channels s.
Proof.
  intros all head. apply open_channels_lt with c; [| eauto using marker_means_open |].
  - intros d was. rewrite closed_after_marker, was. destruct (same_channel d c); reflexivity.
  - rewrite closed_after_marker. destruct (same_channel c c); [reflexivity | contradiction].
Qed.

(** Each of the algorithm's own steps leaves less to do. *)
Lemma overlay_lowers A s s' : all_sound s -> overlay_step A s s' -> remaining s' < remaining s.
Proof.
  intros all over. destruct (step_keeps A s s' (of_overlay _ _ _ over)) as [records closes].
  unfold remaining. destruct over as [p _ new | c rest head].
  - enough (unrecorded (record p s) < unrecorded s) by (apply open_channels_le in closes; lia).
    apply unrecorded_lt with p; [exact records | apply recorded_none, new |].
    rewrite recorded_after_record. destruct (same_process p p); [reflexivity | contradiction].
  - apply unrecorded_le in records. pose proof (marker_lowers A s c rest all head). lia.
Qed.

(** The application's steps leave as much. *)
Lemma application_leaves A s s' : application_step A s s' -> remaining s' = remaining s.
Proof.
  intros app. destruct (application_keeps A s s' app) as [same same'].
  apply Nat.le_antisymm; (apply Nat.add_le_mono; apply total_le); intros x; rewrite ?same, ?same'; lia.
Qed.

(** An algorithm that refines the specification keeps its invariant. *)
Lemma refines_sound A s : refines_universal A -> reachable A s -> all_sound s.
Proof. intros refines before. apply always_sound, (refines_reachable A); assumption. Qed.

Lemma reachable_step A s s' : reachable A s -> step A s s' -> reachable A s'.
Proof. intros before one. eapply runs_app; [exact before | apply runs_one, one]. Qed.

(** A run has at most as many of the algorithm's own steps as there are processes to record and channels to close. *)
Theorem overlay_steps_are_bounded A n s t :
  refines_universal A -> reachable A s ->
  takes (application_step A) (overlay_step A) n s t -> n + remaining t <= remaining s.
Proof.
  intros refines before run. revert run before. apply costly_steps_are_bounded.
  - intros a b reached app. split; [eauto using reachable_step, of_application|].
    rewrite (application_leaves A a b app). lia.
  - intros a b reached over. split; [eauto using reachable_step, of_overlay|].
    apply (overlay_lowers A); eauto using refines_sound.
Qed.

(** T7: a run of Chandy-Lamport has at most one step of its own for each process and each channel. *)
Corollary chandy_lamport_steps_are_bounded initiators n s :
  takes (application_step (chandy_lamport initiators)) (overlay_step (chandy_lamport initiators)) n initial s ->
  n <= length processes + length channels.
Proof.
  intros run. rewrite <- remaining_initial.
  apply overlay_steps_are_bounded in run; [lia | apply chandy_lamport_refines_universal | apply stays].
Qed.

(** ** Nearer to completion *)

(** How many messages lie before a marker. *)
Definition before_a_marker (q : list item) : nat := if markers q =? 0 then 0 else length (before_marker q).

(** The messages that lie before markers. *)
Definition in_front (s : state) : nat := total (fun c => before_a_marker (queue (chan s c))) channels.

(** What is sent lies behind. *)
Lemma acting_leaves_in_front p sends l s : in_front (after_act p sends l s) <= in_front s.
Proof.
  apply total_le. intros c. cbn. destruct (same_process (source c) p); [|lia]. cbn. unfold before_a_marker.
  rewrite markers_app, no_markers_sent, Nat.add_0_r. destruct (markers _) eqn:some; cbn; [lia|].
  rewrite before_marker_behind by congruence. lia.
Qed.

(** Less remains to be done, which only the algorithm's own steps bring about; or as much, and fewer messages lie before
    markers, which only a receipt does. *)
Definition nearer (s s' : state) : Prop :=
  remaining s' < remaining s \/ remaining s' <= remaining s /\ in_front s' < in_front s.

(** What has been sent can be received. *)
Definition all_can_be_received : Prop := forall c l m, exists sends l', accepts c l m sends l'.

(** Before a channel is closed it can be read. *)
Definition reads_open (A : algorithm) : Prop := forall r, reads A r false = true.

(** An open channel from a recorded process: its marker can be consumed, or what lies before it received. *)
Lemma open_channel_moves A s c :
  all_can_be_received -> reads_open A -> all_sound s ->
  recorded s (source c) = true -> closed (chan s c) = false ->
  (exists rest, queue (chan s c) = Marker :: rest) \/
  (exists s', application_step A s s' /\ in_front s' < in_front s).
Proof.
  intros can open all sender is_open.
  pose proof (one_marker _ _ _ (all c)) as one. rewrite sender, is_open in one.
  destruct (queue (chan s c)) as [|[m|] rest] eqn:head; cbn in one; [discriminate | right | eauto].
  destruct (can c (live s (target c)) m) as (sends & l & accepted).
  exists (after_receive c m rest sends l s). split.
  - constructor; auto. rewrite is_open. apply open.
  - eapply Nat.le_lt_trans; [apply acting_leaves_in_front|]. unfold in_front, before_a_marker.
    apply total_lt with c; [apply every_channel | |].
    + cbn. unfold on_channel. rewrite change_same, head. cbn.
      destruct (markers rest); cbn; lia.
    + intros d. cbn. unfold on_channel, change. destruct (same_channel d c) as [->|]; [|lia].
      rewrite head. cbn. destruct (markers rest); cbn; lia.
Qed.

Lemma open_channel_comes_nearer A s c :
  all_can_be_received -> reads_open A -> all_sound s ->
  recorded s (source c) = true -> closed (chan s c) = false ->
  exists s', step A s s' /\ nearer s s'.
Proof.
  intros can open all sender is_open.
  destruct (open_channel_moves A s c can open all sender is_open) as [[rest head] | (s' & app & less)].
  - pose proof (on_a_marker A s c rest head) as over.
    exists (on_marker A c rest s). split; [apply of_overlay, over | left; exact (overlay_lowers _ _ _ all over)].
  - exists s'. split; [apply of_application, app|]. right. rewrite (application_leaves A s s' app). auto.
Qed.

(** What is said of a state: it is complete, or there is a step nearer to that. *)
Definition complete_or_nearer (A : algorithm) (s : state) : Prop :=
  complete s \/ exists s', step A s s' /\ nearer s s'.

Lemma complete_or_not s : complete s \/ exists p, done s p = false.
Proof.
  destruct (all_or_one_not (done s) processes) as [all | (p & _ & not)]; [left | eauto].
  intros p. rewrite forallb_forall in all. apply all, every_process.
Qed.

Lemma all_inputs_closed_same s s' p :
  (forall c, target c = p -> closed (chan s' c) = true -> closed (chan s c) = true) ->
  all_inputs_closed s' p = true -> all_inputs_closed s p = true.
Proof. rewrite !all_inputs_closed_iff. auto. Qed.

Lemma open_input s p : all_inputs_closed s p = false -> exists c, target c = p /\ closed (chan s c) = false.
Proof.
  intros not. apply one_is_not in not as (c & is_open).
  exists c. destruct (same_process (target c) p); [auto | discriminate].
Qed.

(** So a complete state can be reached from every reachable one of which this is true. *)
Lemma completes A (P : state -> Prop) :
  (forall s s', step A s s' -> P s -> P s') ->
  (forall s, reachable A s -> P s -> complete_or_nearer A s) ->
  forall s, reachable A s -> P s -> exists s', runs (step A) s s' /\ complete s'.
Proof.
  intros stays_so goes s before holds.
  apply (descent (step A) (fun s => reachable A s /\ P s) complete remaining in_front); [|split; assumption].
  intros a [reached holds']. destruct (goes a reached holds') as [there | (b & one & less)]; [auto|].
  right. exists b. repeat split; [exact one | | | exact less]; eauto using reachable_step.
Qed.

(** No step is possible. *)
Definition stuck (A : algorithm) (s : state) : Prop := forall s', ~ step A s s'.

Definition all_empty (s : state) : Prop := forall c, queue (chan s c) = [].

(** Where all is complete and nothing at the head of a channel can be taken, the channels are empty. *)
Lemma nothing_is_left A s :
  all_can_be_received -> (forall is_closed, reads A true is_closed = true) -> complete s ->
  (forall t, ~ application_step A s t) -> (forall c rest, queue (chan s c) <> Marker :: rest) -> all_empty s.
Proof.
  intros can free all quiet consumed c. destruct (queue (chan s c)) as [|[m|] rest] eqn:head; [reflexivity | exfalso..].
  - destruct (can c (live s (target c)) m) as (sends & l & accepted).
    eapply quiet, receives; [exact head | | exact accepted].
    specialize (all (target c)). apply andb_true_iff in all as [-> _]. apply free.
  - exact (consumed c rest head).
Qed.

(** Where there is a step until the snapshot is complete, a run that ends is complete, and has received all. *)
Lemma stuck_is_complete A s :
  all_can_be_received -> (forall is_closed, reads A true is_closed = true) -> complete_or_nearer A s ->
  stuck A s -> complete s /\ all_empty s.
Proof.
  intros can free [all | (s' & one & _)] ends; [|contradiction (ends s' one)].
  split; [exact all|]. apply (nothing_is_left A); auto.
  - intros t app. exact (ends t (of_application A s t app)).
  - intros c rest head. eapply ends, of_overlay, on_a_marker, head.
Qed.

(** ** The specification *)

(** T7: the specification does not get stuck: who has not recorded may do so. *)
Theorem universal_progress s : all_can_be_received -> reachable universal s -> complete_or_nearer universal s.
Proof.
  intros can before. pose proof (always_sound s before) as all.
  destruct (complete_or_not s) as [|[p not]]; [left; assumption | right].
  assert (records : forall q, recorded s q = false -> exists s', step universal s s' /\ nearer s s').
  { intros q new. pose proof (by_itself universal s q eq_refl (saved_none s q new)) as over.
    exists (record q s). split; [apply of_overlay, over | left; exact (overlay_lowers _ _ _ all over)]. }
  apply andb_false_iff in not as [new | inputs]; [eauto|].
  destruct (open_input s p inputs) as (c & _ & is_open).
  destruct (recorded s (source c)) eqn:sender; [|eauto].
  apply open_channel_comes_nearer with c; auto. intros r. apply orb_true_r.
Qed.

(** T7: from every reachable state a complete one can be reached. *)
Corollary universal_completes s :
  all_can_be_received -> reachable universal s -> exists s', runs (step universal) s s' /\ complete s'.
Proof.
  intros can before. apply (completes _ (fun _ => True)); auto.
  intros t reached _. apply universal_progress; assumption.
Qed.

(** T7: and a run that ends, ends with a complete snapshot and empty channels. *)
Corollary universal_terminates s :
  all_can_be_received -> reachable universal s -> stuck universal s -> complete s /\ all_empty s.
Proof. intros can before. apply stuck_is_complete; auto using universal_progress. Qed.

(** ** Chandy-Lamport *)

(** A path of channels. *)
Inductive path (p : process) : process -> Prop :=
| here : path p p
| onwards c : path p (source c) -> path p (target c).

(** Each process can be told, by way of channels, by one that has recorded. *)
Definition all_can_be_told (s : state) : Prop := forall p, exists q, recorded s q = true /\ path q p.

Lemma all_can_be_told_stays A s s' : step A s s' -> all_can_be_told s -> all_can_be_told s'.
Proof.
  intros one told p. destruct (told p) as (q & is_recorded & way).
  exists q. split; [apply (step_keeps A s s' one), is_recorded | exact way].
Qed.

(** A path from a recorded process to one that is not leaves the recorded ones somewhere. *)
Lemma path_leaves_recorded s q p :
  path q p -> recorded s q = true -> recorded s p = false ->
  exists c, recorded s (source c) = true /\ recorded s (target c) = false.
Proof.
  intros way first. induction way as [|c way IH]; [congruence|].
  intros last. destruct (recorded s (source c)) eqn:middle; eauto.
Qed.

(** Until the snapshot is complete, some channel from a process that has recorded is open. *)
Lemma some_channel_is_open initiators s :
  reachable (chandy_lamport initiators) s -> all_can_be_told s ->
  complete s \/ exists c, recorded s (source c) = true /\ closed (chan s c) = false.
Proof.
  intros before told. destruct (complete_or_not s) as [|[p not]]; [left; assumption | right].
  assert (leaves : forall q, recorded s q = false ->
            exists c, recorded s (source c) = true /\ closed (chan s c) = false).
  { intros q new. destruct (told q) as (r & is_recorded & way).
    destruct (path_leaves_recorded s r q way is_recorded new) as (c & sender & receiver).
    exists c. split; [exact sender|]. apply not_true_iff_false. intros shut.
    apply (closed_has_recorded _ _ before) in shut. congruence. }
  apply andb_false_iff in not as [new | inputs]; [eauto|].
  destruct (open_input s p inputs) as (c & _ & is_open).
  destruct (recorded s (source c)) eqn:sender; eauto.
Qed.

(** T7: Chandy-Lamport does not get stuck, whoever began, as long as everybody can be told: in every reachable state
    that is not complete, the algorithm has a step, or a message can be received that lies before a marker. *)
Theorem chandy_lamport_progress initiators s :
  all_can_be_received -> reachable (chandy_lamport initiators) s -> all_can_be_told s ->
  complete_or_nearer (chandy_lamport initiators) s.
Proof.
  intros can before told. destruct (some_channel_is_open initiators s before told) as [|(c & sender & is_open)];
    [left; assumption | right].
  apply open_channel_comes_nearer with c; auto; [easy|].
  apply (refines_sound (chandy_lamport initiators)); [apply chandy_lamport_refines_universal | exact before].
Qed.

(** T7: from every reachable state of Chandy-Lamport in which everybody can be told, a complete one can be reached. *)
Theorem chandy_lamport_completes initiators s :
  all_can_be_received -> reachable (chandy_lamport initiators) s -> all_can_be_told s ->
  exists s', runs (step (chandy_lamport initiators)) s s' /\ complete s'.
Proof.
  intros can. apply (completes _ all_can_be_told).
  - apply all_can_be_told_stays.
  - intros t. apply chandy_lamport_progress, can.
Qed.

(** Each process can be told, by way of channels, by one that may begin. *)
Definition initiators_reach_all (initiators : process -> bool) : Prop :=
  forall p, exists q, initiators q = true /\ path q p.

(** T7: where initiators reach everybody, nothing else is asked: whoever has not begun may do so. *)
Theorem chandy_lamport_always_progresses initiators s :
  all_can_be_received -> initiators_reach_all initiators -> reachable (chandy_lamport initiators) s ->
  complete_or_nearer (chandy_lamport initiators) s.
Proof.
  intros can reach before.
  destruct (all_or_one_not (fun p => negb (initiators p) || recorded s p) processes) as [begun | (p & _ & idle)].
  - apply chandy_lamport_progress; [exact can | exact before |]. intros p. destruct (reach p) as (q & may_begin & way).
    exists q. split; [|exact way]. rewrite forallb_forall in begun. specialize (begun q (every_process q)).
    rewrite may_begin in begun. exact begun.
  - right. exists (record p s). apply orb_false_iff in idle as [may_begin new]. apply negb_false_iff in may_begin.
    pose proof (by_itself (chandy_lamport initiators) s p may_begin (saved_none s p new)) as over.
    split; [apply of_overlay, over | left; apply (overlay_lowers _ _ _) in over; [exact over|]].
    apply (refines_sound (chandy_lamport initiators)); [apply chandy_lamport_refines_universal | exact before].
Qed.

(** T7: so a complete state can be reached from every reachable state. *)
Corollary chandy_lamport_always_can_complete initiators s :
  all_can_be_received -> initiators_reach_all initiators -> reachable (chandy_lamport initiators) s ->
  exists s', runs (step (chandy_lamport initiators)) s s' /\ complete s'.
Proof.
  intros can reach before. apply (completes _ (fun _ => True)); auto.
  intros t reached _. apply chandy_lamport_always_progresses; assumption.
Qed.

(** T7: and a run that ends, ends with a complete snapshot and empty channels. *)
Corollary chandy_lamport_terminates initiators s :
  all_can_be_received -> initiators_reach_all initiators -> reachable (chandy_lamport initiators) s ->
  stuck (chandy_lamport initiators) s -> complete s /\ all_empty s.
Proof. intros can reach before. apply stuck_is_complete; auto using chandy_lamport_always_progresses. Qed.

End Progress.
