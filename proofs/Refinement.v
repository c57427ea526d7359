(** * Refinement: the algorithms are ways to do what the specification allows (T3, T8)

    All machines share their states and their moves, so a simulation is the identity, or forgets the coordinator. What
    remains to be shown is that a step is allowed: one step of an algorithm is at most two of [universal] - to consume
    a marker, and to record because of it - and [universal] forbids only to read past a marker before recording.
    The aligned algorithm obeys since it blocks. Chandy-Lamport does since there no process is in such a place:
    whoever has consumed a marker has recorded. And a coordinator only makes processes begin that could have begun by
    themselves. So T1 and T2 hold of all of them. *)

Require Import List Bool Arith.
Import ListNotations.
From Snapcheck Require Import Machine Universal.

Section Refinement.
Context {S : System}.

(** ** What holds under every algorithm *)

Lemma runs_app {A} (step : A -> A -> Prop) a b c : runs step a b -> runs step b c -> runs step a c.
Proof. intros first. induction first; eauto using goes_on. Qed.

Lemma runs_one {A} (step : A -> A -> Prop) a b : step a b -> runs step a b.
Proof. eauto using goes_on, stays. Qed.

Lemma runs_weaken {A} (step step' : A -> A -> Prop) a b :
  (forall a b, step a b -> step' a b) -> runs step a b -> runs step' a b.
Proof. intros more run. induction run; eauto using goes_on, stays. Qed.

(** An invariant may use that the state is reachable. *)
Lemma always {A} (step : A -> A -> Prop) (start : A) (P : A -> Prop) :
  P start ->
  (forall a b, runs step start a -> step a b -> P a -> P b) ->
  forall a, runs step start a -> P a.
Proof.
  intros first keeps. enough (forall a b, runs step a b -> runs step start a -> P a -> P b) by eauto using stays.
  induction 1; eauto using runs_app, runs_one.
Qed.

Lemma saved_none s p : recorded s p = false -> saved s p = None.
Proof. unfold recorded. destruct (saved s p); congruence. Qed.

Lemma closed_after_record p s c : closed (chan (record p s) c) = closed (chan s c).
Proof. cbn. destruct (same_process (target c) p), (same_process (source c) p); reflexivity. Qed.

Lemma closed_after_consume c rest s d :
  closed (chan (consume c rest s) d) = if same_channel d c then true else closed (chan s d).
Proof. cbn. unfold on_channel, change. destruct (same_channel d c); reflexivity. Qed.

Lemma closed_after_marker A c rest s d :
  closed (chan (on_marker A c rest s) d) = if same_channel d c then true else closed (chan s d).
Proof. unfold on_marker. destruct (_ && _); rewrite ?closed_after_record; apply closed_after_consume. Qed.

Lemma recorded_after_marker A c rest s p :
  recorded (on_marker A c rest s) p
  = recorded s p
    || if same_process p (target c) then joins A (all_inputs_closed (consume c rest s) (target c)) else false.
Proof.
  unfold on_marker. destruct (same_process p (target c)) as [->|other].
  - destruct (recorded s (target c)) eqn:was; [exact was|]. cbn.
    destruct (joins A _); [|exact was]. rewrite recorded_after_record.
    destruct (same_process _ _); [reflexivity | contradiction].
  - rewrite orb_false_r. destruct (_ && _); [|reflexivity]. rewrite recorded_after_record.
    destruct (same_process _ _); [contradiction | reflexivity].
Qed.

(** The application neither records nor closes. *)
Lemma application_keeps A s s' :
  application_step A s s' ->
  (forall p, recorded s' p = recorded s p) /\ (forall c, closed (chan s' c) = closed (chan s c)).
Proof.
  assert (sending : forall p sends l t c, closed (chan (after_act p sends l t) c) = closed (chan t c)).
  { intros p sends l t c. cbn. destruct (same_process (source c) p); reflexivity. }
  intros [p sends l _|c m rest sends l _ _ _]; split; try reflexivity; intros d; rewrite ?sending; [reflexivity|].
  unfold after_receive. rewrite sending. cbn. unfold on_channel, change.
  destruct (same_channel d c) as [->|]; reflexivity.
Qed.

Lemma all_inputs_closed_iff s p :
  all_inputs_closed s p = true <-> forall c, target c = p -> closed (chan s c) = true.
Proof.
  unfold all_inputs_closed. rewrite forallb_forall. split.
  - intros all c <-. specialize (all c (every_channel c)).
    destruct (same_process (target c) (target c)); [assumption | contradiction].
  - intros all c _. destruct (same_process (target c) p); auto.
Qed.

(** What has been recorded or closed stays so. *)
Lemma step_keeps A s s' :
  step A s s' ->
  (forall p, recorded s p = true -> recorded s' p = true) /\
  (forall c, closed (chan s c) = true -> closed (chan s' c) = true).
