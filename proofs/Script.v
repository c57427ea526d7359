(** * Script: the application with which both models count

    The checker counts states of the application [script]: each process sends the same number of messages on each of
    its outputs, one on each output in turn, each a step of its own, and receives at any time. Here it is as a
    [System] over any list of edges, with a proof that it lists its steps ([Executable]); so all that is proved of
    systems holds of it, and the search of Keys.v runs on it.

    Processes are numbers below [n], and a channel is an edge of the list, a pair of such numbers. Both are what of a
    larger type satisfies a test ([such]). Since tests answer with booleans, whose equality is decided, two are equal
    as soon as the things are, without axioms ([equal_such]).

    A process remembers how far its script is and how many messages came from each process, so that what it saves tells
    which messages it had sent and received; a message is its number on its channel, from 1. *)

Require Import List Bool Arith Eqdep_dec.
Require Import Snapcheck.Machine Snapcheck.Exec Snapcheck.Keys.
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

(** ** The system *)

(** Adds one to the number at place [i]. *)
Fixpoint increment (i : nat) (numbers : list nat) : list nat :=
  match i, numbers with
  | _, [] => []
  | 0, x :: rest => S x :: rest
  | S j, x :: rest => x :: increment j rest
  end.

(** Where a process stands: how many steps of its script it has taken, and how many messages it has received, by the
    number of their sender. *)
Record standing := Standing { position : nat; arrivals : list nat }.

Section Script.
Variables (n : nat) (edges : list (nat * nat)) (messages : nat).

Definition same_edge (e f : nat * nat) : {e = f} + {e <> f}.
Proof. decide equality; apply Nat.eq_dec. Defined.

Definition is_process (i : nat) : bool := i <? n.

Definition is_channel (e : nat * nat) : bool :=
  is_process (fst e) && is_process (snd e) && if in_dec same_edge e edges then true else false.

Definition script_process : Type := such is_process.
Definition script_channel : Type := such is_channel.

Lemma source_is_process e : is_channel e = true -> is_process (fst e) = true.
Proof. unfold is_channel. now intros [[source _]%andb_prop _]%andb_prop. Qed.

Lemma target_is_process e : is_channel e = true -> is_process (snd e) = true.
Proof. unfold is_channel. now intros [[_ target]%andb_prop _]%andb_prop. Qed.

Definition script_source (c : script_channel) : script_process :=
  exist _ (fst (proj1_sig c)) (source_is_process _ (proj2_sig c)).

Definition script_target (c : script_channel) : script_process :=
  exist _ (snd (proj1_sig c)) (target_is_process _ (proj2_sig c)).

Definition same_script_process : forall p q : script_process, {p = q} + {p <> q} :=
  same_such Nat.eq_dec is_process.

Definition same_script_channel : forall c d : script_channel, {c = d} + {c <> d} :=
  same_such same_edge is_channel.

Definition script_processes : list script_process := passing is_process (seq 0 n).
Definition script_channels : list script_channel := passing is_channel edges.

Lemma every_script_process p : In p script_processes.
Proof. apply in_passing, in_seq. destruct p as [i below]. split; [apply Nat.le_0_l|now apply Nat.ltb_lt]. Qed.

Lemma every_script_channel c : In c script_channels.
Proof.
  apply in_passing. destruct c as [e is]. simpl.
  apply andb_prop in is as [_ listed]. now destruct (in_dec same_edge e edges).
Qed.

Definition outputs (p : script_process) : list script_channel :=
  filter (fun c => if same_script_process (script_source c) p then true else false) script_channels.

Definition inputs (p : script_process) : list script_channel :=
  filter (fun c => if same_script_process (script_target c) p then true else false) script_channels.

(** The channels on which a process sends, one message at a time. *)
Definition script (p : script_process) : list script_channel := concat (repeat (outputs p) messages).

(** How many messages it has sent on an output, where it stands. *)
Definition sent_on (c : script_channel) (l : standing) : nat :=
  count_occ same_script_channel (firstn (position l) (script (script_source c))) c.

(** How many it has received from an input. *)
Definition received_from (c : script_channel) (l : standing) : nat :=
  nth (proj1_sig (script_source c)) (arrivals l) 0.

Definition script_actions (p : script_process) (l : standing) : list (list (script_channel * nat) * standing) :=
  match nth_error (script p) (position l) with
  | Some c => [([(c, S (sent_on c l))], Standing (S (position l)) (arrivals l))]
  | None => []
  end.

Definition script_acceptance (c : script_channel) (l : standing) : standing :=
  Standing (position l) (increment (proj1_sig (script_source c)) (arrivals l)).

Definition script_system : System := {|
  process := script_process;
  same_process := same_script_process;
  processes := script_processes;
  every_process := every_script_process;
  channel := script_channel;
  same_channel := same_script_channel;
  channels := script_channels;
  every_channel := every_script_channel;
  source := script_source;
  target := script_target;
  local := standing;
  message := nat;
  start := fun _ => Standing 0 (repeat 0 n);
  acts := fun p l sends l' => In (sends, l') (script_actions p l);
  accepts := fun c l _ sends l' => sends = [] /\ l' = script_acceptance c l
|}.

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
  then Some (map (saved_numbers s) (script_processes n), map (fun c => recording (chan s c)) (script_channels n edges))
  else None.

End Outcome.

(** ** Shapes

    As the checker names them, each list in the order of sources, then targets. *)

Definition line (n : nat) : list (nat * nat) := map (fun i => (i, S i)) (seq 0 (n - 1)).
Definition ring (n : nat) : list (nat * nat) := line n ++ [(n - 1, 0)].
Definition complete_graph (n : nat) : list (nat * nat) :=
  filter (fun e => negb (fst e =? snd e)) (list_prod (seq 0 n) (seq 0 n)).
Definition fan_in (n : nat) : list (nat * nat) := map (fun i => (i, n)) (seq 0 n).
Definition diamond : list (nat * nat) := [(0, 1); (0, 2); (1, 3); (2, 3)].
