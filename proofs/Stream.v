(** * Stream: a dataflow, in which a receipt sends

    The checker's application [stream], as a [System] over any list of edges: a process without inputs is a source and
    emits records; every other process applies each record that it receives and forwards it in the same step. A
    record goes on all outputs at once. So in this system a step sends several messages, and a receipt sends, as
    the steps of a script (Script.v) do not.

    The shapes of the checker's streams that are left out here: those that hash the records over the outputs of a
    process, and sources on a cycle. *)

Require Import List Bool Arith.
Require Import Snapcheck.Machine Snapcheck.Exec Snapcheck.Graph.
Import ListNotations.

(** A record is known by its source and its number there, from 1; a message carries it, and has a number on its channel,
    from 1. *)
Record carrier := Carrier { number : nat; origin : nat; record_number : nat }.

(** What a process remembers: how many records it has emitted as a source; how many messages it has received, by the
    number of their sender; and how often it has applied each record, those of process 0 first. *)
Record operator := Operator { offset : nat; arrivals : list nat; applied : list nat }.

Section Stream.
Variables (n : nat) (edges : list (nat * nat)) (records : nat).
Local Notation node := (graph_process n).
Local Notation edge := (graph_channel n edges).

Definition is_source (p : node) : bool := match inputs n edges p with [] => true | _ => false end.

(** How many records it has sent on each of its outputs: all that it has emitted and received. *)
Definition passed_on (l : operator) : nat := offset l + list_sum (arrivals l).

(** A record on all outputs. *)
Definition broadcast (p : node) (l : operator) (from which : nat) : list (edge * carrier) :=
  map (fun c => (c, Carrier (S (passed_on l)) from which)) (outputs n edges p).

(** A source emits its next record. *)
Definition stream_actions (p : node) (l : operator) : list (list (edge * carrier) * operator) :=
  if is_source p && (offset l <? records)
  then [(broadcast p l (proj1_sig p) (S (offset l)), Operator (S (offset l)) (arrivals l) (applied l))]
  else [].

(** Who receives a record applies and forwards it. *)
Definition stream_acceptance (c : edge) (l : operator) (m : carrier) : list (edge * carrier) * operator :=
  (broadcast (graph_target n edges c) l (origin m) (record_number m),
   Operator (offset l) (increment (proj1_sig (graph_source n edges c)) (arrivals l))
     (increment (origin m * records + (record_number m - 1)) (applied l))).

Definition stream_system : System :=
  on_graph n edges operator carrier (fun _ => Operator 0 (repeat 0 n) (repeat 0 (n * records)))
    (fun p l sends l' => In (sends, l') (stream_actions p l))
    (fun c l m sends l' => (sends, l') = stream_acceptance c l m).

Definition stream_executable : Executable stream_system.
Proof.
  refine (Build_Executable stream_system stream_actions _ (fun c l m => [stream_acceptance c l m]) _).
  - easy.
  - intros c l m sends l'. simpl. intuition congruence.
Defined.

End Stream.

(** ** What the recordings of a complete snapshot say, in numbers *)

(** Of a process: the messages sent on each output and received from each input when it recorded, how many records it
    had emitted if it is a source, and how often it had applied each. *)
Definition saved_operator : Type := list nat * list nat * option nat * list nat.

Section Outcome.
Variables (n : nat) (edges : list (nat * nat)) (records : nat).
Local Existing Instance stream_system.

Definition saved_operator_of (p : graph_process n) (l : operator) : saved_operator :=
  (map (fun _ => passed_on l) (outputs n edges p),
   map (fun c => nth (proj1_sig (graph_source n edges c)) (arrivals l) 0) (inputs n edges p),
   if is_source n edges p then Some (offset l) else None,
   applied l).

(** This of every process, and per channel its recording. *)
Definition stream_outcome_of (s : @state (stream_system n edges records) nothing) :
  option (list saved_operator * list (list carrier)) :=
  if forallb (done s) processes
  then Some (map (fun p => saved_operator_of p match saved s p with Some l => l | None => live s p end)
               (graph_processes n),
             map (fun c => recording (chan s c)) channels)
  else None.

End Outcome.
