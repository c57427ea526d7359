(** * Inclusion: whose snapshots are whose

    Refinement.v compares steps; here it is the snapshots that are compared: what the processes and the channels have
    recorded when all is done. Every snapshot of the aligned checkpoint is one of Chandy-Lamport begun by the same
    processes, every snapshot of Chandy-Lamport is one that the specification allows, and the other way round the
    specification allows no snapshot that Chandy-Lamport, begun by all, and the coordinator-driven general algorithm
    could not record. Aligned is also at-least-once without its faults, and the literal general algorithm records all
    that is right, and more.

    The one idea: an algorithm that blocks behind a marker might as well have left the marker in the channel. So
    Chandy-Lamport follows it, _lagging_: where the one has consumed a marker before recording, the other has not yet.
    When the one records, the other does, and consumes the markers that wait. *)

Require Import List Bool Arith.
Import ListNotations.
From Snapcheck Require Import Machine Universal Refinement.

Section Inclusion.
Context {S : System}.

(** ** Snapshots *)

(** A complete snapshot: what every process and every channel has recorded. *)
Definition records (s : state) (processes : process -> local) (channels : channel -> list message) : Prop :=
  complete s /\ (forall p, saved s p = Some (processes p)) /\ (forall c, recording (chan s c) = channels c).

Definition snapshot_of (A : algorithm) processes channels : Prop :=
  exists s, reachable A s /\ records s processes channels.

Definition coordinated_snapshot_of (A : algorithm) processes channels : Prop :=
  exists g, coordinated_reachable A g /\ records (world g) processes channels.

(** Every snapshot of [A] is one of [B]. *)
Definition included (A B : algorithm) : Prop :=
  forall processes channels, snapshot_of A processes channels -> snapshot_of B processes channels.

(** ** Lagging *)

(** [v] is as [u], but has still to consume the markers that wait. *)
Record lags_by (waits : channel -> bool) (u v : state) : Prop := {
  same_live : forall p, live v p = live u p;
  same_saved : forall p, saved v p = saved u p;
  same_recording : forall c, recording (chan v c) = recording (chan u c);
  marker_waits : forall c, queue (chan v c) = if waits c then Marker :: queue (chan u c) else queue (chan u c);
  open_if_waits : forall c, closed (chan v c) = if waits c then false else closed (chan u c);
  closed_if_waits : forall c, waits c = true -> closed (chan u c) = true
}.

(** Those wait that a process which blocks behind them has consumed before it has recorded. *)
Definition blocked (u : state) (c : channel) : bool := closed (chan u c) && negb (recorded u (target c)).

