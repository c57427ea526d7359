(** * Conditions: what theorems ask for can be had

    A theorem under a condition that nothing meets would say nothing. Here are systems that meet the conditions of the
    theorems of progress, of the aligned and at-least-once checkpoints, and of what goes wrong: they run the
    applications [script] and [stream], on the topologies of Sanity.v. Conditions on every channel are met by looking at
    every channel. *)

Require Import List Bool Arith Lia.
Require Import Snapcheck.Machine Snapcheck.Exec Snapcheck.Graph Snapcheck.Script Snapcheck.Stream Snapcheck.Sanity.
Require Import Snapcheck.Refinement Snapcheck.Progress Snapcheck.AlignedProgress Snapcheck.Counterexamples.
Require Import Snapcheck.Fairness.
Import ListNotations.

(** ** Of every script and every stream *)

(** Whatever has been sent can be received. *)
Theorem scripts_can_be_received n edges messages : @all_can_be_received (script_system n edges messages).
Proof. intros c l m. now do 2 eexists. Qed.

Theorem streams_can_be_received n edges records : @all_can_be_received (stream_system n edges records).
Proof. intros c l m. now do 2 eexists. Qed.

(** Channels that lead from lower to higher numbers form no cycle. *)
Lemma upward_is_acyclic n edges local message start acts accepts :
  (forall e, In e edges -> fst e < snd e) -> @acyclic (on_graph n edges local message start acts accepts).
Proof.
  intros upward. exists (@proj1_sig _ _). intros [e is]. apply upward.
  pose proof is as listed. apply andb_prop in listed as [_ listed]. now destruct (in_dec same_edge e edges).
Qed.

Lemma diamond_leads_upward e : In e diamond -> fst e < snd e.
Proof. simpl. intuition (subst; simpl; auto with arith). Qed.

(** So there are graphs without cycles on which processes have two inputs. *)
Theorem diamond_is_acyclic messages : @acyclic (script_system 4 diamond messages).
Proof. apply upward_is_acyclic, diamond_leads_upward. Qed.

(** On such a graph, an aligned checkpoint of a stream can always complete. *)
Theorem aligned_streams_complete records s :
  @reachable (stream_system 4 diamond records) counted flink_aligned s ->
  exists s', runs (step flink_aligned) s s' /\ complete s'.
Proof.
  apply flink_aligned_completes; [apply streams_can_be_received | apply upward_is_acyclic, diamond_leads_upward].
Qed.

(** ** Of a topology *)

Section Told.
Context {S : System}.

Definition tells_single_inputs : bool :=
  forallb (fun c => forallb (fun d =>
    if same_process (target c) (target d) then if same_channel c d then true else false else true) channels) channels.

Lemma tells_single_inputs_true : tells_single_inputs = true -> single_inputs.
Proof.
  intros told c d one_target.
  pose proof (proj1 (forallb_forall _ _) told c (every_channel c)) as all_d.
  pose proof (proj1 (forallb_forall _ _) all_d d (every_channel d)) as holds. simpl in holds.
  destruct (same_process (target c) (target d)); [|easy]. now destruct (same_channel c d).
Qed.

Definition tells_inputs : bool :=
  forallb (fun p => existsb (fun c => if same_process (target c) p then true else false) channels) processes.

Lemma tells_inputs_true : tells_inputs = true -> forall p, exists c, target c = p.
Proof.
  intros told p. pose proof (proj1 (forallb_forall _ _) told p (every_process p)) as has.
  apply existsb_exists in has as (c & _ & into). exists c. now destruct (same_process (target c) p).
Qed.

End Told.

(** On a line no process has two inputs, as [at_least_once_is_right] asks. *)
Theorem line_has_single_inputs : @single_inputs line3.
Proof. apply tells_single_inputs_true. by_computing. Qed.

(** On a ring every process has an input from one on the ring, as [cycle_never_records] asks. *)
Theorem ring_is_a_cycle : forall p : @process (script_system 3 (ring 3) 1), exists c, target c = p.
Proof. apply tells_inputs_true. by_computing. Qed.

(** ** Fair runs

    A run by choices, which stays where it ends. It is fair if what lies in a channel on the way is taken before the
    end; this is told by looking at every state on the way. *)

Section Fair.
Context {system : System} {E : Executable system} (A : algorithm).

Fixpoint state_after (choices : list nat) (s : state) (n : nat) : state :=
  match choices, n with
  | choice :: rest, S m =>
      match nth_error (successors A s) choice with
      | Some next => state_after rest next m
      | None => s
      end
  | _, _ => s
  end.

Lemma state_after_none choices s : state_after choices s 0 = s.
Proof. now destruct choices. Qed.

Lemma state_after_runs choices : forall s n,
  state_after choices s (1 + n) = state_after choices s n \/
  step A (state_after choices s n) (state_after choices s (1 + n)).
