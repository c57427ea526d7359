(** * Counterexamples: two ways to lose the cut

    A cut is consistent only if, on every channel, what the receiver had received when it recorded is a prefix of
    what the sender had sent when it recorded. Two algorithms break this, and not in one contrived system but in
    every system that has the shape in question and an application that can send one message:

    - the general algorithm taken literally, on any channel between different processes. The sender records and
      marks the channel, then sends; the marker, which is not heard as an instruction, only closes the channel; the
      receiver receives the message and records afterwards;
    - the unblocked variant of the aligned algorithm, at any process with two inputs. The barrier of one input has
      come, the other's has not; the receiver reads on past the first, then the second comes and it records.

    In both the message was sent after the sender recorded and received before the receiver did. Each proof is the
    run, and what the run does to the one channel. *)

Require Import List Bool Arith.
Import ListNotations.
From Snapcheck Require Import Machine Universal.

Lemma nothing_has_no_first {A} (a : A) : ~ prefix [a] [].
Proof. intros [rest E]. discriminate E. Qed.

Lemma runs_on {A} (step : A -> A -> Prop) a b c : runs step a b -> step b c -> runs step a c.
Proof.
  intros R L. induction R as [a | a x b L' R IH].
  - eapply goes_on; [exact L | apply stays].
  - eapply goes_on; [exact L' | exact (IH L)].
Qed.

Section Counterexamples.
Context {S : System}.

(** ** What recording does to a channel *)

Lemma record_marks p s c : source c = p -> target c <> p -> chan (record p s) c = mark (chan s c).
Proof. intros E N. simpl. now destruct (same_process (source c) p), (same_process (target c) p). Qed.

Lemma record_listens p s c : source c <> p -> target c = p -> chan (record p s) c = listen (chan s c).
Proof. intros N E. simpl. now destruct (same_process (source c) p), (same_process (target c) p). Qed.

Lemma record_leaves p s c : source c <> p -> target c <> p -> chan (record p s) c = chan s c.
Proof. intros N N'. simpl. now destruct (same_process (source c) p), (same_process (target c) p). Qed.

Lemma here s c k : on_channel s c k c = k.
Proof. apply change_same. Qed.

Lemma elsewhere s c k d : c <> d -> on_channel s c k d = chan s d.
Proof. apply change_other. Qed.

(** ** What both runs share *)

(** Some message can be sent on [c], and received, right from the start. *)
Definition can_speak (c : channel) : Prop :=
  exists m l l', emits c (start (source c)) m l /\ accepts c (start (target c)) m l'.

(** The sender has recorded and sent nothing before; the marker has come, and the receiver has not recorded. *)
Record poised (c : channel) (s : state) : Prop := {
  apart : source c <> target c;
  sender_recorded : recorded s (source c) = true;
  receiver_has_not : recorded s (target c) = false;
  only_marker_so_far : chan s c = consume_on [] false (mark fresh);
  nobody_moved : live s = start
}.

(** [s] after [m] was received: all that is left is that the receiver records. *)
Record overtaken (m : message) (c : channel) (s : state) : Prop := {
  still_apart : source c <> target c;
  still_recorded : recorded s (source c) = true;
  received_it : chan s c = take m [] false (put m (consume_on [] false (mark fresh)))
}.

Lemma marker_poises c s :
  source c <> target c -> recorded s (source c) = true -> recorded s (target c) = false ->
  chan s c = mark fresh -> live s = start -> poised c (consume c [] s).
Proof.
  intros N P Q E L. split; auto.
  transitivity (consume_on [] (recorded s (target c)) (chan s c)); [apply here | now rewrite Q, E].
Qed.

(** Who reads on past the marker now receives a message that was sent after the sender recorded ... *)
Lemma poised_overtakes A c s :
  poised c s -> can_speak c -> (forall r d, reads A r d = true) ->
  exists m s' s'', application_step A s s' /\ application_step A s' s'' /\ saved s'' = saved s /\
    (forall d, c <> d -> chan s'' d = chan s d) /\ overtaken m c s''.
Proof.
  intros [N P Q E L] (m & l & l' & M & M') R.
  set (s' := after_send c m l s).
  assert (E' : chan s' c = put m (chan s c)) by apply here.
  exists m, s', (after_receive c m [] l' s'). repeat split.
  - constructor. now rewrite L.
  - constructor.
    + now rewrite E', E.
    + apply R.
    + simpl. unfold with_local. now rewrite change_other, L by auto.
  - intros d D. transitivity (chan s' d); now apply elsewhere.
  - exact N.
  - exact P.
  - transitivity (take m [] (recorded s (target c)) (chan s' c)); [apply here | now rewrite Q, E', E].
Qed.

(** ... and if it records now, that message is in its recorded state and not in the sender's. *)
Lemma overtaken_is_inconsistent m c s : overtaken m c s -> ~ consistent_on (record (target c) s) c.
Proof.
  intros [N P E] C. unfold consistent_on in C. rewrite !recorded_after_record, record_listens, E in C by auto.
  apply (nothing_has_no_first m), C.
  - rewrite P. now destruct (same_process _ _).
  - destruct (same_process (target c) (target c)); [reflexivity | contradiction].
Qed.

(** ** The literal reading of the general algorithm *)

Lemma literal_only_closes c rest s : on_marker general_literal c rest s = consume c rest s.
Proof. unfold on_marker. simpl. now rewrite andb_false_r. Qed.

Lemma instruction_records p g : recorded (world g) p = false -> world (after_instruction p g) = record p (world g).
Proof. intros N. unfold after_instruction. now rewrite N. Qed.

(** The literal general algorithm takes an inconsistent cut in every system with a channel between two processes
    on which the one can send from its start and the other can receive at its start. *)
Theorem literal_general_violates_consistency c :
  source c <> target c -> can_speak c ->
  exists g, coordinated_reachable general_literal g /\ ~ consistent_on (world g) c.
Proof.
  intros N C.
  set (told := after_instruction (source c) (after_instructing initially_coordinated)).
  assert (marked : chan (world told) c = mark fresh) by (apply record_marks; auto).
  set (shut := reporting (target c) (on_marker general_literal c [] (world told)) told).
  assert (P : poised c (world shut)).
  { replace (world shut) with (consume c [] (world told)) by (symmetry; apply literal_only_closes).
    apply marker_poises; try easy; unfold recorded; simpl.
    - now rewrite change_same.
    - now rewrite change_other by auto. }
  destruct (poised_overtakes general_literal _ _ P C) as (m & s' & s'' & send & receive & saved_same & _ & O); [easy |].
  set (sent := Coordinated s' (instructed shut) (instruction shut) (report shut) (declared shut)).
  set (received := Coordinated s'' (instructed sent) (instruction sent) (report sent) (declared sent)).
  exists (after_instruction (target c) received). split.
  - apply goes_on with (after_instructing initially_coordinated); [now apply of_coordination, instructs |].
    apply goes_on with told; [now apply of_coordination, instruction_arrives |].
    apply goes_on with shut; [apply of_coordination, marker_arrives; now rewrite marked |].
    apply goes_on with sent; [now apply of_world |].
    apply goes_on with received; [now apply (of_world _ sent) |].
    eapply goes_on; [| apply stays].
    apply of_coordination, instruction_arrives. simpl. now rewrite change_other by auto.
  - rewrite instruction_records.
    + now apply overtaken_is_inconsistent with m.
    + unfold recorded. simpl world. rewrite saved_same. apply (receiver_has_not _ _ P).
Qed.

(** ** The aligned algorithm without blocking *)

Lemma no_inputs p : (forall c, target c <> p) -> has_no_inputs p = true.
Proof.
  intros N. apply forallb_forall. intros c _. now destruct (same_process (target c) p) as [E | _]; [destruct (N c) |].
Qed.

Lemma inputs_closed_iff s p :
  all_inputs_closed s p = true <-> forall c, target c = p -> closed (chan s c) = true.
Proof.
  unfold all_inputs_closed. rewrite forallb_forall. split; intros F c.
  - intros E. specialize (F c (every_channel c)). now destruct (same_process (target c) p).
  - intros _. destruct (same_process (target c) p); auto.
Qed.

(** Two sources can both have marked their channels before anything else happens; they may be one and the same. *)
Lemma sources_record A a b q :
  target a = q -> target b = q -> source a <> q -> source b <> q ->
  begins A (source a) = true -> begins A (source b) = true ->
  exists s, reachable A s /\ recorded s (source a) = true /\ saved s q = None /\ live s = start /\
    chan s a = mark fresh /\ chan s b = mark fresh.
Proof.
  intros Ta Tb Na Nb Ba Bb.
  assert (first : reachable A (record (source a) initial)).
  { eapply runs_on; [apply stays | now apply of_overlay, by_itself]. }
  assert (marks : chan (record (source a) initial) a = mark fresh) by (apply record_marks; congruence).
  destruct (same_process (source b) (source a)) as [E | D].
  - exists (record (source a) initial). repeat split.
    + exact first.
    + unfold recorded. simpl. now rewrite change_same.
    + simpl. now rewrite change_other by auto.
    + exact marks.
    + apply record_marks; congruence.
  - exists (record (source b) (record (source a) initial)). repeat split.
    + eapply runs_on; [exact first |]. apply of_overlay, by_itself; [exact Bb |].
      simpl. now rewrite change_other by auto.
    + unfold recorded. simpl. now rewrite change_other, change_same by auto.
    + simpl. now rewrite !change_other by auto.
    + rewrite record_leaves; [exact marks | auto | congruence].
    + rewrite record_marks, record_leaves by congruence. easy.
Qed.

(** The unblocked aligned algorithm takes an inconsistent cut in every system in which some process has two inputs
    from processes without inputs, one of which can send to it from the start. *)
Theorem at_least_once_violates_consistency a b q :
  a <> b -> (forall c, target c = q <-> c = a \/ c = b) ->
  (forall c, target c <> source a) -> (forall c, target c <> source b) ->
  can_speak a ->
  exists s, reachable flink_at_least_once s /\ ~ consistent_on s a.
Proof.
  intros D inputs Na Nb C.
  assert (Ta : target a = q) by (apply inputs; auto).
  assert (Tb : target b = q) by (apply inputs; auto).
  assert (Sa : source a <> q) by (rewrite <- Ta; intros E; now apply (Na a)).
  assert (Sb : source b <> q) by (rewrite <- Ta; intros E; now apply (Nb a)).
  destruct (sources_record flink_at_least_once a b q) as (s & run & Ra & Uq & L & Ma & Mb);
    try apply no_inputs; auto.
  assert (U : recorded s q = false) by (unfold recorded; now rewrite Uq).
  set (shut := consume a [] s).
  assert (open : all_inputs_closed shut q = false).
  { apply not_true_iff_false. rewrite inputs_closed_iff. intros F. specialize (F b Tb).
    simpl in F. now rewrite elsewhere, Mb in F by auto. }
  assert (waits : on_marker flink_at_least_once a [] s = shut).
  { unfold on_marker. fold shut. simpl. now rewrite Ta, open, andb_false_r. }
  assert (P : poised a shut).
  { apply marker_poises; congruence. }
  destruct (poised_overtakes flink_at_least_once _ _ P C) as (m & s' & s'' & send & receive & saved_same & others & O);
    [easy |].
  assert (Mb' : chan s'' b = mark fresh) by (rewrite others by auto; simpl; now rewrite elsewhere by auto).
  assert (U' : recorded s'' q = false) by (unfold recorded; rewrite saved_same; simpl; now rewrite Uq).
  assert (all_closed : all_inputs_closed (consume b [] s'') q = true).
  { apply inputs_closed_iff. intros c Tc. simpl. apply inputs in Tc as [-> | ->].
    - rewrite elsewhere by auto. now rewrite (received_it _ _ _ O).
    - now rewrite here. }
  assert (records : on_marker flink_at_least_once b [] s'' = record q (consume b [] s'')).
  { unfold on_marker. simpl joins. now rewrite Tb, U', all_closed. }
  exists (record q (consume b [] s'')). split.
  - apply runs_on with s''; [apply runs_on with s'; [apply runs_on with shut; [apply runs_on with s |] |] |].
    + exact run.
    + rewrite <- waits. apply of_overlay, on_a_marker. now rewrite Ma.
    + now apply of_application.
    + now apply of_application.
    + rewrite <- records. apply of_overlay, on_a_marker. now rewrite Mb'.
  - rewrite <- Ta. apply overtaken_is_inconsistent with m. destruct O as [N R E]. split; try easy.
    simpl. now rewrite elsewhere by auto.
Qed.

End Counterexamples.
