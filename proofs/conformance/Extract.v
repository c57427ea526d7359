(** * Extract: the search's ingredients, as OCaml

    What the program beside it runs: first key, next keys and outcomes of each machine over the application [script],
    without history. All are the definitions that the theorems of Keys.v speak of. To be trusted beside them: Coq's
    extraction, that OCaml's integers serve as natural numbers (they stay small), OCaml, and the search itself
    (search.ml), which is a queue and a table. *)

Require Import List Bool Arith ExtrOcamlBasic ExtrOcamlNatInt.
Require Import Snapcheck.Machine Snapcheck.Exec Snapcheck.Keys Snapcheck.Script.

Section Machines.
Variables (n : nat) (edges : list (nat * nat)) (messages : nat).
Local Existing Instances script_system script_executable nothing.
Let system : System := script_system n edges messages.

Definition among (numbers : list nat) (p : @process system) : bool := existsb (Nat.eqb (proj1_sig p)) numbers.

Definition the_universal : @algorithm system := universal.
Definition the_chandy_lamport (initiators : list nat) : @algorithm system := chandy_lamport (among initiators).
Definition the_flink_aligned : @algorithm system := flink_aligned.
Definition the_flink_at_least_once : @algorithm system := flink_at_least_once.
Definition the_general : @algorithm system := general.
Definition the_general_literal : @algorithm system := general_literal.

Definition first_key : @key system nothing := freeze initial.
Definition next_keys (A : @algorithm system) : @key system nothing -> list (@key system nothing) := next A.
Definition outcome_at (k : @key system nothing) : option outcome := outcome_of n edges messages (thaw k).

Definition first_coordinated_key : @coordinated_key system nothing := freeze_coordinated initially_coordinated.
Definition next_coordinated_keys (A : @algorithm system) :
  @coordinated_key system nothing -> list (@coordinated_key system nothing) := coordinated_next A.
Definition coordinated_outcome_at (k : @coordinated_key system nothing) : option outcome :=
  outcome_of n edges messages (world (thaw_coordinated k)).

End Machines.

Extraction Language OCaml.
Extraction "machines.ml"
  line ring complete_graph fan_in diamond
  the_universal the_chandy_lamport the_flink_aligned the_flink_at_least_once the_general the_general_literal
  first_key next_keys outcome_at first_coordinated_key next_coordinated_keys coordinated_outcome_at.
