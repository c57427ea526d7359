(** * Graph: systems on lists of edges

    What the applications that run (Script.v, Stream.v) share: a system on any list of edges. Processes are numbers
    below [n], and a channel is an edge of the list, a pair of such numbers. Both are what of a larger type satisfies a
    test ([such]). Since tests answer with booleans, whose equality is decided, two are equal as soon as the things are,
    without axioms ([equal_such]).

    In both applications a message has a number on its channel, from 1, and a process counts what it receives by the
    number of its sender ([increment]). *)

Require Import List Bool Arith Eqdep_dec.
Require Import Snapcheck.Machine.
Import ListNotations.

(** ** What satisfies a test *)

Definition such {A} (test : A -> bool) : Type := {a : A | test a = true}.

Section Such.
Context {A : Type} (same : forall a b : A, {a = b} + {a <> b}) (test : A -> bool).

Lemma equal_such (a b : such test) : proj1_sig a = proj1_sig b -> a = b.
Proof.
  destruct a as [a passes], b as [b passes']. simpl. intros <-. f_equal. apply UIP_dec, bool_dec.
Qed.

Definition same_such (a b : such test) : {a = b} + {a <> b} :=
  match same (proj1_sig a) (proj1_sig b) with
  | left equal => left (equal_such a b equal)
  | right differ => right (fun equal => differ (f_equal (@proj1_sig _ _) equal))
  end.

(** Those of a list that pass. *)
Definition passing (l : list A) : list (such test) :=
  flat_map (fun a => match bool_dec (test a) true with left passes => [exist _ a passes] | right _ => [] end) l.

Lemma in_passing (a : such test) l : In (proj1_sig a) l -> In a (passing l).
Proof.
  intros member. apply in_flat_map. exists (proj1_sig a). split; [exact member|].
  destruct (bool_dec _ _) as [passes|fails]; [|now elim fails; apply proj2_sig]. left. now apply equal_such.
Qed.

End Such.

(** Adds one to the number at place [i]. *)
Fixpoint increment (i : nat) (numbers : list nat) : list nat :=
  match i, numbers with
  | _, [] => []
  | 0, x :: rest => S x :: rest
  | S j, x :: rest => x :: increment j rest
  end.

(** ** The system *)

Section Graph.
Variables (n : nat) (edges : list (nat * nat)).

Definition same_edge (e f : nat * nat) : {e = f} + {e <> f}.
Proof. decide equality; apply Nat.eq_dec. Defined.

Definition is_process (i : nat) : bool := i <? n.

Definition is_channel (e : nat * nat) : bool :=
  is_process (fst e) && is_process (snd e) && if in_dec same_edge e edges then true else false.

Definition graph_process : Type := such is_process.
Definition graph_channel : Type := such is_channel.

Lemma source_is_process e : is_channel e = true -> is_process (fst e) = true.
Proof. unfold is_channel. now intros [[source _]%andb_prop _]%andb_prop. Qed.

Lemma target_is_process e : is_channel e = true -> is_process (snd e) = true.
Proof. unfold is_channel. now intros [[_ target]%andb_prop _]%andb_prop. Qed.

Definition graph_source (c : graph_channel) : graph_process :=
  exist _ (fst (proj1_sig c)) (source_is_process _ (proj2_sig c)).

Definition graph_target (c : graph_channel) : graph_process :=
  exist _ (snd (proj1_sig c)) (target_is_process _ (proj2_sig c)).

Definition same_graph_process : forall p q : graph_process, {p = q} + {p <> q} :=
  same_such Nat.eq_dec is_process.

Definition same_graph_channel : forall c d : graph_channel, {c = d} + {c <> d} :=
  same_such same_edge is_channel.

Definition graph_processes : list graph_process := passing is_process (seq 0 n).
Definition graph_channels : list graph_channel := passing is_channel edges.

Lemma every_graph_process p : In p graph_processes.
Proof. apply in_passing, in_seq. destruct p as [i below]. split; [apply Nat.le_0_l|now apply Nat.ltb_lt]. Qed.

Lemma every_graph_channel c : In c graph_channels.
Proof.
  apply in_passing. destruct c as [e is]. simpl.
  apply andb_prop in is as [_ listed]. now destruct (in_dec same_edge e edges).
Qed.

Definition outputs (p : graph_process) : list graph_channel :=
  filter (fun c => if same_graph_process (graph_source c) p then true else false) graph_channels.

Definition inputs (p : graph_process) : list graph_channel :=
  filter (fun c => if same_graph_process (graph_target c) p then true else false) graph_channels.

(** An application on these processes and channels. *)
Definition on_graph (local message : Type) (start : graph_process -> local)
    (acts : graph_process -> local -> list (graph_channel * message) -> local -> Prop)
    (accepts : graph_channel -> local -> message -> list (graph_channel * message) -> local -> Prop) : System := {|
  process := graph_process;
  same_process := same_graph_process;
  processes := graph_processes;
  every_process := every_graph_process;
  channel := graph_channel;
  same_channel := same_graph_channel;
  channels := graph_channels;
  every_channel := every_graph_channel;
  source := graph_source;
  target := graph_target;
  Machine.local := local;
  Machine.message := message;
  Machine.start := start;
  Machine.acts := acts;
  Machine.accepts := accepts
|}.

End Graph.

(** ** Shapes

    As the checker names them, each list in the order of sources, then targets. *)

Definition line (n : nat) : list (nat * nat) := map (fun i => (i, S i)) (seq 0 (n - 1)).
Definition ring (n : nat) : list (nat * nat) := line n ++ [(n - 1, 0)].
Definition complete_graph (n : nat) : list (nat * nat) :=
  filter (fun e => negb (fst e =? snd e)) (list_prod (seq 0 n) (seq 0 n)).
Definition fan_in (n : nat) : list (nat * nat) := map (fun i => (i, n)) (seq 0 n).
Definition diamond : list (nat * nat) := [(0, 1); (0, 2); (1, 3); (2, 3)].
