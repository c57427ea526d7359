(** * Fairness: every fair run of Chandy-Lamport completes (T7)

    Progress.v shows that completion can always be reached. Here it is shown that it is reached, whatever the processes
    do, as long as channels are served: what lies at the head of a channel is taken some time. Nothing is asked about
    what is accepted, since a fair run is one in which it is.

    Take a channel from a process that has recorded, whose marker has not been consumed. Whatever happens, what has
    been received from it and what lies before its marker stay as many together. Each time the channel is served,
    there is one message less before the marker, or it was the marker's turn. So the channel is closed some time; and as
    there is such a channel until all is complete, and a finite number of channels, all is complete some time. *)

Require Import List Bool Arith Lia.
Import ListNotations.
From Snapcheck Require Import Machine Universal Refinement Progress.

Section Fairness.
Context {S : System}.

(** A run without an end; one that does end stays where it is. *)
Definition run_of (A : algorithm) (at_time : nat -> state) : Prop :=
  at_time 0 = initial /\ forall n, at_time (1 + n) = at_time n \/ step A (at_time n) (at_time (1 + n)).

(** What has been taken from a channel: messages, and the marker. *)
Definition taken (c : channel) (s : state) : nat :=
  length (received (past (chan s c))) + if closed (chan s c) then 1 else 0.

(** A channel in which something lies is served some time. *)
Definition fair (at_time : nat -> state) : Prop :=
  forall n c, queue (chan (at_time n) c) <> [] -> exists m, n <= m /\ taken c (at_time n) < taken c (at_time m).

(** ** While a channel is open *)

Definition before (c : channel) (s : state) : nat := length (before_marker (queue (chan s c))).
Definition got (c : channel) (s : state) : nat := length (received (past (chan s c))).

(** That another process records does nothing of this kind to a channel. *)
Lemma record_keeps_open p s c :
  recorded s (source c) = true -> recorded s p = false ->
  got c (record p s) = got c s /\ before c (record p s) = before c s.
Proof.
  intros sender new. unfold got, before. cbn.
  destruct (same_process (source c) p) as [same|]; [congruence|].
  destruct (same_process (target c) p); split; reflexivity.
Qed.

Lemma open_step A s t c :
  all_sound s -> step A s t -> recorded s (source c) = true -> closed (chan t c) = false ->
  got c t + before c t = got c s + before c s.
Proof.
  intros all moves sender is_open.
  assert (was_open : closed (chan s c) = false).
  { destruct (closed (chan s c)) eqn:shut; [|reflexivity].
    apply (step_keeps A s t moves) in shut. congruence. }
  pose proof (one_marker _ _ _ (all c)) as one. rewrite sender, was_open in one.
  destruct moves as [t app|t [p _ new|d rest head]].
  - assert (sending : forall p sends l u, markers (queue (chan u c)) <> 0 ->
              got c (after_act p sends l u) = got c u /\ before c (after_act p sends l u) = before c u).
    { intros p sends l u marked. unfold got, before. cbn. destruct (same_process (source c) p); [cbn|auto].
      rewrite before_marker_behind by exact marked. auto. }
    destruct app as [p sends l _|d m rest sends l head _ _]; [edestruct sending as [-> ->]; lia|].
    unfold after_receive. destruct (sending (target d) sends l (without_head d m rest s)) as [-> ->];
      unfold got, before; cbn; unfold on_channel, change; destruct (same_channel c d) as [<-|]; cbn;
      rewrite ?head in *; cbn in *; try lia.
    rewrite app_length. cbn. lia.
  - destruct (record_keeps_open p s c) as [-> ->]; auto. apply recorded_none, new.
  - rewrite closed_after_marker in is_open. destruct (same_channel c d) as [|other]; [discriminate|].
    assert (elsewhere : chan (consume d rest s) c = chan s c) by (cbn; apply change_other; auto).
    unfold on_marker. destruct (recorded s (target d)) eqn:receiver; cbn [negb andb].
    + unfold got, before. rewrite elsewhere. reflexivity.
    + destruct (joins A _); [|unfold got, before; rewrite elsewhere; reflexivity].
      destruct (record_keeps_open (target d) (consume d rest s) c) as [-> ->]; auto.
      unfold got, before. rewrite elsewhere. reflexivity.
Qed.

(** ** Along a run *)

Section Run.
Variables (A : algorithm) (at_time : nat -> state).
Hypotheses (is_run : run_of A at_time) (refines : refines_universal A) (is_fair : fair at_time).

