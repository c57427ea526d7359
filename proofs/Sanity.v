(** * Sanity: complete snapshots exist

    A theorem about complete snapshots would hold of a machine that never completes one. Here is, for each machine, a
    run of the application [script] to a complete snapshot, with the coordinator's declaration where there is one; the
    runs are chosen so that messages are received before the cut, and lie in a channel where the algorithm records any.
    Where a machine is wrong, the complete snapshot shown is a wrong one. Of the application [stream] there are two runs
    more, in which steps send several messages and receipts send.

    A run is a list of choices: which of the successors comes next. Coq follows it by computing, and since successors
    are exactly what a step can lead to ([successors_exact]), where it ends is reachable. *)

Require Import List Bool Arith.
Require Import Snapcheck.Machine Snapcheck.Exec Snapcheck.Graph Snapcheck.Script Snapcheck.Stream.
Import ListNotations.

(** ** Runs by choices *)

Section Follow.
Context {X : Type} (step : X -> X -> Prop) (successors : X -> list X).
Hypothesis exact : forall x x', In x' (successors x) <-> step x x'.

Fixpoint follow (choices : list nat) (x : X) : option X :=
  match choices with
  | [] => Some x
  | choice :: rest =>
      match nth_error (successors x) choice with
      | Some next => follow rest next
      | None => None
      end
  end.

Lemma follow_runs choices : forall x y, follow choices x = Some y -> runs step x y.
Proof.
  induction choices as [|choice rest IH]; simpl; intros x y.
  - intros [= ->]. constructor.
  - destruct (nth_error (successors x) choice) as [next|] eqn:chosen; [|easy]. intros follows.
    apply goes_on with next; [|now apply IH]. apply exact. now apply nth_error_In in chosen.
Qed.

End Follow.

(** ** What a snapshot holds *)

Section Shown.
Context {S : System} {E : Executable S}.

(** Per channel: its recording; what its receiver had received, and its sender had sent, when they recorded. *)
Record numbers := Numbers {
  recordings : list (list message);
  received_before : list (list message);
  sent_before : list (list message)
}.

Definition numbers_of (s : state) : numbers :=
  Numbers (map (fun c => recording (chan s c)) channels)
    (map (fun c => received_at_record (past (chan s c))) channels)
    (map (fun c => sent_at_record (past (chan s c))) channels).

Definition is_complete (s : state) : bool := forallb (done s) processes.

Lemma is_complete_true s : is_complete s = true -> complete s.
Proof. intros all p. exact (proj1 (forallb_forall _ _) all p (every_process p)). Qed.

Lemma shown A choices n :
  option_map (fun s => (is_complete s, numbers_of s)) (follow (successors A) choices initial) = Some (true, n) ->
  exists s, reachable A s /\ complete s /\ numbers_of s = n.
Proof.
  destruct (follow _ _ _) as [s|] eqn:follows; [|easy]. intros [= all holds]. exists s.
  split; [exact (follow_runs (step A) (successors A) (successors_exact A) _ _ _ follows)|].
  split; [now apply is_complete_true|exact holds].
Qed.

Lemma shown_declared A choices n :
  option_map (fun g => (declared g, is_complete (world g), numbers_of (world g)))
    (follow (coordinated_successors A) choices initially_coordinated) = Some (true, true, n) ->
  exists g, coordinated_reachable A g /\ declared g = true /\ complete (world g) /\ numbers_of (world g) = n.
Proof.
  destruct (follow _ _ _) as [g|] eqn:follows; [|easy]. intros [= says all holds]. exists g.
  pose proof (follow_runs (coordinated_step A) (coordinated_successors A) (coordinated_successors_exact A)) as runs.
  split; [exact (runs _ _ _ follows)|].
  split; [exact says|]. split; [now apply is_complete_true|exact holds].
Qed.

End Shown.

