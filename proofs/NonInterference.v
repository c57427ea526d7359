(** * NonInterference: what the snapshot does to the application

    It makes nothing possible: under every algorithm, whatever state the application gets into, it could get into
    alone. For a step of the application is an event of it, and a step of the algorithm moves no message and no process
    ([undisturbed]).

    And an algorithm that never refuses a message makes nothing impossible: what the application could do alone, it can
    do under the algorithm, if not at once then after the markers ahead of the message have been consumed
    ([never_blocks]). What consumes a marker may put another into the same channel, where it leads from a process to
    itself; but that lies behind the message. *)

Require Import List Bool Arith Lia.
Import ListNotations.
From Snapcheck Require Import Machine Universal Refinement Events Reachability.

Section NonInterference.
Context {S : System}.

(** ** Nothing becomes possible *)

Lemma application_is_an_event A s t :
  application_step A s t -> exists e, enabled e (present s) /\ agrees (happens e (present s)) (present t).
Proof.
  intros [p sends l can|c m rest sends l head _ can].
  - exists (Acts p sends l). split; [exact can | apply present_after_act].
  - exists (Receives c m sends l). split; [cbn; rewrite head; split; [exact can | reflexivity]|].
    apply present_after_receive, head.
Qed.

(** Under every algorithm the application does nothing that it could not do alone. *)
Theorem undisturbed A s : reachable A s -> leads everyone (present initial) (present s).
Proof.
  apply (always _ _ (fun s => leads everyone (present initial) (present s))).
  { apply nothing_happens, agrees_refl. }
  intros a b _ moves way. eapply leads_trans; [exact way|]. destruct moves as [b app|b [p _ _|c rest head]].
  - destruct (application_is_an_event A a b app) as (e & can & same). apply (leads_event _ e); auto. exact I.
  - apply nothing_happens, record_moves_nothing.
  - apply nothing_happens, marker_moves_nothing, head.
Qed.

(** Nor with a coordinator. *)
Corollary coordinated_undisturbed A g :
  coordinated_reachable A g -> leads everyone (present initial) (present (world g)).
Proof. intros before. apply (undisturbed A), coordinated_world_reachable, before. Qed.

(** ** Nothing becomes impossible *)

(** The markers ahead of the first message. *)
Fixpoint ahead (q : list item) : nat :=
  match q with Marker :: rest => 1 + ahead rest | _ => 0 end.

Lemma ahead_app q r : messages q <> [] -> ahead (q ++ r) = ahead q.
Proof. induction q as [|[m|] q IH]; cbn; intros some; [contradiction | reflexivity | f_equal; auto]. Qed.

Lemma queue_after_marker A c rest s :
  exists more, queue (chan (on_marker A c rest s) c) = rest ++ more.
Proof.
  unfold on_marker. destruct (_ && _); cbn; unfold on_channel.
  - destruct (same_process (target c) (target c)), (same_process (source c) (target c)); cbn;
      rewrite change_same; cbn; first [now exists [Marker] | exists []; now rewrite app_nil_r].
  - rewrite change_same. exists []. cbn. now rewrite app_nil_r.
Qed.

Section Unhindered.

(** A machine, with its steps that consume a marker, and what the application's state is in it. *)
Variables (A : algorithm) (machine : Type) (world_of : machine -> state) (consumes : machine -> machine -> Prop).
Hypothesis never_refuses : forall r c, reads A r c = true.
Hypothesis marker_can_be_consumed : forall x c rest,
  queue (chan (world_of x) c) = Marker :: rest ->
  exists y, consumes x y /\ world_of y = on_marker A c rest (world_of x).

Lemma message_comes_to_the_head c m x :
  hd_error (messages (queue (chan (world_of x) c))) = Some m ->
  exists y rest, runs consumes x y /\ agrees (present (world_of x)) (present (world_of y)) /\
    queue (chan (world_of y) c) = Message m :: rest.
Proof.
  remember (ahead (queue (chan (world_of x) c))) as k eqn:count. revert x count.
  induction k as [k nearer] using lt_wf_ind. intros x count first.
  destruct (queue (chan (world_of x) c)) as [|[m'|] rest] eqn:q; cbn in first; [discriminate | |].
  - injection first as ->. exists x, rest. split; [apply stays|]. split; [apply agrees_refl | exact q].
  - destruct (marker_can_be_consumed x c rest q) as (y & moves & there).
    destruct (queue_after_marker A c rest (world_of x)) as [more after]. rewrite <- there in after.
    assert (some : messages rest <> []) by (intros none; rewrite none in first; discriminate).
    destruct (nearer (ahead rest)) with (x := y) as (z & rest' & run & same & head).
    + cbn in count. lia.
    + rewrite after, ahead_app by exact some. reflexivity.
    + rewrite after, messages_app. destruct (messages rest); [contradiction | exact first].
    + exists z, rest'. split; [eapply goes_on; [exact moves | exact run]|]. split; [|exact head].
      eapply agrees_trans; [|exact same]. rewrite there. apply marker_moves_nothing, q.
Qed.

(** What the application could do alone, it can do at latest when markers ahead have been consumed. *)
Lemma unhindered e x :
  enabled e (present (world_of x)) ->
  exists y t, runs consumes x y /\ application_step A (world_of y) t /\
    agrees (happens e (present (world_of x))) (present t).
Proof.
  destruct e as [p sends l|c m sends l]; intros can.
  - exists x, (after_act p sends l (world_of x)). split; [apply stays|].
    split; [apply does, can | apply present_after_act].
  - destruct can as [can first].
    destruct (message_comes_to_the_head c m x first) as (y & rest & run & same & head).
    exists y, (after_receive c m rest sends l (world_of y)). split; [exact run|]. split.
    + apply receives; [exact head | apply never_refuses|]. destruct same as [lives _]. cbn in lives.
      rewrite <- lives. exact can.
    + eapply agrees_trans; [apply happens_agrees, same | apply present_after_receive, head].
Qed.

End Unhindered.

(** An algorithm that refuses no message keeps the application from nothing. *)
Theorem never_blocks A e s :
  (forall r c, reads A r c = true) -> enabled e (present s) ->
  exists s' t, runs (overlay_step A) s s' /\ application_step A s' t /\ agrees (happens e (present s)) (present t).
Proof.
  intros free. apply (unhindered A state (fun s => s) (overlay_step A) free).
  intros x c rest head. exists (on_marker A c rest x). split; [apply on_a_marker, head | reflexivity].
Qed.

(** Both halves together. *)
Corollary interferes_with_nothing A s :
  (forall r c, reads A r c = true) -> reachable A s ->
  leads everyone (present initial) (present s) /\
  forall e, enabled e (present s) ->
  exists s' t, runs (overlay_step A) s s' /\ application_step A s' t /\ agrees (happens e (present s)) (present t).
Proof. intros free before. split; [exact (undisturbed A s before) | intros e; apply never_blocks, free]. Qed.

(** Nor does it under a coordinator. *)
Theorem coordinated_never_blocks A e g :
  (forall r c, reads A r c = true) -> enabled e (present (world g)) ->
  exists g' t, runs (coordination_step A) g g' /\ application_step A (world g') t /\
    agrees (happens e (present (world g))) (present t).
Proof.
  intros free. apply (unhindered A coordinated world (coordination_step A) free).
  intros x c rest head. eexists. split; [apply marker_arrives, head | reflexivity].
Qed.

End NonInterference.
