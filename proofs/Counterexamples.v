(** * Counterexamples: two ways to lose the cut (T5, T8)

    A cut is consistent only if, on every channel, what the receiver had received when it recorded is a prefix of
    what the sender had sent when it recorded. Two algorithms break this, and not in one contrived system but in
    every system that has the shape in question and an application that can send a message:

    - the general algorithm taken literally, on any channel between different processes. The sender records and
      marks the channel, then sends; the marker, which is not heard as an instruction, only closes the channel; the
      receiver receives the message and records afterwards;
    - the unblocked variant of the aligned algorithm, at any process with two inputs. The barrier of one input has
      come, the other's has not; the receiver reads on past the first, then the second comes and it records.

    In both the message was sent after the sender recorded and received before the receiver did. Each proof is the
    run, and what the run does to the one channel. *)

Require Import List Bool Arith.
Import ListNotations.
From Snapcheck Require Import Machine Universal Refinement Aligned.

Lemma nothing_has_no_first {A} (a : A) : ~ prefix [a] [].
Proof. intros [rest E]. discriminate E. Qed.

Section Counterexamples.
Context {S : System}.

(** ** What recording does to a channel, and nothing else to any other *)

Lemma record_marks p s c : source c = p -> target c <> p -> chan (record p s) c = mark (chan s c).
Proof. intros. cbn. destruct (same_process (source c) p), (same_process (target c) p); easy. Qed.

Lemma record_listens p s c : source c <> p -> target c = p -> chan (record p s) c = listen (chan s c).
Proof. intros. cbn. destruct (same_process (source c) p), (same_process (target c) p); easy. Qed.

Lemma record_leaves p s c : source c <> p -> target c <> p -> chan (record p s) c = chan s c.
Proof. intros. cbn. destruct (same_process (source c) p), (same_process (target c) p); easy. Qed.

Lemma changed_channel s c k : on_channel s c k c = k.
Proof. apply change_same. Qed.

Lemma other_channel s c k d : c <> d -> on_channel s c k d = chan s d.
Proof. apply change_other. Qed.

(** ** What both runs share *)

(** Something can be sent on [c], and its first message received, right from the start. *)
Definition can_speak (c : channel) : Prop :=
  exists sends l m rest sends' l',
    acts (source c) (start (source c)) sends l /\ for_channel c sends = m :: rest /\
    accepts c (start (target c)) m sends' l'.

(** The sender has recorded and sent nothing before; the marker has come, and the receiver has not recorded. *)
Record poised (c : channel) (s : state) : Prop := {
  apart : source c <> target c;
  sender_has_recorded : recorded s (source c) = true;
  receiver_has_not : recorded s (target c) = false;
  marker_has_come : chan s c = consume_on [] false (mark fresh);
  nobody_moved : live s = start
}.

(** Then [m] was sent, with [rest] behind it, and was received: all that is left is that the receiver records. *)
Record overtaken (m : message) (rest : list message) (c : channel) (s : state) : Prop := {
  still_apart : source c <> target c;
  still_recorded : recorded s (source c) = true;
  message_has_come :
    chan s c = take m (map Message rest) false (put (m :: rest) (consume_on [] false (mark fresh)))
}.