(** Both sides of an equation, computed by Coq's virtual machine and found the same. *)
Ltac by_computing := match goal with |- _ = ?result => vm_cast_no_check (eq_refl result) end.

(** ** Two processes, a channel each way, a message on each

    Channel 0 leads from process 0 to process 1, channel 1 back. *)

Section Pair.
Definition pair : System := script_system 2 (complete_graph 2) 1.
Local Existing Instance pair.
Definition run_pair : Executable pair := script_executable 2 (complete_graph 2) 1.
Local Existing Instance run_pair.

(** Both have sent before they record; the message of process 0 has been received, that of process 1 is in flight. *)
Definition one_received_one_in_flight : numbers := Numbers [[]; [1]] [[1]; []] [[1]; [1]].

(** Process 0 sends, process 1 sends and receives, then both record, process 0 receives, and the markers arrive. *)
Theorem universal_completes :
  exists s, reachable universal s /\ complete s /\ numbers_of s = one_received_one_in_flight.
Proof. apply (shown universal [0; 0; 0; 1; 0; 0; 0; 0]). by_computing. Qed.

(** Of a process, whether it is process 0. *)
Definition first_process (p : process) : bool := proj1_sig p =? 0.

(** Only process 0 begins, and process 1 records when the marker comes. *)
Theorem chandy_lamport_completes :
  exists s, reachable (chandy_lamport first_process) s /\ complete s /\ numbers_of s = one_received_one_in_flight.
Proof. apply (shown (chandy_lamport first_process) [0; 0; 0; 1; 0; 0; 0]). by_computing. Qed.

(** The coordinator tells both, one of them is first told by the other's marker, and both reports arrive. *)
Theorem general_completes :
  exists g, coordinated_reachable general g /\ declared g = true /\ complete (world g) /\
    numbers_of (world g) = one_received_one_in_flight.
Proof. apply (shown_declared general [0; 0; 0; 1; 1; 0; 1; 1; 1; 1]). by_computing. Qed.

(** Taken literally, it declares a snapshot complete in which process 1 had received what process 0 had not sent: the
    marker, and a message behind it, overtook the instruction. *)
Theorem general_literal_completes :
  exists g, coordinated_reachable general_literal g /\ declared g = true /\ complete (world g) /\
    numbers_of (world g) = Numbers [[]; []] [[1]; []] [[]; []].
Proof. apply (shown_declared general_literal [2; 2; 0; 2; 1; 1; 0; 0; 0; 0; 0]). by_computing. Qed.

End Pair.

(** ** Two sources and an operator

    Channels 0 and 1 lead from processes 0 and 1 to process 2. *)

Section Fan_in.
Definition fan : System := script_system 3 (fan_in 2) 1.
Local Existing Instance fan.
Definition run_fan : Executable fan := script_executable 3 (fan_in 2) 1.
Local Existing Instance run_fan.

(** Process 0 sends, both sources record, the message arrives, then the barriers, and process 2 records. *)
Theorem flink_aligned_completes :
  exists s, reachable flink_aligned s /\ complete s /\ numbers_of s = Numbers [[]; []] [[1]; []] [[1]; []].
Proof. apply (shown flink_aligned [0; 1; 1; 1; 1; 1]). by_computing. Qed.

(** Process 0 sends after it has recorded, and process 2 receives that before the last barrier makes it record. *)
Theorem flink_at_least_once_completes :
  exists s, reachable flink_at_least_once s /\ complete s /\ numbers_of s = Numbers [[]; []] [[1]; []] [[]; []].
Proof. apply (shown flink_at_least_once [2; 0; 1; 1; 1; 1]). by_computing. Qed.

End Fan_in.

(** ** A line of three, on which no process has two inputs *)

Section Line.
Definition line3 : System := script_system 3 (line 3) 1.
Local Existing Instance line3.
Definition run_line3 : Executable line3 := script_executable 3 (line 3) 1.
Local Existing Instance run_line3.

(** Every message is received before the barrier behind it. *)
Theorem flink_at_least_once_completes_on_a_line :
  exists s, reachable flink_at_least_once s /\ complete s /\ numbers_of s = Numbers [[]; []] [[1]; [1]] [[1]; [1]].
Proof. apply (shown flink_at_least_once [0; 0; 0; 0; 0; 0; 0]). by_computing. Qed.

End Line.

(** ** A stream that is forked and joined

    Channels 0 and 1 lead from process 0 to processes 1 and 2, channels 2 and 3 from these to process 3. Process 0 emits
    one record, on both its outputs in one step; each of the two in the middle forwards it in the step in which it
    receives it, and could not send it otherwise. *)

Section Diamond.
Definition forked : System := stream_system 4 diamond 1.
Local Existing Instance forked.
Definition run_forked : Executable forked := stream_executable 4 diamond 1.
Local Existing Instance run_forked.

(** The record, as the first message of its channel. *)
Definition the_record : message := Carrier 1 0 1.

(** It comes to the end before the barrier starts. *)
Theorem flink_aligned_completes_on_a_stream :
  exists s, reachable flink_aligned s /\ complete s /\
    numbers_of s = Numbers [[]; []; []; []] [[the_record]; [the_record]; [the_record]; [the_record]]
                     [[the_record]; [the_record]; [the_record]; [the_record]].
Proof. apply (shown flink_aligned [0; 0; 0; 0; 0; 0; 0; 0; 0; 0]). by_computing. Qed.

(** Of a process, whether it is process 0 or process 3. *)
Definition at_either_end (p : process) : bool := (proj1_sig p =? 0) || (proj1_sig p =? 3).

(** Process 3 has recorded before anything has come; what the two forward to it belongs to the channels. *)
Theorem chandy_lamport_completes_on_a_stream :
  exists s, reachable (chandy_lamport at_either_end) s /\ complete s /\
    numbers_of s = Numbers [[]; []; [the_record]; [the_record]] [[the_record]; [the_record]; []; []]
                     [[the_record]; [the_record]; [the_record]; [the_record]].
Proof. apply (shown (chandy_lamport at_either_end) [0; 3; 0; 0; 0; 0; 0; 0; 0; 0; 0]). by_computing. Qed.

End Diamond.
