(** * CoordinatedProgress: the coordinator declares the snapshot complete (T7)

    The same as in Progress.v, of algorithms that are driven by a coordinator. There is a little more to do: the
    coordinator instructs once, and each process gets an instruction and sends a report.

    Why it does not get stuck: as long as a letter travels it can arrive. When all instructions have arrived, those who
    begin have recorded; so all is complete, or some channel from a process that has recorded is open, whose marker lies
    in it and can come nearer ([goes_on_by_itself], which is what has to be shown of an algorithm). When all is
    complete, everybody has reported ([orderly]), and when all reports have arrived the coordinator has declared.

    It is shown of Chandy-Lamport where the initiators reach everybody, of the general algorithm on any graph since
    there the coordinator tells all, and of the aligned checkpoint where there is no cycle. *)

Require Import List Bool Arith Lia.
Import ListNotations.
From Snapcheck Require Import Machine Universal Refinement Aligned Counting Progress AlignedProgress.

Section CoordinatedProgress.
Context {S : System}.

(** ** What remains to be done *)

Definition to_arrive (letters : process -> letter) : nat :=
  total (fun p => pending (has_arrived (letters p))) processes.

(** The instruction, its arrivals, the channels to be closed, and the arrivals of the reports. *)
Definition outstanding (g : coordinated) : nat :=
  pending (instructed g) + to_arrive (instruction g) + open_channels (world g) + to_arrive (report g).

Lemma outstanding_initially :
  outstanding initially_coordinated = 1 + length processes + length channels + length processes.
Proof. unfold outstanding, to_arrive, open_channels. cbn. rewrite !total_of_ones. reflexivity. Qed.

Lemma arrival_lowers letters p :
  has_arrived (letters p) = false -> to_arrive (change same_process letters p Arrived) < to_arrive letters.
Proof.
  intros was. apply total_lt with p; [apply every_process | rewrite change_same, was; cbn; lia |].
  intros q. apply pending_le. unfold change. destruct (same_process q p); auto.
Qed.

Lemma reporting_leaves p s g : to_arrive (report (reporting p s g)) <= to_arrive (report g).
Proof.
  apply total_le. intros q. apply pending_le. cbn.
  destruct (done s p && is_unsent (report g p)) eqn:says; [|auto].
  unfold change. destruct (same_process q p) as [->|]; [|auto].
  destruct (report g p); cbn in *; rewrite ?andb_false_r in says; congruence.
Qed.