Proof.
  intros [t app|t [p _ new|c rest head]].
  - destruct (application_keeps A s t app) as [same same']. split; intros x; rewrite ?same, ?same'; auto.
  - split; intros x was.
    + rewrite recorded_after_record. destruct (same_process x p); auto.
    + rewrite closed_after_record. assumption.
  - split; intros x was.
    + rewrite recorded_after_marker, was. reflexivity.
    + rewrite closed_after_marker. destruct (same_channel x c); auto.
Qed.

Lemma done_stays A s s' p : step A s s' -> done s p = true -> done s' p = true.
Proof.
  intros one. destruct (step_keeps A s s' one) as [records closes]. unfold done.
  rewrite !andb_true_iff, !all_inputs_closed_iff. intuition.
Qed.

(** An algorithm that reads as freely lets the application do the same. *)
Lemma application_allowed A B s s' :
  (forall c, reads A (recorded s (target c)) (closed (chan s c)) = true ->
             reads B (recorded s (target c)) (closed (chan s c)) = true) ->
  application_step A s s' -> application_step B s s'.
Proof. intros more [p sends l can|c m rest sends l head open can]; constructor; auto. Qed.

(** ** Simulation *)

(** At most two steps. *)
Inductive few_steps {A} (step : A -> A -> Prop) (a : A) : A -> Prop :=
| none : few_steps step a a
| one b : step a b -> few_steps step a b
| two b c : step a b -> step b c -> few_steps step a c.

Lemma few_steps_run {A} (step : A -> A -> Prop) a b : few_steps step a b -> runs step a b.
Proof. destruct 1; eauto using goes_on, stays. Qed.

(** Each step of [A], from where [A] can get, is none, one or two of [universal]. *)
Definition refines_universal (A : algorithm) : Prop :=
  forall s s', reachable A s -> step A s s' -> few_steps (step universal) s s'.

(** [A] does not read past a marker before recording, by rule or since it never gets there. *)
Definition careful (A : algorithm) (s : state) : Prop :=
  forall c, reads A (recorded s (target c)) (closed (chan s c)) = true ->
            not_past_a_marker (recorded s (target c)) (closed (chan s c)) = true.

Lemma marker_is_allowed A s c rest :
  queue (chan s c) = Marker :: rest -> few_steps (step universal) s (on_marker A c rest s).
Proof.
  intros head.
  assert (consumes : step universal s (consume c rest s)).
  { replace (consume c rest s) with (on_marker universal c rest s).
    - apply of_overlay, on_a_marker, head.
    - unfold on_marker. cbn [joins universal]. rewrite andb_false_r. reflexivity. }
  unfold on_marker. destruct (negb _ && _) eqn:joins; [|apply one, consumes].
  apply andb_true_iff in joins as [new _].
  apply two with (consume c rest s); [exact consumes|].
  apply of_overlay, by_itself; [reflexivity|]. apply saved_none, negb_true_iff, new.
Qed.

Lemma careful_step A s s' : careful A s -> step A s s' -> few_steps (step universal) s s'.
Proof.
  intros obeys [t app|t over].
  - apply one, of_application, (application_allowed A); assumption.
  - destruct over as [p _ new|c rest head].
    + apply one, of_overlay, by_itself; [reflexivity | exact new].
    + apply marker_is_allowed, head.
Qed.

Lemma refines_reachable A s : refines_universal A -> reachable A s -> reachable universal s.
Proof.
  intros refines. apply (always (step A) initial (reachable universal)); [apply stays|].
  intros a b before step after. eapply runs_app; [exact after|]. apply few_steps_run, refines; assumption.
Qed.

(** The specification refines itself. *)
Lemma universal_refines_universal : refines_universal universal.
Proof. intros s s' _. apply one. Qed.

(** ** Chandy-Lamport *)

(** Whoever has consumed a marker has recorded. *)
Lemma closed_has_recorded initiators s :
  reachable (chandy_lamport initiators) s ->
  forall c, closed (chan s c) = true -> recorded s (target c) = true.
Proof.
  apply (always _ _ (fun s => forall c, closed (chan s c) = true -> recorded s (target c) = true)); [discriminate|].
  intros a b _ [t app|t [p _ _|d rest _]] before c.
  - destruct (application_keeps _ a t app) as [same same']. rewrite same, same'. apply before.
  - rewrite closed_after_record, recorded_after_record.
    destruct (same_process (target c) p); auto.
  - rewrite closed_after_marker, recorded_after_marker. cbn [joins chandy_lamport].
    destruct (same_channel c d) as [->|].
    + destruct (same_process (target d) (target d)); [|contradiction]. auto using orb_true_r.
    + intros shut. rewrite before by assumption. reflexivity.
Qed.

(** T3: Chandy-Lamport refines the specification, whoever begins. *)
Theorem chandy_lamport_refines_universal initiators : refines_universal (chandy_lamport initiators).
Proof.
  intros s s' before. apply careful_step. intros c _.
  unfold not_past_a_marker. destruct (closed (chan s c)) eqn:shut; [|apply orb_true_r].
  rewrite (closed_has_recorded _ _ before c shut). reflexivity.
Qed.

(** ** Flink *)

(** T3: the aligned checkpoint refines the specification. *)
Theorem flink_aligned_refines_universal : refines_universal flink_aligned.
Proof. intros s s' _. apply careful_step. intros c. cbn. auto. Qed.

(** Each process has at most one input. *)
Definition single_inputs : Prop := forall c d : channel, target c = target d -> c = d.

(** T8, second half: where no process has two inputs, each step of at-least-once is one of Chandy-Lamport. *)
Theorem at_least_once_refines_chandy_lamport :
  single_inputs -> forall s s', step flink_at_least_once s s' -> step (chandy_lamport has_no_inputs) s s'.
Proof.
  intros single s s' [t app|t over].
  - apply of_application, (application_allowed flink_at_least_once); auto.
  - apply of_overlay. destruct over as [p source new|c rest head].
    + apply by_itself; assumption.
    + replace (on_marker flink_at_least_once c rest s) with (on_marker (chandy_lamport has_no_inputs) c rest s);
        [apply on_a_marker, head|].
      unfold on_marker. cbn [joins chandy_lamport flink_at_least_once].
      replace (all_inputs_closed (consume c rest s) (target c)) with true; [reflexivity|].
      symmetry. apply all_inputs_closed_iff. intros d into.
      rewrite (single d c into), closed_after_consume. destruct (same_channel c c); [reflexivity | contradiction].
Qed.

(** So it refines the specification there. *)
Lemma at_least_once_refines_universal : single_inputs -> refines_universal flink_at_least_once.
Proof.
  intros single s s' before moves.
  apply (chandy_lamport_refines_universal has_no_inputs); [|apply at_least_once_refines_chandy_lamport; assumption].
  exact (runs_weaken _ _ _ _ (at_least_once_refines_chandy_lamport single) before).
Qed.

(** ** Coordinated algorithms *)

(** Only those are told who may begin. *)
Lemma told_may_begin A g :
  coordinated_reachable A g -> forall p, instruction g p = Travelling -> begins A p = true.
Proof.
  apply (always _ _ (fun g => forall p, instruction g p = Travelling -> begins A p = true)); [discriminate|].
  intros a b _ [s' app|t [idle|p travels|c rest head|p travels]] before q; cbn; auto.
  - destruct (begins A q); [reflexivity | discriminate].
  - unfold change. destruct (same_process q p); [discriminate | auto].
Qed.

(** T3: with the coordinator forgotten, each step of a coordinated algorithm is none or one of the algorithm itself. *)
Theorem coordinated_refines A g g' :
  coordinated_reachable A g -> coordinated_step A g g' -> world g' = world g \/ step A (world g) (world g').
Proof.
  intros before [s' app|t [idle|p travels|c rest head|p travels]]; cbn; auto.
  - right. apply of_application, app.
  - destruct (recorded (world g) p) eqn:was; [auto|].
    right. apply of_overlay, by_itself; [exact (told_may_begin A g before p travels) | apply saved_none, was].
  - right. apply of_overlay, on_a_marker, head.
Qed.

Lemma coordinated_run A g g' :
  coordinated_reachable A g -> runs (coordinated_step A) g g' -> runs (step A) (world g) (world g').
Proof.
  intros before run. induction run as [g|g g' g'' moves _ IH]; [apply stays|].
  assert (after : coordinated_reachable A g') by (eapply runs_app; [exact before | apply runs_one, moves]).
  destruct (coordinated_refines A g g' before moves) as [<- | moves']; eauto using goes_on.
Qed.

Lemma coordinated_world_reachable A g : coordinated_reachable A g -> reachable A (world g).
Proof. apply coordinated_run, stays. Qed.

(** T3: the coordinator-driven general algorithm refines the specification, the coordinator forgotten; and so does
    every algorithm that does so without one. *)
Theorem coordinated_refines_universal A g g' :
  refines_universal A -> coordinated_reachable A g -> coordinated_step A g g' ->
  few_steps (step universal) (world g) (world g').
Proof.
  intros refines before moves. destruct (coordinated_refines A g g' before moves) as [-> | moves']; [apply none|].
  apply refines; [apply coordinated_world_reachable, before | exact moves'].
Qed.

Corollary general_refines_universal g g' :
  coordinated_reachable general g -> coordinated_step general g g' ->
  few_steps (step universal) (world g) (world g').
Proof. apply coordinated_refines_universal, chandy_lamport_refines_universal. Qed.

Lemma reporting_keeps p s g q :
  (forall q, report g q <> Unsent -> done s q = true) ->
  report (reporting p s g) q <> Unsent -> done s q = true.
Proof.
  intros before. unfold reporting. cbn. destruct (done s p && is_unsent (report g p)) eqn:says; [|apply before].
  unfold change. destruct (same_process q p) as [->|]; [|apply before].
  apply andb_true_iff in says as [is_done _]. auto.
Qed.

(** A report tells the truth, and the declaration is made of all reports. *)
Lemma reports_are_true A g :
  coordinated_reachable A g ->
  (forall p, report g p <> Unsent -> done (world g) p = true) /\
  (declared g = true -> forall p, has_arrived (report g p) = true).
Proof.
  apply (always _ _ (fun g =>
    (forall p, report g p <> Unsent -> done (world g) p = true) /\
    (declared g = true -> forall p, has_arrived (report g p) = true))).
  { split; [intros p sent; contradiction sent; reflexivity | discriminate]. }
  intros a b before step [honest whole].
  assert (kept : forall p, report a p <> Unsent -> done (world b) p = true).
  { intros p sent. destruct (coordinated_refines A a b before step) as [-> | moves]; eauto using done_stays. }
  assert (arrived : forall p q s, declared a = true -> has_arrived (report (reporting p s a) q) = true).
  { intros p q s says. unfold reporting. cbn.
    destruct (done s p && is_unsent (report a p)) eqn:new; [|apply (whole says)].
    apply andb_true_iff in new as [_ unsent]. pose proof (whole says p) as was.
    destruct (report a p); discriminate. }
  destruct step as [s' app|t [idle|p travels|c rest head|p travels]]; cbn in *; auto.
  - split; [|intros says q; apply (arrived p q _ says)].
    intros q. apply (reporting_keeps p _ a). exact kept.
  - split; [|intros says q; apply (arrived (target c) q _ says)].
    intros q. apply (reporting_keeps (target c) _ a). exact kept.
  - split.
    + intros q. unfold change. destruct (same_process q p) as [->|]; [|apply honest].
      intros _. apply honest. congruence.
    + rewrite forallb_forall. intros says q. apply says, every_process.
Qed.

(** What a coordinator declares complete is complete, under every algorithm. *)
Theorem declared_is_complete A g : coordinated_reachable A g -> declared g = true -> complete (world g).
Proof.
  intros before says p. destruct (reports_are_true A g before) as [honest whole].
  apply honest. specialize (whole says p). destruct (report g p); discriminate.
Qed.

(** ** What follows: T1 and T2 hold of all that refine the specification *)

(** The claims of a state, and with them the invariant from which they follow. *)
Definition snapshot_is_right (s : state) : Prop :=
  all_sound s /\ forall c, consistent_on s c /\ exact_on s c /\ arithmetic_on s c.

Theorem universal_is_right s : reachable universal s -> snapshot_is_right s.
Proof.
  intros before. pose proof (always_sound s before) as all. split; [exact all|].
  auto using sound_consistent, sound_exact, sound_arithmetic.
Qed.

Theorem chandy_lamport_is_right initiators s : reachable (chandy_lamport initiators) s -> snapshot_is_right s.
Proof. intros. eapply universal_is_right, refines_reachable; eauto using chandy_lamport_refines_universal. Qed.

Theorem flink_aligned_is_right s : reachable flink_aligned s -> snapshot_is_right s.
Proof. intros. eapply universal_is_right, refines_reachable; eauto using flink_aligned_refines_universal. Qed.

Theorem at_least_once_is_right s : single_inputs -> reachable flink_at_least_once s -> snapshot_is_right s.
Proof. intros. eapply universal_is_right, refines_reachable; eauto using at_least_once_refines_universal. Qed.

(** And under a coordinator. *)
Theorem coordinated_is_right A g : refines_universal A -> coordinated_reachable A g -> snapshot_is_right (world g).
Proof.
  intros refines before. apply universal_is_right, (refines_reachable A); [exact refines|].
  apply coordinated_world_reachable, before.
Qed.

Corollary general_is_right g : coordinated_reachable general g -> snapshot_is_right (world g).
Proof. apply coordinated_is_right, chandy_lamport_refines_universal. Qed.

End Refinement.
