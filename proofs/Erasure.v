(** * Erasure: the past influences nothing

    The theorems speak of what was sent and received, which no machine remembers: a channel has a [past] only to state
    them. Here it is shown that this memory is idle. Take two machines that differ in what they remember and in nothing
    else, say all ([counted]) and [nothing]; and two states of theirs that agree but for the past. Every step that the
    one can take, the other can take as well, and again they agree. For every condition of a step asks only for what
    they agree upon, and every field but the past is computed from such fields.

    So the reachable states of the machine with a memory are those of the machine without one, each with a past
    added. As neither of the two is named, the same holds the other way round. The states hold functions; to agree means
    to agree at every argument. *)

Require Import List Bool Arith.
Import ListNotations.
From Snapcheck Require Import Machine.

(** ** Agreement *)

(** Functions that agree everywhere still do when both are changed in one place to things that agree. *)
Lemma change_agrees {A B C} (R : B -> C -> Prop) same (f : A -> B) (g : A -> C) a b c :
  R b c -> (forall x, R (f x) (g x)) -> forall x, R (change same f a b x) (change same g a c x).
Proof. intros here all x. unfold change. destruct (same x a); auto. Qed.

Lemma forallb_agrees {A} (f g : A -> bool) l : (forall x, f x = g x) -> forallb f l = forallb g l.
Proof. intros all. induction l as [|x l IH]; cbn; [reflexivity | rewrite all, IH; reflexivity]. Qed.

Section Erasure.
Context {S : System}.
Variables H1 H2 : @History S.

Record channels_agree (k1 : @channel_state S H1) (k2 : @channel_state S H2) : Prop := {
  same_queue : queue k1 = queue k2;
  same_closed : closed k1 = closed k2;
  same_recording : recording k1 = recording k2
}.

Record same_but_past (s1 : @state S H1) (s2 : @state S H2) : Prop := {
  same_live : forall p, live s1 p = live s2 p;
  same_saved : forall p, saved s1 p = saved s2 p;
  same_channels : forall c, channels_agree (chan s1 c) (chan s2 c)
}.

Record same_but_past_coordinated (g1 : @coordinated S H1) (g2 : @coordinated S H2) : Prop := {
  same_world : same_but_past (world g1) (world g2);
  same_instructed : instructed g1 = instructed g2;
  same_instruction : forall p, instruction g1 p = instruction g2 p;
  same_report : forall p, report g1 p = report g2 p;
  same_declared : declared g1 = declared g2
}.

Lemma initial_agrees : same_but_past initial initial.
Proof. repeat split. Qed.

Lemma initially_coordinated_agrees : same_but_past_coordinated initially_coordinated initially_coordinated.
Proof. repeat split. Qed.

(** ** What is asked of a state *)

Section Questions.
Variables (s1 : @state S H1) (s2 : @state S H2).
Hypothesis agree : same_but_past s1 s2.

Lemma recorded_agrees p : recorded s1 p = recorded s2 p.
Proof. unfold recorded. rewrite (same_saved _ _ agree p). reflexivity. Qed.

Lemma queue_agrees c : queue (chan s1 c) = queue (chan s2 c).
Proof. apply same_channels, agree. Qed.

Lemma closed_agrees c : closed (chan s1 c) = closed (chan s2 c).
Proof. apply same_channels, agree. Qed.

Lemma all_inputs_closed_agrees p : all_inputs_closed s1 p = all_inputs_closed s2 p.
Proof. apply forallb_agrees. intros c. rewrite closed_agrees. reflexivity. Qed.

Lemma done_agrees p : done s1 p = done s2 p.
Proof. unfold done. rewrite recorded_agrees, all_inputs_closed_agrees. reflexivity. Qed.

(** One is complete if the other is. *)
Lemma complete_agrees : complete s1 <-> complete s2.
Proof. split; intros all p; [rewrite <- done_agrees | rewrite done_agrees]; apply all. Qed.

(** ** What is done to a state *)

Lemma channel_change_agrees c k1 k2 :
  channels_agree k1 k2 -> forall d, channels_agree (on_channel s1 c k1 d) (on_channel s2 c k2 d).
Proof. intros here. apply change_agrees; [exact here | apply same_channels, agree]. Qed.