Lemma lags_by_same waits waits' u v :
  (forall c, waits c = waits' c) -> lags_by waits u v -> lags_by waits' u v.
Proof.
  intros same [l s r q o k]. constructor; intros; rewrite <- ?same; auto.
  apply k. rewrite same. assumption.
Qed.

Lemma lags_recorded waits u v p : lags_by waits u v -> recorded v p = recorded u p.
Proof. intros lag. unfold recorded. rewrite (same_saved _ _ _ lag). reflexivity. Qed.

(** Both record. *)
Lemma lags_record waits u v p : lags_by waits u v -> lags_by waits (record p u) (record p v).
Proof.
  intros [l s r q o k]. constructor; [apply l| | | | |]; intros i; rewrite ?closed_after_record; auto; cbn;
    [unfold change; rewrite l, s; reflexivity| |];
    destruct (same_process (target i) p), (same_process (source i) p); cbn; rewrite ?q; auto;
    destruct (waits i); reflexivity.
Qed.

(** Both act. *)
Lemma lags_act waits u v p sends x :
  lags_by waits u v -> lags_by waits (after_act p sends x u) (after_act p sends x v).
Proof.
  intros [l s r q o k]. constructor; [|exact s| | | |]; intros i; cbn;
    [|destruct (same_process (source i) p); cbn; auto..].
  - unfold with_local, change. rewrite l. reflexivity.
  - rewrite q. destruct (waits i); reflexivity.
Qed.

(** The one that lags consumes a marker that waits. *)
Lemma lags_less waits u v c :
  lags_by waits u v -> waits c = true ->
  lags_by (fun d => waits d && if same_channel d c then false else true) u (consume c (queue (chan u c)) v).
Proof.
  intros [l s r q o k] waiting. constructor; intros i; cbn; auto; unfold on_channel, change.
  - destruct (same_channel i c) as [->|]; apply r.
  - destruct (same_channel i c) as [->|]; rewrite ?andb_false_r, ?andb_true_r; [reflexivity | apply q].
  - destruct (same_channel i c) as [->|]; rewrite ?andb_false_r, ?andb_true_r; [cbn; symmetry; auto | apply o].
  - intros still. apply k. apply andb_true_iff in still. tauto.
Qed.

(** The one that lags catches up with those that have recorded. *)
Lemma catch_up_among initiators u v waits (among : list channel) :
  lags_by waits u v ->
  exists v' waits', runs (step (chandy_lamport initiators)) v v' /\ lags_by waits' u v' /\
    forall c, waits' c = true <-> waits c = true /\ ~ (In c among /\ recorded u (target c) = true).
Proof.
  intros lag. induction among as [|c among (v' & still & run & less & exactly)].
  - exists v, waits. split; [apply stays|]. split; [exact lag|]. cbn. tauto.
  - destruct (still c && recorded u (target c)) eqn:turn.
    + apply andb_true_iff in turn as [waiting is_recorded].
      eexists (consume c (queue (chan u c)) v'), _.
      split; [|split; [exact (lags_less still u v' c less waiting)|]].
      * eapply runs_app; [exact run | apply runs_one, of_overlay].
        replace (consume c (queue (chan u c)) v') with (on_marker (chandy_lamport initiators) c (queue (chan u c)) v').
        { apply on_a_marker. rewrite (marker_waits _ _ _ less), waiting. reflexivity. }
        unfold on_marker. rewrite (lags_recorded _ _ _ _ less), is_recorded. reflexivity.
      * intros d. cbn. rewrite andb_true_iff, exactly. destruct (same_channel d c) as [->|other]; intuition congruence.
    + exists v', still. split; [exact run|]. split; [exact less|].
      intros d. rewrite exactly. cbn. split; [|tauto]. intros [waiting no]. split; [exact waiting|].
      intros [[<-|inside] is_recorded]; [|tauto].
      assert (still c = true) as yes by (apply exactly; split; assumption).
      rewrite yes, is_recorded in turn. discriminate.
Qed.

Lemma catch_up initiators u v waits :
  lags_by waits u v ->
  (forall c, recorded u (target c) = false -> waits c = closed (chan u c)) ->
  exists v', runs (step (chandy_lamport initiators)) v v' /\ lags_by (blocked u) u v'.
Proof.
  intros lag same. destruct (catch_up_among initiators u v waits channels lag) as (v' & waits' & run & less & exactly).
  exists v'. split; [exact run|]. revert less. apply lags_by_same. intros c.
  pose proof (every_channel c) as listed. specialize (exactly c). specialize (same c). unfold blocked.
  destruct (recorded u (target c)); cbn; rewrite ?andb_true_r, ?andb_false_r in *.
  - destruct (waits' c); [|reflexivity]. exfalso. tauto.
  - rewrite <- same by reflexivity. destruct (waits' c), (waits c); intuition congruence.
Qed.

Lemma same_channel_refl {B} c (a b : B) : (if same_channel c c then a else b) = a.
Proof. destruct (same_channel c c); [reflexivity | contradiction]. Qed.

Lemma on_channel_same s c k : on_channel s c k c = k.
Proof. apply same_channel_refl. Qed.

Lemma recorded_after_consume c rest s p : recorded (consume c rest s) p = recorded s p.
Proof. reflexivity. Qed.

(** ** Chandy-Lamport follows whoever blocks *)

(** [B] reads nothing from behind a marker, and those who begin are among the initiators. *)
Definition blocks (B : algorithm) : Prop :=
  forall r c, reads B r c = true -> not_past_a_marker r c = true.

Lemma follows_application B initiators u u' v :
  blocks B -> application_step B u u' -> lags_by (blocked u) u v ->
  exists v', step (chandy_lamport initiators) v v' /\ lags_by (blocked u') u' v'.
Proof.
  intros obeys moves lag. pose proof lag as [l s r q o k].
  assert (same : forall c, blocked u' c = blocked u c).
  { destruct (application_keeps _ _ _ moves) as [records closes]. intros c. unfold blocked.
    rewrite records, closes. reflexivity. }
  destruct moves as [p sends x can|c m rest sends x head open can].
  - exists (after_act p sends x v). split; [apply of_application, does; rewrite l; exact can|].
    eapply lags_by_same; [intros d; symmetry; apply same | apply lags_act, lag].
  - assert (free : blocked u c = false).
    { apply obeys in open. unfold not_past_a_marker, blocked in *.
      destruct (recorded u (target c)), (closed (chan u c)); cbn in *; congruence. }
    pose proof (q c) as same_queue. pose proof (o c) as same_closed. rewrite free in same_queue, same_closed.
    exists (after_receive c m rest sends x v). split.
    + apply of_application, receives; [congruence | reflexivity | rewrite l; exact can].
    + eapply lags_by_same; [intros d; symmetry; apply same | apply lags_act].
      constructor; cbn; auto; intros d; unfold on_channel, change; destruct (same_channel d c) as [->|]; cbn; auto;
        rewrite ?free, ?(lags_recorded _ _ _ _ lag), ?r, ?same_closed; auto.
Qed.

Lemma follows_overlay B initiators u u' v :
  (forall p, begins B p = true -> initiators p = true) -> all_sound u ->
  overlay_step B u u' -> lags_by (blocked u) u v ->
  exists v', runs (step (chandy_lamport initiators)) v v' /\ lags_by (blocked u') u' v'.
Proof.
  intros may sound moves lag. destruct moves as [p begins new|c rest head].
  - (* Both record, and the markers that wait for this are consumed. *)
    destruct (catch_up initiators (record p u) (record p v) (blocked u)) as (v' & run & less).
    { apply lags_record, lag. }
    { intros c. rewrite recorded_after_record, closed_after_record. unfold blocked.
      destruct (same_process (target c) p); [discriminate|]. intros ->. apply andb_true_r. }
    exists v'. split; [|exact less]. eapply goes_on; [|exact run].
    apply of_overlay, by_itself; [cbn; auto | rewrite (same_saved _ _ _ lag); exact new].
  - pose proof (one_marker _ _ _ (sound c)) as open. rewrite head in open. cbn in open.
    assert (free : closed (chan u c) = false).
    { destruct (closed (chan u c)); [|reflexivity].
      destruct (recorded u (source c)); rewrite Nat.add_comm in open; discriminate. }
    assert (same_queue : queue (chan v c) = Marker :: rest).
    { rewrite (marker_waits _ _ _ lag). unfold blocked. rewrite free. exact head. }
    assert (consumed : lags_by (fun d => if same_channel d c then true else blocked u d) (consume c rest u) v).
    { pose proof lag as [l s r q o k]. constructor; cbn; auto; intros d; unfold on_channel, change;
        destruct (same_channel d c) as [->|]; cbn; auto.
      rewrite o. unfold blocked. rewrite free. reflexivity. }
    assert (consume_too : forall after, after = on_marker (chandy_lamport initiators) c rest v ->
                          step (chandy_lamport initiators) v after).
    { intros after ->. apply of_overlay, on_a_marker, same_queue. }
    pose proof (lags_less _ _ _ c consumed) as both.
    replace (queue (chan (consume c rest u) c)) with rest in both by (cbn; rewrite on_channel_same; reflexivity).
    rewrite same_channel_refl in both. specialize (both eq_refl).
    unfold on_marker. destruct (recorded u (target c)) eqn:was; cbn [negb andb].
    + (* Both consume it. *)
      exists (consume c rest v). split.
      { apply runs_one, consume_too. unfold on_marker. rewrite (lags_recorded _ _ _ _ lag), was. reflexivity. }
      revert both. apply lags_by_same. intros d. unfold blocked. rewrite closed_after_consume, recorded_after_consume.
      destruct (same_channel d c) as [->|]; [rewrite was; reflexivity | apply andb_true_r].
    + destruct (joins B _).
      * (* Both record; the marker is the first that the one that lags consumes. *)
        destruct (catch_up initiators _ _ _ (lags_record _ _ _ (target c) both)) as (v' & run & less).
        { intros d. rewrite recorded_after_record, closed_after_record, closed_after_consume, recorded_after_consume.
          destruct (same_process (target d) (target c)) as [|other]; [discriminate|].
          destruct (same_channel d c) as [->|]; [contradiction other; reflexivity|].
          unfold blocked. intros ->. rewrite !andb_true_r. reflexivity. }
        exists v'. split; [|exact less]. eapply goes_on; [|exact run]. apply consume_too.
        unfold on_marker. rewrite (lags_recorded _ _ _ _ lag), was. reflexivity.
      * (* It waits. *)
        exists v. split; [apply stays|]. revert consumed. apply lags_by_same. intros d. unfold blocked.
        rewrite closed_after_consume, recorded_after_consume.
        destruct (same_channel d c) as [->|]; [rewrite was|]; reflexivity.
Qed.

Lemma blocks_refines_universal B : blocks B -> refines_universal B.
Proof. intros obeys u u' _. apply careful_step. intros c. apply obeys. Qed.

Lemma follows B initiators u :
  blocks B -> (forall p, begins B p = true -> initiators p = true) -> reachable B u ->
  exists v, reachable (chandy_lamport initiators) v /\ lags_by (blocked u) u v.
Proof.
  intros obeys may.
  apply (always _ _ (fun u => exists v, reachable (chandy_lamport initiators) v /\ lags_by (blocked u) u v)).
  - exists initial. split; [apply stays|]. constructor; cbn; auto.
  - intros a b reached moves (v & reached' & lag). destruct moves as [b app|b over].
    + destruct (follows_application B initiators a b v obeys app lag) as (v' & moves & less).
      exists v'. split; [eapply runs_app; [exact reached' | apply runs_one, moves] | exact less].
    + destruct (follows_overlay B initiators a b v may) as (v' & run & less); auto.
      { apply always_sound, (refines_reachable B); auto using blocks_refines_universal. }
      exists v'. split; [eapply runs_app; [exact reached' | exact run] | exact less].
Qed.

Lemma records_same u v processes channels :
  lags_by (blocked u) u v -> records u processes channels -> records v processes channels.
Proof.
  intros lag [all [saves stores]]. split; [|split].
  - intros p. specialize (all p). unfold done in *. rewrite (lags_recorded _ _ _ _ lag).
    apply andb_true_iff in all as [-> shut]. apply all_inputs_closed_iff. intros c into.
    rewrite (open_if_waits _ _ _ lag), (proj1 (all_inputs_closed_iff _ _) shut c into).
    unfold blocked, recorded. rewrite saves, andb_false_r. reflexivity.
  - intros p. rewrite (same_saved _ _ _ lag). apply saves.
  - intros c. rewrite (same_recording _ _ _ lag). apply stores.
Qed.

(** ** Whose snapshots are whose *)

(** What an algorithm that reads nothing from behind a marker records, whenever its processes record, Chandy-Lamport
    can record if those who begin may begin there too: blocking makes no snapshot possible. *)
Theorem blocking_adds_nothing B initiators :
  blocks B -> (forall p, begins B p = true -> initiators p = true) -> included B (chandy_lamport initiators).
Proof.
  intros obeys may processes channels (u & reached & recording).
  destruct (follows B initiators u obeys may reached) as (v & reached' & lag).
  exists v. split; [exact reached' | exact (records_same _ _ _ _ lag recording)].
Qed.

Lemma refines_included A : refines_universal A -> included A universal.
Proof. intros refines processes channels (s & reached & recording). exists s. eauto using refines_reachable. Qed.

(** Who may begin where the other may, reads as freely and joins when the other does, can take all of its steps. *)
Lemma freer_included A B :
  (forall p, begins A p = true -> begins B p = true) ->
  (forall r c, reads A r c = true -> reads B r c = true) ->
  (forall all_closed, joins A all_closed = joins B all_closed) ->
  included A B.
Proof.
  intros begun read joined processes channels (s & reached & recording). exists s. split; [|exact recording].
  refine (runs_weaken _ _ _ _ _ reached). intros t u [v app|v [p may new|c rest head]].
  - apply of_application, (application_allowed A); auto.
  - apply of_overlay, by_itself; auto.
  - replace (on_marker A c rest t) with (on_marker B c rest t) by (unfold on_marker; rewrite joined; reflexivity).
    apply of_overlay, on_a_marker, head.
Qed.

(** The aligned checkpoint's snapshots are Chandy-Lamport's, begun by the same processes. *)
Theorem aligned_in_chandy_lamport : included flink_aligned (chandy_lamport has_no_inputs).
Proof. apply blocking_adds_nothing; cbn; auto. intros r c. auto. Qed.

(** Chandy-Lamport's snapshots are the specification's. *)
Theorem chandy_lamport_in_universal initiators : included (chandy_lamport initiators) universal.
Proof. apply refines_included, chandy_lamport_refines_universal. Qed.

(** The specification's snapshots are Chandy-Lamport's where everybody may begin. *)
Theorem universal_in_chandy_lamport : included universal (chandy_lamport (fun _ => true)).
Proof. apply blocking_adds_nothing; cbn; auto. intros r c. auto. Qed.

(** The aligned checkpoint's snapshots are possible at least once as well. *)
Theorem aligned_in_at_least_once : included flink_aligned flink_at_least_once.
Proof. apply freer_included; auto. Qed.

(** *** With a coordinator *)

(** Once the coordinator has spoken, whoever may begin and has not recorded can be told at any moment. *)
Lemma told_follow A s :
  reachable A s ->
  exists g, coordinated_reachable A g /\ world g = s /\
    forall p, begins A p = true -> recorded s p = false -> instruction g p = Travelling.
Proof.
  apply (always _ _ (fun s => exists g, coordinated_reachable A g /\ world g = s /\
    forall p, begins A p = true -> recorded s p = false -> instruction g p = Travelling)).
  - exists (after_instructing A initially_coordinated). split; [|split; [reflexivity|]].
    + apply runs_one, of_coordination, instructs. reflexivity.
    + intros p may _. cbn. rewrite may. reflexivity.
  - intros a b _ moves (g & reached & <- & told).
    assert (kept : forall p, begins A p = true -> recorded b p = false -> instruction g p = Travelling).
    { intros p. destruct (recorded (world g) p) eqn:was; [|auto].
      rewrite (proj1 (step_keeps _ _ _ moves) p was). discriminate. }
    destruct moves as [b app|b [p may new|c rest head]].
    + eexists. split; [eapply runs_app; [exact reached | apply runs_one, of_world, app]|].
      split; [reflexivity | exact kept].
    + exists (after_instruction p g). split; [|split].
      * eapply runs_app; [exact reached | apply runs_one, of_coordination, instruction_arrives].
        apply told, recorded_none, new. exact may.
      * cbn. rewrite (recorded_none _ _ new). reflexivity.
      * intros q may' still. cbn. unfold change. destruct (same_process q p) as [->|]; [|exact (kept q may' still)].
        rewrite recorded_after_record in still. destruct (same_process p p); [discriminate | contradiction].
    + eexists. split; [eapply runs_app; [exact reached | apply runs_one, of_coordination, marker_arrives, head]|].
      split; [reflexivity | exact kept].
Qed.

(** A coordinator changes no algorithm's snapshots. *)
Theorem coordinated_is_the_same A processes channels :
  coordinated_snapshot_of A processes channels <-> snapshot_of A processes channels.
Proof.
  split.
  - intros (g & reached & recording). exists (world g). auto using coordinated_world_reachable.
  - intros (s & reached & recording). destruct (told_follow A s reached) as (g & reached' & <- & _). exists g. auto.
Qed.

(** The general algorithm, driven by a coordinator, can record exactly what the specification allows. *)
Theorem general_is_universal processes channels :
  coordinated_snapshot_of general processes channels <-> snapshot_of universal processes channels.
Proof.
  rewrite coordinated_is_the_same. split; [apply chandy_lamport_in_universal | apply universal_in_chandy_lamport].
Qed.

(** Taken literally, it can record that too (and what it should not: Counterexamples.v). *)
Theorem universal_in_general_literal processes channels :
  snapshot_of universal processes channels -> coordinated_snapshot_of general_literal processes channels.
Proof. rewrite coordinated_is_the_same. apply freer_included; auto. Qed.

End Inclusion.
