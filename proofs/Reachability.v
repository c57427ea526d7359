(** * Reachability: the recorded state could have been, and may still matter (T6)

    The recorded state need not be one that the run passed through. But it can be reached from the application's state
    before the first record, and the present state can be reached from it, by steps of processes that have recorded
    (Chandy and Lamport's theorem 1, and more: in every state, not only when the snapshot is complete).

    Take the _partial_ state: where a process has recorded, what it recorded, elsewhere what it is now, and on the
    channels what is in flight across this cut (Universal.v). Nobody has recorded: the partial state is the present one.
    A record changes neither. A step of a process that has recorded leaves the partial state alone and goes on from the
    present one. A step of one that has not is a step of both states, and it can be put in front of the steps that
    lead from the one to the other, since these are of other processes: two events of different processes that are
    both possible can happen in either order (Events.v). So at every moment

<<
      before the first record  ->*  partial state  ->*  present state
>>

    and when the snapshot is complete, the partial state is the recorded one. States are compared pointwise. *)

Require Import List Bool Arith.
Import ListNotations.
From Snapcheck Require Import Machine Universal Refinement Events.

Section Reachability.
Context {S : System}.

(** ** The states of a snapshot *)

(** The application's state now. *)
Definition present (s : state) : application_state :=
  Alone (live s) (fun c => messages (queue (chan s c))).

Definition cut_local (s : state) (p : process) : local :=
  match saved s p with Some l => l | None => live s p end.

(** Recorded where recorded, live elsewhere. *)
Definition partial (s : state) : application_state :=
  Alone (cut_local s) (fun c => in_flight (chan s c)).

(** What is recorded of the whole; where nothing is recorded of a process, it is taken as it is. *)
Definition recorded_state (s : state) : application_state :=
  Alone (cut_local s) (fun c => recording (chan s c)).

Definition everyone (p : process) : Prop := True.
Definition who_recorded (s : state) (p : process) : Prop := recorded s p = true.

(** A step of the application leaves the cut where the process has recorded, and takes it along elsewhere. *)
Lemma cut_local_after s t p l :
  saved t = saved s -> live t = with_local s p l ->
  forall q, cut_local t q = if recorded s p then cut_local s q else change same_process (cut_local s) p l q.
Proof.
  intros same moved q. unfold cut_local, recorded. rewrite same, moved. unfold with_local, change.
  destruct (same_process q p) as [->|]; [|destruct (saved s p); reflexivity].
  destruct (saved s p); reflexivity.
Qed.

Lemma on_channel_at {B} (f : channel_state -> B) s c k d :
  f (on_channel s c k d) = if same_channel d c then f k else f (chan s d).
Proof. unfold on_channel, change. destruct (same_channel d c); reflexivity. Qed.

(** What acting does to what lies in a channel, and to what is in flight on it. *)
Lemma messages_after_act p sends l s c :
  messages (queue (chan (after_act p sends l s) c))
  = if same_process (source c) p then messages (queue (chan s c)) ++ for_channel c sends
    else messages (queue (chan s c)).
Proof. cbn. destruct (same_process (source c) p); cbn; rewrite ?messages_app, ?messages_sent; reflexivity. Qed.

(** Both kinds of step are events of the application, under every algorithm. *)
Lemma present_after_act p sends l s :
  agrees (happens (Acts p sends l) (present s)) (present (after_act p sends l s)).
Proof. split; [reflexivity|]. intros d. symmetry. apply messages_after_act. Qed.

Lemma present_after_receive c m rest sends l s :
  queue (chan s c) = Message m :: rest ->
  agrees (happens (Receives c m sends l) (present s)) (present (after_receive c m rest sends l s)).
Proof.
  intros head. split; [reflexivity|]. intros d. symmetry. etransitivity; [apply messages_after_act|].
  cbn. unfold on_flight, left_on. cbn. rewrite (on_channel_at (fun k => messages (queue k))).
  destruct (same_channel d c) as [->|]; [rewrite head|]; reflexivity.
Qed.

Lemma in_flight_after_act p sends l s c :
  all_sound s ->
  in_flight (chan (after_act p sends l s) c)
  = if recorded s p then in_flight (chan s c)
    else if same_process (source c) p then in_flight (chan s c) ++ for_channel c sends else in_flight (chan s c).
Proof.
  intros all. pose proof (in_flight_put _ _ _ (for_channel c sends) (all c)) as enters. cbn.
  destruct (same_process (source c) p) as [<-|]; [|destruct (recorded s p); reflexivity].
  rewrite enters. destruct (recorded s (source c)); [apply app_nil_r | reflexivity].
Qed.

(** What a step of the application is to the present state and to the partial one. *)
Lemma application_event s t :
  all_sound s -> application_step universal s t ->
  exists e,
    enabled e (present s) /\ agrees (happens e (present s)) (present t) /\
    (if recorded s (actor e) then agrees (partial s) (partial t)
     else enabled e (partial s) /\ agrees (happens e (partial s)) (partial t)).
Proof.
  intros all [p sends l can|c m rest sends l head open can].
  - exists (Acts p sends l). split; [exact can|]. split; [apply present_after_act|].
    pose proof (cut_local_after s (after_act p sends l s) p l eq_refl eq_refl) as moves.
    pose proof (fun d => in_flight_after_act p sends l s d all) as enters. cbn [actor].
    destruct (recorded s p) eqn:was.
    + split; [intros q; symmetry; apply moves | intros d; symmetry; apply enters].
    + split; [|split; [intros q; symmetry; apply moves | intros d; symmetry; apply enters]].
      cbn. unfold cut_local. rewrite (saved_none _ _ was). exact can.
  - exists (Receives c m sends l). split; [cbn; rewrite head; split; [exact can | reflexivity]|].
    pose proof (all_sound_take s c m rest head open all) as still.
    split; [apply present_after_receive, head|]. unfold after_receive. set (u := without_head c m rest s) in *.
    pose proof (cut_local_after s (after_act (target c) sends l u) (target c) l eq_refl eq_refl) as moves.
    pose proof (fun d => in_flight_after_act (target c) sends l u d still) as enters.
    pose proof (in_flight_take _ _ _ m rest head open (all c)) as leaves.
    change (recorded u) with (recorded s) in enters. cbn [actor].
    destruct (recorded s (target c)) eqn:was.
    + split; [intros q; symmetry; apply moves|]. intros d. symmetry. etransitivity; [apply enters|].
      cbn. rewrite (on_channel_at in_flight), was.
      destruct (same_channel d c) as [->|]; [symmetry; exact leaves | reflexivity].
    + split; [split|split; [intros q; symmetry; apply moves|]].
      * cbn. unfold cut_local. rewrite (saved_none _ _ was). exact can.
      * cbn. rewrite leaves. reflexivity.
      * intros d. symmetry. etransitivity; [apply enters|]. cbn. unfold on_flight, left_on. cbn.
        rewrite (on_channel_at in_flight), was. destruct (same_channel d c) as [->|]; [rewrite leaves|]; reflexivity.
Qed.

(** A step of the snapshot is none of the application, under every algorithm: it moves no message. *)
Lemma record_moves_nothing p s : agrees (present s) (present (record p s)).
Proof.
  split; [reflexivity|]. intros c. cbn. destruct (same_process (target c) p), (same_process (source c) p); cbn;
    rewrite ?messages_app, ?app_nil_r; reflexivity.
Qed.

Lemma marker_moves_nothing A c rest s :
  queue (chan s c) = Marker :: rest -> agrees (present s) (present (on_marker A c rest s)).
Proof.
  intros head. assert (consumed : agrees (present s) (present (consume c rest s))).
  { split; [reflexivity|]. intros d. cbn. rewrite (on_channel_at (fun k => messages (queue k))).
    destruct (same_channel d c) as [->|]; [rewrite head|]; reflexivity. }
  unfold on_marker. destruct (_ && _); [eapply agrees_trans; [exact consumed | apply record_moves_nothing]|].
  exact consumed.
Qed.

(** Nor does it move the cut, which goes through the process that records. *)
Lemma overlay_moves_nothing s t :
  all_sound s -> overlay_step universal s t -> agrees (present s) (present t) /\ agrees (partial s) (partial t).
Proof.
  intros all [p _ new|c rest head].
  - split; [apply record_moves_nothing|]. split; intros i; cbn.
    + unfold cut_local, change. cbn. unfold change.
      destruct (same_process i p) as [->|]; [rewrite new|]; reflexivity.
    + specialize (all i).
      destruct (same_process (target i) p), (same_process (source i) p) as [<-|];
        rewrite ?in_flight_listen; try reflexivity;
        rewrite (recorded_none _ _ new) in all; symmetry; eapply in_flight_mark; exact all.
  - split; [apply marker_moves_nothing, head|].
    unfold on_marker. cbn [joins universal]. rewrite andb_false_r.
    split; intros i; cbn; try reflexivity; unfold on_channel, change.
    destruct (same_channel i c) as [->|]; [|reflexivity]. symmetry. eapply in_flight_consume; eauto.
Qed.

(** ** T6 *)

(** From the state before the first record to the partial state, and from there to the present one. *)
Definition on_the_way (before : application_state) (s : state) : Prop :=
  leads everyone before (partial s) /\ leads (who_recorded s) (partial s) (present s).

Lemma on_the_way_step before s t :
  all_sound s -> step universal s t -> on_the_way before s -> on_the_way before t.
Proof.
  intros all moves [past future].
  assert (more : forall p, who_recorded s p -> who_recorded t p) by apply (step_keeps _ _ _ moves).
  destruct moves as [t app|t over].
  - destruct (application_event s t all app) as (e & can & present_moves & partial_moves).
    destruct (recorded s (actor e)) eqn:was.
    + split; [eapply leads_trans; [exact past | auto using nothing_happens]|].
      apply (leads_from _ (partial s)); [exact partial_moves|].
      eapply leads_trans; [exact (leads_weaken _ _ _ _ more future)|].
      apply (leads_event _ e); auto.
    + destruct partial_moves as [can' partial_moves]. split.
      { eapply leads_trans; [exact past|]. apply (leads_event _ e); [exact I | assumption..]. }
      destruct (put_in_front (who_recorded s) e (partial s) (present s)) as [_ way]; auto.
      { intros p is_recorded same. unfold who_recorded in is_recorded. congruence. }
      eapply leads_from; [exact partial_moves|].
      eapply leads_trans; [exact (leads_weaken _ _ _ _ more way) | auto using nothing_happens].
  - destruct (overlay_moves_nothing s t all over) as [present_stays partial_stays].
    split; [eapply leads_trans; [exact past | auto using nothing_happens]|].
    eapply leads_from; [exact partial_stays|].
    eapply leads_trans; [exact (leads_weaken _ _ _ _ more future) | auto using nothing_happens].
Qed.

Lemma partial_before_the_first_record s :
  all_sound s -> (forall p, saved s p = None) -> agrees (present s) (partial s).
Proof.
  intros all nobody. split; [intros p | intros c]; cbn.
  - unfold cut_local. rewrite nobody. reflexivity.
  - specialize (all c). rewrite !(recorded_none _ _ (nobody _)) in all.
    destruct (unmarked_is_open _ _ all) as [none open]. unfold in_flight.
    rewrite (not_listening _ _ _ all), open, before_no_marker by auto. reflexivity.
Qed.

(** T6, in every state: from before the first record one comes to the partial state, from there to the present. *)
Theorem partial_state_is_on_the_way A s0 s :
  refines_universal A -> reachable A s0 -> (forall p, saved s0 p = None) -> runs (step A) s0 s ->
  on_the_way (present s0) s.
Proof.
  intros refines reached nobody run.
  assert (start : reachable universal s0) by eauto using refines_reachable.
  enough (reachable universal s /\ on_the_way (present s0) s) by tauto.
  revert s run. apply (always (step A)).
  { split; [exact start|]. pose proof (partial_before_the_first_record s0 (always_sound s0 start) nobody) as same.
    split; apply nothing_happens; auto using agrees_sym. }
  intros a b run moves [reached_a way].
  assert (more : runs (step universal) a b).
  { apply few_steps_run, refines; [eapply runs_app; [exact reached | exact run] | exact moves]. }
  clear run moves. induction more as [a|a b c moves more IH]; [auto|].
  apply IH; [eapply runs_app; [exact reached_a | apply runs_one, moves]|].
  apply (on_the_way_step _ a); auto using always_sound.
Qed.

Lemma complete_partial s : complete s -> agrees (partial s) (recorded_state s).
Proof.
  intros all. split; [reflexivity|]. intros c. cbn. unfold in_flight.
  specialize (all (target c)). apply andb_true_iff in all as [_ shut].
  rewrite (proj1 (all_inputs_closed_iff _ _) shut c eq_refl). apply app_nil_r.
Qed.

(** T6: the recorded state is reachable from the application's state before the first record, and the present state
    from it by steps of processes that have recorded only. *)
Theorem recorded_state_is_reachable A s0 s :
  refines_universal A -> reachable A s0 -> (forall p, saved s0 p = None) -> runs (step A) s0 s -> complete s ->
  leads everyone (present s0) (recorded_state s) /\ leads (who_recorded s) (recorded_state s) (present s).
Proof.
  intros refines reached nobody run all.
  destruct (partial_state_is_on_the_way A s0 s refines reached nobody run) as [past future].
  pose proof (complete_partial s all) as same. split.
  - eapply leads_trans; [exact past | apply nothing_happens, same].
  - eapply leads_from; [exact same | exact future].
Qed.

(** T6 under a coordinator, as for the general algorithm. *)
Theorem coordinated_recorded_state_is_reachable A g0 g :
  refines_universal A -> coordinated_reachable A g0 -> (forall p, saved (world g0) p = None) ->
  runs (coordinated_step A) g0 g -> complete (world g) ->
  leads everyone (present (world g0)) (recorded_state (world g)) /\
  leads (who_recorded (world g)) (recorded_state (world g)) (present (world g)).
Proof.
  intros refines reached nobody run.
  apply (recorded_state_is_reachable A); auto using coordinated_world_reachable, coordinated_run.
Qed.

(** ** Stable properties *)

(** Once true, true for good: no event of the application makes it false. *)
Definition stable (y : application_state -> Prop) : Prop :=
  (forall a b, agrees a b -> y a -> y b) /\ (forall e a, enabled e a -> y a -> y (happens e a)).

Lemma stable_leads y who a b : stable y -> leads who a b -> y a -> y b.
Proof. intros [same keeps] way. induction way; eauto. Qed.

(** T6, corollary: what is stable and held before the first record holds of the recorded state, and what is stable and
    holds of the recorded state holds now. *)
Theorem stable_property y A s0 s :
  stable y -> refines_universal A -> reachable A s0 -> (forall p, saved s0 p = None) -> runs (step A) s0 s ->
  complete s ->
  (y (present s0) -> y (recorded_state s)) /\ (y (recorded_state s) -> y (present s)).
Proof.
  intros is_stable refines reached nobody run all.
  destruct (recorded_state_is_reachable A s0 s refines reached nobody run all) as [past future].
  split; eapply stable_leads; eauto.
Qed.

(** T6, corollary: what the application conserves, the snapshot holds as much of as there was before it began. *)
Theorem conserved {amount} (amount_of : application_state -> amount) A s0 s :
  (forall a b, agrees a b -> amount_of a = amount_of b) ->
  (forall e a, enabled e a -> amount_of (happens e a) = amount_of a) ->
  refines_universal A -> reachable A s0 -> (forall p, saved s0 p = None) -> runs (step A) s0 s -> complete s ->
  amount_of (recorded_state s) = amount_of (present s0).
Proof.
  intros same keeps refines reached nobody run all.
  apply (stable_property (fun a => amount_of a = amount_of (present s0)) A s0 s); auto.
  split; intros; [rewrite <- (same a b) | rewrite keeps]; assumption.
Qed.

End Reachability.
