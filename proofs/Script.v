(** * Script: an application with which both models count

    The checker counts states of the application [script]: each process sends the same number of messages on each of
    its outputs, one on each output in turn, each a step of its own, and receives at any time. Here it is as a
    [System] over any list of edges, with a proof that it lists its steps ([Executable]); so all that is proved of
    systems holds of it, and the search of Keys.v runs on it.

    A process remembers how far its script is and how many messages came from each process, so that what it saves tells
    which messages it had sent and received; a message is its number on its channel, from 1. *)

Require Import List Bool Arith.
Require Import Snapcheck.Machine Snapcheck.Exec Snapcheck.Graph.
Import ListNotations.

(** Where a process stands: how many steps of its script it has taken, and how many messages it has received, by the
    number of their sender. *)
Record standing := Standing { position : nat; arrivals : list nat }.

Section Script.
Variables (n : nat) (edges : list (nat * nat)) (messages : nat).
Local Notation node := (graph_process n).
Local Notation edge := (graph_channel n edges).

(** The channels on which a process sends, one message at a time. *)
Definition script (p : node) : list edge := concat (repeat (outputs n edges p) messages).

(** How many messages it has sent on an output, where it stands. *)
Definition sent_on (c : edge) (l : standing) : nat :=
  count_occ (same_graph_channel n edges) (firstn (position l) (script (graph_source n edges c))) c.

(** How many it has received from an input. *)
Definition received_from (c : edge) (l : standing) : nat :=
  nth (proj1_sig (graph_source n edges c)) (arrivals l) 0.

Definition script_actions (p : node) (l : standing) : list (list (edge * nat) * standing) :=
  match nth_error (script p) (position l) with
  | Some c => [([(c, S (sent_on c l))], Standing (S (position l)) (arrivals l))]
  | None => []
  end.

Definition script_acceptance (c : edge) (l : standing) : standing :=
  Standing (position l) (increment (proj1_sig (graph_source n edges c)) (arrivals l)).

Definition script_system : System :=
  on_graph n edges standing nat (fun _ => Standing 0 (repeat 0 n))
    (fun p l sends l' => In (sends, l') (script_actions p l))
    (fun c l _ sends l' => sends = [] /\ l' = script_acceptance c l).

Definition script_executable : Executable script_system.
Proof.
  refine (Build_Executable script_system script_actions _ (fun c l _ => [([], script_acceptance c l)]) _).
  - easy.
  - intros c l m sends l'. simpl. intuition congruence.
Defined.

(** What a process may send is what its script says next, alone, and no other. *)
Lemma script_acts p l sends l' :
  In (sends, l') (script_actions p l) <->
  exists c, nth_error (script p) (position l) = Some c /\
    sends = [(c, S (sent_on c l))] /\ l' = Standing (S (position l)) (arrivals l).
Proof.
  unfold script_actions. destruct (nth_error _ _) as [d|]; simpl.
  - split; [intros [[= <- <-]|[]]; now exists d|]. intros (c & [= <-] & -> & ->). now left.
  - split; [easy|]. now intros (c & [=] & _).
Qed.

End Script.

(** ** What the recordings of a complete snapshot say, in numbers *)

(** Per process the messages sent on each output and received from each input when it recorded, and per channel its
    recording. *)
Definition outcome : Type := list (list nat * list nat) * list (list nat).

Section Outcome.
Variables (n : nat) (edges : list (nat * nat)) (messages : nat).
Local Existing Instance script_system.

Definition saved_numbers (s : @state (script_system n edges messages) nothing) p : list nat * list nat :=
  match saved s p with
  | Some l => (map (fun c => sent_on n edges messages c l) (outputs n edges p),
               map (fun c => received_from n edges c l) (inputs n edges p))
  | None => ([], [])
  end.

Definition outcome_of (s : @state (script_system n edges messages) nothing) : option outcome :=
  if forallb (done s) processes
  then Some (map (saved_numbers s) processes, map (fun c => recording (chan s c)) channels)
  else None.

End Outcome.