Lemma local_change_agrees p l q : with_local s1 p l q = with_local s2 p l q.
Proof. apply (change_agrees eq); [reflexivity | apply agree]. Qed.

Lemma act_agrees p sends l : same_but_past (after_act p sends l s1) (after_act p sends l s2).
Proof.
  split; cbn; [apply local_change_agrees | apply agree |]. intros c. destruct (same_channels _ _ agree c).
  destruct (same_process (source c) p); split; cbn; congruence.
Qed.

Lemma take_agrees c m rest : same_but_past (without_head c m rest s1) (without_head c m rest s2).
Proof.
  split; cbn; [apply agree | apply agree | apply channel_change_agrees].
  rewrite recorded_agrees. destruct (same_channels _ _ agree c) as [_ shut heard].
  split; cbn; rewrite ?shut, ?heard; reflexivity.
Qed.

Lemma consume_agrees c rest : same_but_past (consume c rest s1) (consume c rest s2).
Proof.
  split; cbn; [apply agree | apply agree | apply channel_change_agrees].
  destruct (same_channels _ _ agree c). split; cbn; congruence.
Qed.

Lemma record_agrees p : same_but_past (record p s1) (record p s2).
Proof.
  split; cbn.
  - apply agree.
  - apply (change_agrees eq); [f_equal |]; apply agree.
  - intros c. destruct (same_channels _ _ agree c).
    destruct (same_process (source c) p), (same_process (target c) p); split; cbn; congruence.
Qed.

End Questions.

Lemma marker_agrees A c rest s1 s2 :
  same_but_past s1 s2 -> same_but_past (on_marker A c rest s1) (on_marker A c rest s2).
Proof.
  intros agree. pose proof (consume_agrees _ _ agree c rest) as after. unfold on_marker.
  rewrite (recorded_agrees _ _ agree), (all_inputs_closed_agrees _ _ after).
  destruct (_ && _); [apply record_agrees |]; exact after.
Qed.

(** ** Steps *)

Lemma application_erasure A s1 s2 t1 :
  same_but_past s1 s2 -> application_step A s1 t1 -> exists t2, application_step A s2 t2 /\ same_but_past t1 t2.
Proof.
  intros agree [p sends l can | c m rest sends l head reads can]; eexists; split.
  - apply does. rewrite <- (same_live _ _ agree). exact can.
  - apply act_agrees, agree.
  - apply receives.
    + rewrite <- (queue_agrees _ _ agree). exact head.
    + rewrite <- (recorded_agrees _ _ agree), <- (closed_agrees _ _ agree). exact reads.
    + rewrite <- (same_live _ _ agree). exact can.
  - apply act_agrees, take_agrees, agree.
Qed.

(** What one machine does, another does too, whatever either remembers, and again they agree. *)
Theorem erasure A s1 s2 t1 :
  same_but_past s1 s2 -> step A s1 t1 -> exists t2, step A s2 t2 /\ same_but_past t1 t2.
Proof.
  intros agree [t app | t [p begins new | c rest head]].
  - destruct (application_erasure A s1 s2 t agree app) as (t2 & app2 & after). eauto using of_application.
  - eexists. split; [apply of_overlay, by_itself; [exact begins |] | apply record_agrees, agree].
    rewrite <- (same_saved _ _ agree). exact new.
  - eexists. split; [apply of_overlay, on_a_marker | apply marker_agrees, agree].
    rewrite <- (queue_agrees _ _ agree). exact head.
Qed.

Lemma reporting_agrees p s1 s2 g1 g2 :
  same_but_past s1 s2 -> same_but_past_coordinated g1 g2 ->
  same_but_past_coordinated (reporting p s1 g1) (reporting p s2 g2).
Proof.
  intros agree [worlds told instructions reports says]. split; cbn; auto.
  rewrite (done_agrees _ _ agree), reports. destruct (_ && _); [apply (change_agrees eq); auto | exact reports].
Qed.

(** The same with a coordinator. *)
Theorem coordinated_erasure A g1 g2 f1 :
  same_but_past_coordinated g1 g2 -> coordinated_step A g1 f1 ->
  exists f2, coordinated_step A g2 f2 /\ same_but_past_coordinated f1 f2.
