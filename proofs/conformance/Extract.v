(** * Extract: the search's ingredients, as OCaml

    What the program beside it runs: first key, next keys and outcomes of each machine over the applications [script]
    and [stream], without history. All are the definitions that the theorems of Keys.v speak of. To be trusted beside
    them: Coq's extraction, that OCaml's integers serve as natural numbers (they stay small), OCaml, and the search
    itself (search.ml), which is a queue and a table. *)

Require Import List Bool Arith ExtrOcamlBasic ExtrOcamlNatInt.
Require Import Snapcheck.Machine Snapcheck.Exec Snapcheck.Keys Snapcheck.Graph Snapcheck.Script Snapcheck.Stream.

(** A system that can be run, and which of its processes have which numbers. *)
Record instance := Instance {
  its_system : System;
  its_steps : Executable its_system;
  among : list nat -> @process its_system -> bool
}.

Definition has_number {n : nat} (numbers : list nat) (p : graph_process n) : bool :=
  existsb (Nat.eqb (proj1_sig p)) numbers.

Definition of_script (n : nat) (edges : list (nat * nat)) (messages : nat) : instance :=
  Instance (script_system n edges messages) (script_executable n edges messages) has_number.

Definition of_stream (n : nat) (edges : list (nat * nat)) (records : nat) : instance :=
  Instance (stream_system n edges records) (stream_executable n edges records) has_number.

Section Machines.
Variable i : instance.
Local Existing Instances its_system its_steps nothing.
Let system : System := its_system i.

Definition the_universal : @algorithm system := universal.
Definition the_chandy_lamport (initiators : list nat) : @algorithm system := chandy_lamport (among i initiators).
Definition the_flink_aligned : @algorithm system := flink_aligned.
Definition the_flink_at_least_once : @algorithm system := flink_at_least_once.
Definition the_general : @algorithm system := general.
Definition the_general_literal : @algorithm system := general_literal.

Definition first_key : @key system nothing := freeze initial.
Definition next_keys (A : @algorithm system) : @key system nothing -> list (@key system nothing) := next A.

Definition first_coordinated_key : @coordinated_key system nothing := freeze_coordinated initially_coordinated.
Definition next_coordinated_keys (A : @algorithm system) :
  @coordinated_key system nothing -> list (@coordinated_key system nothing) := coordinated_next A.
Definition key_below (k : @coordinated_key system nothing) : @key system nothing := world_key k.

End Machines.

Section Outcomes.
Variables (n : nat) (edges : list (nat * nat)) (k : nat).

Definition script_outcome_at (key : @key (script_system n edges k) nothing) : option outcome :=
  outcome_of n edges k (thaw key).

Definition stream_outcome_at (key : @key (stream_system n edges k) nothing) :
  option (list saved_operator * list (list carrier)) := stream_outcome_of n edges k (thaw key).

End Outcomes.

Extraction Language OCaml.
Extraction "machines.ml"
  line ring complete_graph fan_in diamond of_script of_stream
  the_universal the_chandy_lamport the_flink_aligned the_flink_at_least_once the_general the_general_literal
  first_key next_keys first_coordinated_key next_coordinated_keys key_below script_outcome_at stream_outcome_at.