(** ** The coordinator's books *)

(** What the coordinator and the processes know of each other is in order. *)
Record orderly (A : algorithm) (g : coordinated) : Prop := {
  none_told : instructed g = false -> forall p, instruction g p = Unsent;
  all_told : instructed g = true -> forall p, begins A p = true -> instruction g p <> Unsent;
  told_has_recorded : forall p, instruction g p = Arrived -> recorded (world g) p = true;
  done_has_reported : forall p, done (world g) p = true -> report g p <> Unsent;
  all_reported : process -> (forall p, report g p = Arrived) -> declared g = true
}.

Lemma orderly_initially A : orderly A initially_coordinated.
Proof. split; cbn; try discriminate; auto. intros somebody all. discriminate (all somebody). Qed.

(** What happens at one process makes no other done. *)
Lemma done_elsewhere s s' p :
  (forall q, q <> p -> recorded s' q = true -> recorded s q = true) ->
  (forall c, target c <> p -> closed (chan s' c) = true -> closed (chan s c) = true) ->
  forall q, q <> p -> done s' q = true -> done s q = true.
Proof.
  intros records closes q other. unfold done. rewrite !andb_true_iff, !all_inputs_closed_iff.
  intros [is shut]. split; [auto|]. intros c into. apply closes; [congruence | auto].
Qed.

(** After [p] has moved and said so if it is done, whoever is done has reported. *)
Lemma reporting_is_orderly p s g :
  (forall q, q <> p -> done s q = true -> report g q <> Unsent) ->
  forall q, done s q = true -> report (reporting p s g) q <> Unsent.
Proof.
  intros others q is_done. cbn. unfold change.
  destruct (same_process q p) as [->|other].
  - rewrite is_done. cbn. destruct (report g p) eqn:was; cbn; [destruct (same_process p p)|..]; congruence.
  - destruct (_ && _); [destruct (same_process q p); [contradiction|]|]; auto.
Qed.

(** A new report is not an arrival. *)
Lemma reporting_arrives_nowhere p s g :
  (forall q, report (reporting p s g) q = Arrived) -> forall q, report g q = Arrived.
Proof.
  cbn. destruct (done s p && is_unsent (report g p)); [|auto]. intros all. specialize (all p).
  rewrite change_same in all. discriminate.
Qed.

Lemma orderly_step A g g' : coordinated_step A g g' -> orderly A g -> orderly A g'.
Proof.
  intros [s' app | t [idle | p travels | c rest head | p travels]] [none all told reported whole].
  - destruct (application_keeps A _ s' app) as [same same'].
    split; cbn; auto.
    + intros p. rewrite same. auto.
    + intros p is_done. apply reported. revert is_done. unfold done. rewrite same, !andb_true_iff.
      intros [is shut]. split; [exact is|]. revert shut. apply all_inputs_closed_same.
      intros c _. rewrite same'. auto.
  - split; cbn; auto; try discriminate.
    + intros _ p may. rewrite may. discriminate.
    + intros p arrived. destruct (begins A p); discriminate.
  - assert (now : forall q, recorded (if recorded (world g) p then world g else record p (world g)) q
                    = if same_process q p then true else recorded (world g) q).
    { intros q. destruct (recorded (world g) p) eqn:was; [|apply recorded_after_record].
      destruct (same_process q p) as [->|]; auto. }
    assert (shut : forall c, closed (chan (if recorded (world g) p then world g else record p (world g)) c)
                    = closed (chan (world g) c)).
    { intros c. destruct (recorded (world g) p); [reflexivity | apply closed_after_record]. }
    split.
    + cbn. intros untold. rewrite (none untold) in travels. discriminate.
    + cbn. intros is q. unfold change. destruct (same_process q p); [discriminate | auto].
    + intros q. cbn [after_instruction reporting world instruction]. rewrite now. unfold change.
      destruct (same_process q p); auto.
    + apply reporting_is_orderly. intros q other is_done. apply reported. revert is_done.
      apply (done_elsewhere _ _ p); [| | exact other].
      * intros r not. rewrite now. destruct (same_process r p); [contradiction | auto].
      * intros c _. rewrite shut. auto.
    + intros somebody arrived. apply (whole somebody). exact (reporting_arrives_nowhere _ _ _ arrived).
  - split; auto.
    + intros p arrived. cbn [reporting world]. rewrite recorded_after_marker, told by exact arrived. reflexivity.
    + apply reporting_is_orderly. intros q other is_done. apply reported. revert is_done.
      apply (done_elsewhere _ _ (target c)); [| | exact other].
      * intros r not. rewrite recorded_after_marker.
        destruct (same_process r (target c)); [contradiction | rewrite orb_false_r; auto].
      * intros d not. rewrite closed_after_marker. destruct (same_channel d c) as [->|]; [contradiction | auto].
    + intros somebody arrived. apply (whole somebody). exact (reporting_arrives_nowhere _ _ _ arrived).
  - split; cbn; auto.
    + intros q is_done. unfold change. destruct (same_process q p); [discriminate | auto].
    + intros _ arrived. apply forallb_forall. intros q _. rewrite arrived. reflexivity.
Qed.

Lemma always_orderly A g : coordinated_reachable A g -> orderly A g.
Proof. intros run. apply (runs_keep _ (orderly A) (orderly_step A) _ _ run), orderly_initially. Qed.

(** ** Boundedly many steps *)

(** Each step of the coordination leaves less outstanding. *)
Lemma coordination_lowers A g g' :
  all_sound (world g) -> orderly A g -> coordination_step A g g' -> outstanding g' < outstanding g.
Proof.
  intros all books [idle | p travels | c rest head | p travels]; unfold outstanding.
  - cbn [after_instructing world instructed instruction report]. rewrite idle.
    enough (to_arrive (fun p => if begins A p then Travelling else Unsent) <= to_arrive (instruction g)) by (cbn; lia).
    apply total_le. intros p. rewrite (none_told A g books idle). destruct (begins A p); reflexivity.
  - pose proof (reporting_leaves p (if recorded (world g) p then world g else record p (world g))
      (Coordinated (world g) (instructed g) (change same_process (instruction g) p Arrived) (report g) (declared g)))
      as reports.
    assert (less : to_arrive (change same_process (instruction g) p Arrived) < to_arrive (instruction g))
      by (apply arrival_lowers; rewrite travels; reflexivity).
    assert (closes : open_channels (if recorded (world g) p then world g else record p (world g))
                     <= open_channels (world g)).
    { apply open_channels_le. intros c. destruct (recorded (world g) p); [auto|]. rewrite closed_after_record. auto. }
    cbn in *. lia.
  - pose proof (reporting_leaves (target c) (on_marker A c rest (world g)) g) as reports.
    pose proof (marker_lowers A (world g) c rest all head) as closes. cbn in *. lia.
  - cbn [after_report world instructed instruction report].
    enough (to_arrive (change same_process (report g) p Arrived) < to_arrive (report g)) by lia.
    apply arrival_lowers. rewrite travels. reflexivity.
Qed.

(** A step of the application, below the coordinator. *)
Definition in_world (A : algorithm) (g g' : coordinated) : Prop :=
  exists s', application_step A (world g) s' /\
    g' = Coordinated s' (instructed g) (instruction g) (report g) (declared g).

Lemma application_leaves_outstanding A g g' : in_world A g g' -> outstanding g' <= outstanding g.
Proof.
  intros (s' & app & ->). unfold outstanding. cbn.
  enough (open_channels s' <= open_channels (world g)) by lia.
  apply open_channels_le. intros c. rewrite (proj2 (application_keeps A _ _ app)). auto.
Qed.

Lemma coordinated_reachable_step A g g' :
  coordinated_reachable A g -> coordinated_step A g g' -> coordinated_reachable A g'.
Proof. intros before one. eapply runs_app; [exact before | apply runs_one, one]. Qed.

Lemma coordinated_keeps_sound A g : refines_universal A -> coordinated_reachable A g -> all_sound (world g).
Proof. intros refines before. apply (coordinated_is_right A g refines before). Qed.

(** A run has at most as many steps of the coordination as are outstanding. *)
Theorem coordination_steps_are_bounded A n g h :
  refines_universal A -> coordinated_reachable A g ->
  takes (in_world A) (coordination_step A) n g h -> n + outstanding h <= outstanding g.
Proof.
  intros refines before run. revert run before. apply costly_steps_are_bounded.
  - intros a b reached app. split; [|exact (application_leaves_outstanding _ _ _ app)].
    destruct app as (s' & app & ->). eauto using coordinated_reachable_step, of_world.
  - intros a b reached coordinates. split; [eauto using coordinated_reachable_step, of_coordination|].
    apply (coordination_lowers A); eauto using coordinated_keeps_sound, always_orderly.
Qed.

(** T7: a run of the general algorithm has at most one step to instruct, one instruction and one report for each
    process, and one marker for each channel. *)
Corollary general_steps_are_bounded n g :
  takes (in_world general) (coordination_step general) n initially_coordinated g ->
  n <= 1 + length processes + length channels + length processes.
Proof.
  intros run. rewrite <- outstanding_initially.
  apply coordination_steps_are_bounded in run; [lia | apply chandy_lamport_refines_universal | apply stays].
Qed.

(** ** Completion *)

(** Less is outstanding, or as much and fewer messages lie before markers. *)
Definition nearer_declaration (g g' : coordinated) : Prop :=
  outstanding g' < outstanding g \/ outstanding g' <= outstanding g /\ in_front (world g') < in_front (world g).

(** Who coordinates has a step to make, or all instructions and reports have arrived. *)
Lemma letters_arrive A g :
  orderly A g ->
  (exists g', coordination_step A g g') \/
  (forall p, begins A p = true -> instruction g p = Arrived) /\ (forall p, report g p <> Travelling).
Proof.
  intros books. destruct (instructed g) eqn:told; [|left; eauto using instructs].
  destruct (all_or_one_not (fun p => match instruction g p with Travelling => false | _ => true end) processes)
    as [arrived | (p & _ & not)].
  - destruct (all_or_one_not (fun p => match report g p with Travelling => false | _ => true end) processes)
      as [settled | (p & _ & not)].
    + right. rewrite forallb_forall in arrived, settled. split; intros p.
      * intros may. specialize (arrived p (every_process p)). pose proof (all_told A g books told p may).
        destruct (instruction g p); easy.
      * specialize (settled p (every_process p)). destruct (report g p); easy.
    + left. eexists. apply (report_arrives A g p). destruct (report g p); easy.
  - left. eexists. apply (instruction_arrives A g p). destruct (instruction g p); easy.
Qed.

Section Completion.
Variable A : algorithm.

(** Once all those who begin have recorded, some channel from a recorded process is open until all is complete. *)
Definition goes_on_by_itself : Prop :=
  forall s, reachable A s -> (forall p, begins A p = true -> recorded s p = true) ->
  complete s \/ exists c, recorded s (source c) = true /\ closed (chan s c) = false.

Hypotheses (refines : refines_universal A) (open : reads_open A) (going : goes_on_by_itself).
Hypotheses (somebody : process) (can : all_can_be_received).

(** T7: such an algorithm does not get stuck under a coordinator: in every reachable state that is not declared
    complete there is a step that brings the declaration nearer. *)
Theorem coordinated_progress g :
  coordinated_reachable A g -> declared g = true \/ exists g', coordinated_step A g g' /\ nearer_declaration g g'.
Proof.
  intros before.
  pose proof (coordinated_keeps_sound A g refines before) as all. pose proof (always_orderly A g before) as books.
  assert (coordinates : forall g', coordination_step A g g' ->
            exists g', coordinated_step A g g' /\ nearer_declaration g g').
  { intros g' one. exists g'. split; [apply of_coordination, one|].
    left. exact (coordination_lowers _ _ _ all books one). }
  destruct (letters_arrive A g books) as [[g' one] | [told settled]]; [eauto|].
  destruct (going (world g)) as [is_complete | (c & sender & is_open)].
  - apply coordinated_world_reachable, before.
  - intros p may. apply (told_has_recorded A g books), told, may.
  - left. apply (all_reported A g books somebody). intros p.
    pose proof (done_has_reported A g books p (is_complete p)). specialize (settled p). destruct (report g p); easy.
  - right. destruct (open_channel_moves A (world g) c) as [[rest head] | (s' & app & less)]; auto.
    + eapply coordinates, marker_arrives, head.
    + eexists. split; [apply of_world, app|]. right. split; [|exact less].
      apply (application_leaves_outstanding A). exists s'. auto.
Qed.

(** T7: from every reachable state one can be reached in which the snapshot is complete and declared so. *)
Theorem coordinated_completes g :
  coordinated_reachable A g ->
  exists g', runs (coordinated_step A) g g' /\ declared g' = true /\ complete (world g').
Proof.
  intros before.
  destruct (descent (coordinated_step A) (coordinated_reachable A) (fun g => declared g = true)
    outstanding (fun g => in_front (world g))) with (a := g) as (g' & run & says); [| exact before |].
  - intros a reached. destruct (coordinated_progress a reached) as [|(b & one & less)]; [auto|].
    right. exists b. repeat split; [exact one | exact (coordinated_reachable_step _ _ _ reached one) | exact less].
  - exists g'. repeat split; [exact run | exact says |].
    apply (declared_is_complete A); [exact (runs_app _ _ _ _ before run) | exact says].
Qed.

(** T7: and a run that ends, ends with a snapshot that is complete and declared so, and with empty channels. *)
Theorem coordinated_terminates g :
  (forall is_closed, reads A true is_closed = true) ->
  coordinated_reachable A g -> (forall g', ~ coordinated_step A g g') ->
  declared g = true /\ complete (world g) /\ all_empty (world g).
Proof.
  intros free before ends.
  destruct (coordinated_progress g before) as [says|(g' & one & _)]; [|contradiction (ends g' one)].
  pose proof (declared_is_complete A g before says) as all. repeat split; [exact says | exact all|].
  apply (nothing_is_left A); auto.
  - intros t app. exact (ends _ (of_world A g t app)).
  - intros c rest head. eapply ends, of_coordination, marker_arrives, head.
Qed.

End Completion.

(** ** Who does *)

(** Chandy-Lamport, where the initiators reach everybody. *)
Lemma chandy_lamport_goes_on initiators :
  initiators_reach_all initiators -> goes_on_by_itself (chandy_lamport initiators).
Proof.
  intros reach s before begun. apply (some_channel_is_open initiators s before).
  intros p. destruct (reach p) as (q & may & way). exists q. auto.
Qed.

(** The general algorithm, on any graph: the coordinator tells all. *)
Lemma general_goes_on : goes_on_by_itself general.
Proof. apply chandy_lamport_goes_on. intros p. exists p. split; [reflexivity | constructor]. Qed.

(** The aligned checkpoint, where no channels form a cycle. *)
Lemma flink_aligned_goes_on : acyclic -> goes_on_by_itself flink_aligned.
Proof.
  intros [rank upwards] s before begun. destruct (complete_or_not s) as [|[p not]]; [auto | right].
  destruct (someone_to_wait_for s rank upwards before p not) as [(q & may & new) | found]; [|exact found].
  rewrite (begun q may) in new. discriminate.
Qed.

(** T7 of the general algorithm: nothing is asked of the graph. *)
Theorem general_completes g :
  process -> all_can_be_received -> coordinated_reachable general g ->
  exists g', runs (coordinated_step general) g g' /\ declared g' = true /\ complete (world g').
Proof.
  intros somebody can. apply coordinated_completes; auto using general_goes_on.
  - apply chandy_lamport_refines_universal.
  - easy.
Qed.

Theorem general_terminates g :
  process -> all_can_be_received -> coordinated_reachable general g -> (forall g', ~ coordinated_step general g g') ->
  declared g = true /\ complete (world g) /\ all_empty (world g).
Proof.
  intros somebody can. apply coordinated_terminates; auto using general_goes_on.
  - apply chandy_lamport_refines_universal.
  - easy.
Qed.

End CoordinatedProgress.