Proof.
  intros agree. pose proof agree as [worlds told instructions reports says].
  intros [t app | t [idle | p travels | c rest head | p travels]].
  - destruct (application_erasure A _ _ t worlds app) as (t2 & app2 & after).
    eexists. split; [apply of_world, app2 | split; auto].
  - eexists. split; [apply of_coordination, instructs; congruence | split; cbn; auto].
  - eexists. split; [apply of_coordination, instruction_arrives; rewrite <- instructions; exact travels |].
    apply reporting_agrees; [| split; cbn; auto].
    + rewrite (recorded_agrees _ _ worlds p). destruct (recorded _ p); [exact worlds | apply record_agrees, worlds].
    + apply (change_agrees eq); auto.
  - eexists. split.
    + apply of_coordination, marker_arrives. rewrite <- (queue_agrees _ _ worlds). exact head.
    + apply reporting_agrees; [apply marker_agrees, worlds | exact agree].
  - eexists. split; [apply of_coordination, report_arrives; rewrite <- reports; exact travels |].
    assert (arrive : forall q,
      change same_process (report g1) p Arrived q = change same_process (report g2) p Arrived q)
      by (apply (change_agrees eq); auto).
    split; cbn; auto. apply forallb_agrees. intros q. rewrite arrive. reflexivity.
Qed.

(** ** Runs *)

Lemma runs_agree {A B} (R : A -> B -> Prop) (step1 : A -> A -> Prop) (step2 : B -> B -> Prop) :
  (forall a b a', R a b -> step1 a a' -> exists b', step2 b b' /\ R a' b') ->
  forall a a', runs step1 a a' -> forall b, R a b -> exists b', runs step2 b b' /\ R a' b'.
Proof.
  intros follows a a' run. induction run as [a | a x a' first run IH]; intros b agree.
  - eauto using stays.
  - destruct (follows a b x agree first) as (y & first2 & after). destruct (IH y after) as (b' & run2 & end_agrees).
    eauto using goes_on.
Qed.

End Erasure.

(** Agreement has no direction, so each machine follows the other: a bisimulation. *)
Lemma agreement_is_symmetric {S : System} (H1 H2 : History) (s1 : @state S H1) (s2 : @state S H2) :
  same_but_past H1 H2 s1 s2 -> same_but_past H2 H1 s2 s1.
Proof. intros [lives saves channels]. split; auto. intros c. destruct (channels c). split; auto. Qed.

Corollary erasure_back {S : System} (H1 H2 : History) A (s1 : @state S H1) (s2 t2 : @state S H2) :
  same_but_past H1 H2 s1 s2 -> step A s2 t2 -> exists t1, step A s1 t1 /\ same_but_past H1 H2 t1 t2.
Proof.
  intros agree moves. apply agreement_is_symmetric in agree.
  destruct (erasure H2 H1 A s2 s1 t2 agree moves) as (t1 & moves1 & after).
  eauto using agreement_is_symmetric.
Qed.

(** Every reachable state of a machine is, but for its past, one of the machine with any other memory. *)
Corollary reachable_erasure {S : System} (H1 H2 : History) A (s1 : @state S H1) :
  reachable A s1 -> exists s2 : @state S H2, reachable A s2 /\ same_but_past H1 H2 s1 s2.
Proof.
  intros run. eapply runs_agree; [| exact run | apply initial_agrees].
  intros a b a' agree first. exact (erasure H1 H2 A a b a' agree first).
Qed.

(** The same with a coordinator. *)
Corollary coordinated_reachable_erasure {S : System} (H1 H2 : History) A (g1 : @coordinated S H1) :
  coordinated_reachable A g1 ->
  exists g2 : @coordinated S H2, coordinated_reachable A g2 /\ same_but_past_coordinated H1 H2 g1 g2.
Proof.
  intros run. eapply runs_agree; [| exact run | apply initially_coordinated_agrees].
  intros a b a' agree first. exact (coordinated_erasure H1 H2 A a b a' agree first).
Qed.

(** In particular of a machine without a memory: it reaches the same states, no more and no fewer. *)
Corollary ghosts_influence_nothing {S : System} A :
  (forall s : @state S counted, reachable A s ->
     exists bare : @state S nothing, reachable A bare /\ same_but_past counted nothing s bare) /\
  (forall bare : @state S nothing, reachable A bare ->
     exists s : @state S counted, reachable A s /\ same_but_past nothing counted bare s).
Proof. split; apply reachable_erasure. Qed.