(** Nothing happened to channel [d] but that more was put into it. *)
Definition only_more_on (d : channel) (s s' : state) : Prop :=
  closed (chan s' d) = closed (chan s d) /\ exists more, queue (chan s' d) = queue (chan s d) ++ more.

Lemma acting_adds p sends l s d : only_more_on d s (after_act p sends l s).
Proof.
  unfold only_more_on. cbn. destruct (same_process (source d) p); cbn; [eauto|].
  split; [reflexivity|]. exists []. rewrite app_nil_r. reflexivity.
Qed.

Lemma marker_poises c s :
  source c <> target c -> recorded s (source c) = true -> recorded s (target c) = false ->
  chan s c = mark fresh -> live s = start -> poised c (consume c [] s).
Proof.
  intros apart sender receiver marked unmoved. constructor; auto.
  transitivity (consume_on [] (recorded s (target c)) (chan s c)); [apply changed_channel|].
  rewrite receiver, marked. reflexivity.
Qed.

(** Who reads on past the marker now receives a message that was sent after the sender recorded ... *)
Lemma poised_overtakes A c s :
  poised c s -> can_speak c -> (forall is_recorded is_closed, reads A is_recorded is_closed = true) ->
  exists m rest s' s'', application_step A s s' /\ application_step A s' s'' /\ saved s'' = saved s /\
    (forall d, c <> d -> only_more_on d s s'') /\ overtaken m rest c s''.
Proof.
  intros [apart sender receiver marked unmoved] (sends & l & m & rest & sends' & l' & can_send & first & can_receive)
    reads_on.
  set (s' := after_act (source c) sends l s).
  assert (sent : chan s' c = put (m :: rest) (chan s c)).
  { cbn. rewrite first. destruct (same_process (source c) (source c)); [reflexivity | contradiction]. }
  exists m, rest, s', (after_receive c m (map Message rest) sends' l' s').
  split; [|split; [|split; [reflexivity | split]]].
  - constructor. rewrite unmoved. exact can_send.
  - constructor.
    + rewrite sent, marked. reflexivity.
    + apply reads_on.
    + cbn. unfold with_local. rewrite change_other, unmoved; assumption.
  - intros d other. destruct (acting_adds (source c) sends l s d) as [same [more added]].
    unfold after_receive. set (u := without_head c m (map Message rest) s').
    destruct (acting_adds (target c) sends' l' u d) as [same' [more' added']].
    assert (elsewhere : chan u d = chan s' d) by (apply other_channel, other).
    unfold only_more_on. rewrite same', added', elsewhere. split; [exact same|].
    exists (more ++ more'). fold s' in added. rewrite added, app_assoc. reflexivity.
  - constructor; [exact apart | exact sender |].
    transitivity (take m (map Message rest) (recorded s (target c)) (chan s' c)).
    + cbn. destruct (same_process (source c) (target c)); [contradiction | apply changed_channel].
    + rewrite receiver, sent, marked. reflexivity.
Qed.

(** ... and if it records now, that message is in its recorded state and not in the sender's. *)
Lemma overtaken_is_inconsistent m rest c s : overtaken m rest c s -> ~ consistent_on (record (target c) s) c.
Proof.
  intros [apart sender came] consistent. unfold consistent_on in consistent.
  rewrite !recorded_after_record, record_listens, came in consistent by auto.
  apply (nothing_has_no_first m), consistent.
  - rewrite sender. destruct (same_process (source c) (target c)); reflexivity.
  - destruct (same_process (target c) (target c)); [reflexivity | contradiction].
Qed.

(** ** The literal reading of the general algorithm *)

Lemma literal_only_closes c rest s : on_marker general_literal c rest s = consume c rest s.
Proof. unfold on_marker. cbn. rewrite andb_false_r. reflexivity. Qed.

Lemma instruction_records p g : recorded (world g) p = false -> world (after_instruction p g) = record p (world g).
Proof. intros new. unfold after_instruction. rewrite new. reflexivity. Qed.

(** T5: the literal general algorithm takes an inconsistent cut in every system with a channel between two processes
    on which the one can send from its start and the other can receive at its start. *)
Theorem literal_general_violates_consistency c :
  source c <> target c -> can_speak c ->
  exists g, coordinated_reachable general_literal g /\ ~ consistent_on (world g) c.
Proof.
  intros apart speaks.
  set (told := after_instruction (source c) (after_instructing general_literal initially_coordinated)).
  assert (marked : chan (world told) c = mark fresh) by (apply record_marks; auto).
  set (shut := reporting (target c) (on_marker general_literal c [] (world told)) told).
  assert (ready : poised c (world shut)).
  { replace (world shut) with (consume c [] (world told)) by (symmetry; apply literal_only_closes).
    apply marker_poises; try easy; unfold recorded; cbn.
    - rewrite change_same. reflexivity.
    - rewrite change_other by assumption. reflexivity. }
  destruct (poised_overtakes general_literal _ _ ready speaks)
    as (m & rest & s' & s'' & sends & receives & same & _ & came); [easy|].
  set (sent := Coordinated s' (instructed shut) (instruction shut) (report shut) (declared shut)).
  set (received := Coordinated s'' (instructed sent) (instruction sent) (report sent) (declared sent)).
  exists (after_instruction (target c) received). split.
  - apply goes_on with (after_instructing general_literal initially_coordinated).
    { apply of_coordination, instructs. reflexivity. }
    apply goes_on with told; [apply of_coordination, instruction_arrives; reflexivity|].
    apply goes_on with shut; [apply of_coordination, marker_arrives; rewrite marked; reflexivity|].
    apply goes_on with sent; [apply of_world, sends|].
    apply goes_on with received; [apply (of_world _ sent), receives|].
    apply runs_one, of_coordination, instruction_arrives. cbn. rewrite change_other by assumption. reflexivity.
  - rewrite instruction_records.
    + apply overtaken_is_inconsistent with m rest, came.
    + unfold recorded. cbn [world received]. rewrite same. apply (receiver_has_not _ _ ready).
Qed.

(** ** The aligned algorithm without blocking *)

(** Two sources can both mark their channels before anything else happens; they may be one and the same. *)
Lemma sources_record A a b q :
  target a = q -> target b = q -> source a <> q -> source b <> q ->
  begins A (source a) = true -> begins A (source b) = true ->
  exists s, reachable A s /\ recorded s (source a) = true /\ recorded s q = false /\ live s = start /\
    chan s a = mark fresh /\ chan s b = mark fresh.
Proof.
  intros into_a into_b from_a from_b begins_a begins_b.
  set (first := record (source a) initial).
  assert (one : step A initial first) by (apply of_overlay, by_itself; auto).
  assert (marked : chan first a = mark fresh) by (apply record_marks; congruence).
  destruct (same_process (source b) (source a)) as [same | other].
  - exists first. repeat split; [apply runs_one, one | | | exact marked |].
    + unfold recorded. cbn. rewrite change_same. reflexivity.
    + unfold recorded. cbn. rewrite change_other by assumption. reflexivity.
    + apply record_marks; congruence.
  - exists (record (source b) first). repeat split.
    + apply goes_on with first; [exact one|]. apply runs_one, of_overlay, by_itself; [exact begins_b|].
      cbn. rewrite change_other by auto. reflexivity.
    + unfold recorded, first. cbn. rewrite change_other, change_same by auto. reflexivity.
    + unfold recorded, first. cbn. rewrite !change_other by assumption. reflexivity.
    + rewrite record_leaves; congruence.
    + rewrite record_marks by congruence. unfold first. rewrite record_leaves by congruence. reflexivity.
Qed.

(** T8, first half: the aligned algorithm without blocking takes an inconsistent cut in every system in which some
    process has just two inputs, from processes without inputs, one of which can send to it from the start. *)
Theorem at_least_once_violates_consistency a b q :
  a <> b -> (forall c, target c = q <-> c = a \/ c = b) ->
  (forall c, target c <> source a) -> (forall c, target c <> source b) ->
  can_speak a ->
  exists s, reachable flink_at_least_once s /\ ~ consistent_on s a.
Proof.
  intros other inputs source_a source_b speaks.
  assert (into_a : target a = q) by (apply inputs; auto).
  assert (into_b : target b = q) by (apply inputs; auto).
  destruct (sources_record flink_at_least_once a b q) as (s & run & sender & new & unmoved & marked_a & marked_b);
    try apply has_no_inputs_iff; try congruence.
  set (shut := consume a [] s).
  assert (waits : on_marker flink_at_least_once a [] s = shut).
  { unfold on_marker. cbn [joins flink_at_least_once]. destruct (all_inputs_closed _ _) eqn:all_closed.
    - assert (b_closed : closed (chan shut b) = true)
        by (apply (proj1 (all_inputs_closed_iff _ _) all_closed); congruence).
      unfold shut in b_closed. rewrite closed_after_consume, marked_b in b_closed.
      destruct (same_channel b a); [congruence | discriminate].
    - rewrite andb_false_r. reflexivity. }
  assert (ready : poised a shut) by (apply marker_poises; congruence).
  destruct (poised_overtakes flink_at_least_once _ _ ready speaks)
    as (m & rest & s' & s'' & sends & receives & same & others & came); [easy|].
  assert (still_marked : exists behind, queue (chan s'' b) = Marker :: behind).
  { destruct (others b other) as [_ [more added]]. exists more. rewrite added. cbn.
    rewrite other_channel, marked_b by assumption. reflexivity. }
  destruct still_marked as [behind still_marked].
  assert (records : on_marker flink_at_least_once b behind s'' = record q (consume b behind s'')).
  { unfold on_marker. cbn [joins flink_at_least_once].
    replace (recorded s'' (target b)) with false by (unfold recorded; rewrite same, into_b; symmetry; exact new).
    replace (all_inputs_closed _ _) with true; [rewrite into_b; reflexivity|].
    symmetry. apply all_inputs_closed_iff. intros c into. rewrite closed_after_consume.
    destruct (same_channel c b); [reflexivity|]. rewrite into_b in into. apply inputs in into as [-> | ->].
    - rewrite (message_has_come _ _ _ _ came). reflexivity.
    - contradiction. }
  exists (record q (consume b behind s'')). split.
  - eapply runs_app; [exact run|].
    apply goes_on with shut; [rewrite <- waits; apply of_overlay, on_a_marker; rewrite marked_a; reflexivity|].
    apply goes_on with s'; [apply of_application, sends|].
    apply goes_on with s''; [apply of_application, receives|].
    rewrite <- records. apply runs_one, of_overlay, on_a_marker, still_marked.
  - rewrite <- into_a. apply overtaken_is_inconsistent with m rest.
    destruct came as [apart recorded_still received]. constructor; auto.
    cbn. rewrite other_channel by auto. exact received.
Qed.

End Counterexamples.