Proof.
  induction choices as [|choice rest IH]; [now left|]. intros s n. simpl.
  destruct (nth_error (successors A s) choice) as [next|] eqn:chosen.
  - destruct n; [right|apply IH]. rewrite state_after_none. apply successors_exact.
    now apply nth_error_In in chosen.
  - left. now destruct n.
Qed.

Lemma state_after_end choices : forall s n,
  length choices <= n -> state_after choices s n = state_after choices s (length choices).
Proof.
  induction choices as [|choice rest IH]; [easy|]. intros s [|n] beyond; simpl in *; [lia|].
  destruct (nth_error (successors A s) choice); [apply IH; lia|easy].
Qed.

Definition tells_fair (choices : list nat) : bool :=
  let final := state_after choices initial (length choices) in
  forallb (fun n => forallb (fun c =>
    let s := state_after choices initial n in
    match queue (chan s c) with [] => true | _ => taken c s <? taken c final end) channels)
    (seq 0 (1 + length choices)).

Lemma tells_fair_true choices : tells_fair choices = true -> fair (state_after choices initial).
Proof.
  intros told n c waits. set (len := length choices).
  assert (same : state_after choices initial n = state_after choices initial (min n len)).
  { destruct (le_lt_dec len n); [rewrite Nat.min_r by easy; now apply state_after_end|now rewrite Nat.min_l by lia]. }
  exists (max n len). split; [lia|].
  rewrite (state_after_end choices initial (max n len)) by (fold len; lia). rewrite same in *. clear same.
  pose proof (proj1 (forallb_forall _ _) told (min n len) ltac:(apply in_seq; fold len; lia)) as all_c.
  pose proof (proj1 (forallb_forall _ _) all_c c (every_channel c)) as served. simpl in served.
  destruct (queue (chan _ c)); [easy|]. now apply Nat.ltb_lt.
Qed.

End Fair.

(** ** Of two processes with a channel each way *)

Section Pair.
Local Existing Instance pair.
Local Existing Instance run_pair.

Definition there : channel := exist _ (0, 1) eq_refl.

(** Process 0 reaches both, as [chandy_lamport_terminates] asks of initiators. *)
Theorem first_process_reaches_all : initiators_reach_all first_process.
Proof.
  intros p. exists (source there). split; [reflexivity|].
  destruct p as [[|[|i]] below]; [| |discriminate below].
  - replace (exist _ 0 below) with (source there) by now apply equal_such. apply Progress.here.
  - replace (exist _ 1 below) with (target there) by now apply equal_such. apply onwards, Progress.here.
Qed.

(** Among the runs of which [chandy_lamport_fair_runs_complete] speaks is that of [chandy_lamport_completes]. *)
Theorem a_run_is_fair :
  exists at_time, run_of (chandy_lamport first_process) at_time /\ fair at_time /\
    exists n, all_can_be_told (at_time n).
Proof.
  set (choices := [0; 0; 0; 1; 0; 0; 0]). set (A := chandy_lamport first_process).
  exists (state_after A choices initial). split; [split; [reflexivity|apply state_after_runs]|].
  split; [apply tells_fair_true; by_computing|]. exists 7. intros p. exists p. split; [|apply Progress.here].
  assert (all : forallb (recorded (state_after A choices initial 7)) processes = true) by by_computing.
  exact (proj1 (forallb_forall _ _) all p (every_process p)).
Qed.

(** A first message can be sent and received between different processes, as
    [literal_general_violates_consistency] asks. *)
Theorem pair_can_speak : source there <> target there /\ can_speak there.
Proof. split; [discriminate|]. do 6 eexists. split; [now left|]. split; [reflexivity|]. now split. Qed.

End Pair.

(** ** Of two sources and an operator *)

Section Fan_in.
Local Existing Instance fan.

Definition first_input : channel := exist _ (0, 2) eq_refl.
Definition second_input : channel := exist _ (1, 2) eq_refl.

(** A process has just two inputs, from processes without, as [at_least_once_violates_consistency] asks. *)
Theorem fan_in_has_two_inputs :
  first_input <> second_input /\
  (forall c, target c = target first_input <-> c = first_input \/ c = second_input) /\
  (forall c, target c <> source first_input) /\ (forall c, target c <> source second_input) /\
  can_speak first_input.
Proof.
  assert (only : forall c, c = first_input \/ c = second_input).
  { intros c. pose proof (every_channel c) as member. vm_compute in member.
    destruct member as [<-|[<-|[]]]; [left|right]; now apply equal_such. }
  split; [discriminate|]. split.
  { intros c. split; [intros _; apply only|]. intros [->| ->]; now apply equal_such. }
  split; [intros c; destruct (only c) as [->| ->]; discriminate|].
  split; [intros c; destruct (only c) as [->| ->]; discriminate|].
  do 6 eexists. split; [now left|]. split; [reflexivity|]. now split.
Qed.

End Fan_in.
