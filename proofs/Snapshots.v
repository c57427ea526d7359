(** * Snapshots: which there are

    By T6 a snapshot is a global state that the application could have reached by itself. The converse holds as well,
    as long as what has been sent can be received: every global state that the application can reach by itself can be
    recorded. Let it get there, let every process record on the spot, and wait: from then on the partial state of
    Reachability.v stays where it is, and when all channels are closed it is what has been recorded.

    So the snapshots of the specification, and with them those of the general algorithm and of Chandy-Lamport begun by
    all, are exactly the reachable global states: none is impossible, and none is out of reach. *)

Require Import List Bool Arith.
Import ListNotations.
From Snapcheck Require Import Machine Universal Refinement Events Reachability Inclusion Progress.

Section Snapshots.
Context {S : System}.

(** *** The application gets there, and nobody records *)

Definition nobody_recorded (s : state) : Prop := forall p, saved s p = None.

Lemma event_can_be_made e s :
  reachable universal s -> nobody_recorded s -> enabled e (present s) ->
  exists t, reachable universal t /\ nobody_recorded t /\ agrees (happens e (present s)) (present t).
Proof.
  intros before nobody can.
  assert (makes : exists t, application_step universal s t /\ saved t = saved s /\
                            agrees (happens e (present s)) (present t)).
  { destruct e as [p sends l|c m sends l].
    - exists (after_act p sends l s). split; [apply does, can|]. split; [reflexivity|]. split; [reflexivity|].
      intros c. symmetry. apply messages_after_act.
    - destruct can as [can head]. cbn in head.
      pose proof (always_sound s before c) as good.
      rewrite !(recorded_none _ _ (nobody _)) in good. destruct (unmarked_is_open _ _ good) as [none open].
      destruct (queue (chan s c)) as [|[m'|] rest] eqn:q; cbn in head, none; try discriminate.
      injection head as ->.
      exists (after_receive c m rest sends l s). split; [|split; [reflexivity|]].
      + apply receives; [exact q | cbn; rewrite open; apply orb_true_r | exact can].
      + split; [reflexivity|]. intros d. symmetry. etransitivity; [apply messages_after_act|].
        cbn. unfold on_flight, left_on. cbn. rewrite (on_channel_at (fun k => messages (queue k))).
        destruct (same_channel d c) as [->|]; [rewrite q|]; reflexivity. }
  destruct makes as (t & app & same & moves). exists t. split; [|split; [|exact moves]].
  - eapply runs_app; [exact before | apply runs_one, of_application, app].
  - intros p. rewrite same. apply nobody.
Qed.

Lemma application_gets_there x y :
  leads everyone x y -> forall s, reachable universal s -> nobody_recorded s -> agrees x (present s) ->
  exists t, reachable universal t /\ nobody_recorded t /\ agrees (present t) y.
Proof.
  intros way. induction way as [x y ends|e x y _ can way IH]; intros s before nobody same.
  - exists s. eauto using agrees_trans, agrees_sym.
  - destruct (event_can_be_made e s before nobody (enabled_agrees e _ _ same can)) as (t & reached & still & moves).
    apply (IH t reached still). eapply agrees_trans; [apply happens_agrees, same | exact moves].
Qed.

(** *** Everybody records on the spot *)

Definition all_recorded (s : state) : Prop := forall p, recorded s p = true.

Lemma partial_stays_when_recording s p :
  all_sound s -> saved s p = None -> agrees (partial s) (partial (record p s)).
Proof. intros all new. apply (overlay_moves_nothing s); [exact all|]. apply by_itself; [reflexivity | exact new]. Qed.

Lemma everybody_records (among : list process) s :
  reachable universal s ->
  exists t, reachable universal t /\ agrees (partial s) (partial t) /\ forall p, In p among -> recorded t p = true.
Proof.
  intros before. induction among as [|p among (t & reached & same & all)].
  - exists s. split; [exact before|]. split; [apply agrees_refl | contradiction].
  - destruct (recorded t p) eqn:was.
    + exists t. split; [exact reached|]. split; [exact same|]. intros q [<-|there]; auto.
    + pose proof (by_itself universal t p eq_refl (saved_none _ _ was)) as over.
      exists (record p t). split; [|split].
      * eapply runs_app; [exact reached | apply runs_one, of_overlay, over].
      * eapply agrees_trans; [exact same|]. apply partial_stays_when_recording; [apply always_sound, reached|].
        apply saved_none, was.
      * intros q there. rewrite recorded_after_record. destruct (same_process q p) as [|other]; [reflexivity|].
        destruct there as [->|there]; [contradiction other; reflexivity | auto].
Qed.

(** *** And the markers arrive *)

Lemma partial_stays s t :
  reachable universal s -> all_recorded s -> runs (step universal) s t -> agrees (partial s) (partial t).
Proof.
  intros before everybody run. induction run as [s|s t u moves run IH]; [apply agrees_refl|].
  assert (reached : reachable universal t) by (eapply runs_app; [exact before | apply runs_one, moves]).
  assert (still : all_recorded t) by (intros p; apply (step_keeps _ _ _ moves), everybody).
  apply agrees_trans with (partial t); [|auto]. pose proof (always_sound s before) as all.
  destruct moves as [t app|t over]; [|apply overlay_moves_nothing; assumption].
  destruct (application_event s t all app) as (e & _ & _ & unmoved). rewrite everybody in unmoved. exact unmoved.
Qed.

(** ** The snapshots are the reachable states *)

(** Every snapshot is a state that the application can reach by itself. *)
Theorem snapshots_are_reachable A processes channels :
  refines_universal A -> snapshot_of A processes channels ->
  leads everyone (present initial) (Alone processes channels).
Proof.
  intros refines (s & before & all & saves & stores).
  destruct (recorded_state_is_reachable A initial s refines) as [way _]; auto; [apply stays|].
  eapply leads_trans; [exact way|]. apply nothing_happens. split; cbn; [|exact stores].
  intros p. unfold cut_local. rewrite saves. reflexivity.
Qed.

(** The specification's snapshots are exactly the global states that the application can reach by itself. *)
Theorem snapshots_are_the_reachable_states processes channels :
  all_can_be_received ->
  (snapshot_of universal processes channels <-> leads everyone (present initial) (Alone processes channels)).
Proof.
  intros can. split; [apply snapshots_are_reachable, universal_refines_universal|]. intros way.
  destruct (application_gets_there _ _ way initial) as (s & before & nobody & there);
    [apply stays | intros p; reflexivity | apply agrees_refl|].
  destruct (everybody_records Machine.processes s before) as (t & reached & same & everybody).
  assert (all : all_recorded t) by (intros p; apply everybody, every_process).
  destruct (universal_completes t can reached) as (u & run & is_complete).
  exists u. split; [eapply runs_app; [exact reached | exact run]|].
  assert (recorded_there : agrees (recorded_state u) (Alone processes channels)).
  { eapply agrees_trans; [apply agrees_sym, complete_partial, is_complete|].
    eapply agrees_trans; [apply agrees_sym, partial_stays; eassumption|].
    eapply agrees_trans; [apply agrees_sym, same|]. eapply agrees_trans; [|exact there].
    apply agrees_sym, partial_before_the_first_record; [apply always_sound, before | exact nobody]. }
  destruct recorded_there as [processes_there channels_there].
  split; [exact is_complete|]. split; [|exact channels_there].
  intros p. specialize (processes_there p). cbn in processes_there. unfold cut_local in processes_there.
  pose proof (is_complete p) as is_done. unfold done, recorded in is_done.
  destruct (saved u p); [congruence | discriminate].
Qed.

End Snapshots.