Lemma run_between n m : n <= m -> runs (step A) (at_time n) (at_time m).
Proof.
  induction 1 as [|m later IH]; [apply stays|].
  destruct is_run as [_ goes]. cbn in goes. destruct (goes m) as [-> | moves]; [exact IH|].
  eapply runs_app; [exact IH | apply runs_one, moves].
Qed.

Lemma always_reachable n : reachable A (at_time n).
Proof. destruct is_run as [first _]. unfold reachable. rewrite <- first. apply run_between. lia. Qed.

Lemma kept_between n m :
  n <= m ->
  (forall p, recorded (at_time n) p = true -> recorded (at_time m) p = true) /\
  (forall c, closed (chan (at_time n) c) = true -> closed (chan (at_time m) c) = true).
Proof.
  intros later. induction (run_between n m later) as [a|a b c moves run [records closes]]; [auto|].
  destruct (step_keeps _ _ _ moves) as [records' closes']. auto.
Qed.

Lemma open_between n m c :
  n <= m -> recorded (at_time n) (source c) = true -> closed (chan (at_time m) c) = false ->
  got c (at_time m) + before c (at_time m) = got c (at_time n) + before c (at_time n).
Proof.
  intros later sender. induction later as [|m later IH]; [reflexivity|]. intros is_open.
  destruct is_run as [_ goes]. cbn in goes. destruct (goes m) as [same | moves].
  - rewrite same in *. auto.
  - rewrite (open_step A (at_time m) _ c); eauto using refines_sound, always_reachable.
    + apply IH. destruct (closed (chan (at_time m) c)) eqn:shut; [|reflexivity].
      apply (step_keeps _ _ _ moves) in shut. congruence.
    + apply (kept_between n m later), sender.
Qed.

(** A channel from a process that has recorded is closed some time. *)
Lemma closed_some_time c : forall n,
  recorded (at_time n) (source c) = true -> exists m, n <= m /\ closed (chan (at_time m) c) = true.
Proof.
  enough (forall k n, before c (at_time n) <= k -> recorded (at_time n) (source c) = true ->
            exists m, n <= m /\ closed (chan (at_time m) c) = true) by eauto.
  induction k as [k less] using lt_wf_ind. intros n few sender.
  destruct (closed (chan (at_time n) c)) eqn:is_open; [eauto|].
  pose proof (one_marker _ _ _ (refines_sound A _ refines (always_reachable n) c)) as one.
  rewrite sender, is_open in one.
  destruct (is_fair n c) as (m & later & served).
  { intros empty. rewrite empty in one. discriminate. }
  destruct (closed (chan (at_time m) c)) eqn:still; [eauto|].
  pose proof (open_between n m c later sender still) as together.
  unfold taken in served. rewrite is_open, still in served. fold (got c (at_time n)) (got c (at_time m)) in served.
  destruct (less (before c (at_time m)) ltac:(lia) m (le_n _)) as (l & after & shut).
  - apply (kept_between n m later), sender.
  - exists l. split; [lia | exact shut].
Qed.

End Run.

(** T7: in a fair run of Chandy-Lamport the snapshot is complete some time, from when on everybody can be told by one
    that has recorded. *)
Theorem chandy_lamport_fair_runs_complete initiators at_time :
  run_of (chandy_lamport initiators) at_time -> fair at_time ->
  forall n, all_can_be_told (at_time n) -> exists m, n <= m /\ complete (at_time m).
Proof.
  intros is_run is_fair. pose proof (chandy_lamport_refines_universal initiators) as refines.
  enough (forall k n, remaining (at_time n) <= k -> all_can_be_told (at_time n) ->
            exists m, n <= m /\ complete (at_time m)) by eauto.
  induction k as [k less] using lt_wf_ind. intros n few told.
  pose proof (always_reachable _ at_time is_run n) as reached.
  destruct (some_channel_is_open initiators _ reached told) as [|(c & sender & is_open)]; [eauto|].
  destruct (closed_some_time _ at_time is_run refines is_fair c n sender) as (m & later & shut).
  destruct (kept_between _ at_time is_run n m later) as [records closes].
  assert (fewer : remaining (at_time m) < remaining (at_time n)).
  { pose proof (unrecorded_le _ _ records). pose proof (open_channels_lt _ _ c closes is_open shut).
    unfold remaining. lia. }
  destruct (less (remaining (at_time m)) ltac:(lia) m (le_n _)) as (l & after & all).
  - intros p. destruct (told p) as (q & is_recorded & way). eauto.
  - exists l. split; [lia | exact all].
Qed.

End Fairness.
