(** * Machine: the system, a snapshot's state, and what can happen

    What is here is to be believed, not proved: every theorem speaks of these definitions. They say the same as
    the checker's model, in the same words; [make conformance] counts both.

    A _system_ is a finite set of processes, a finite set of directed channels between them (a channel may lead
    from a process to itself, and several may lead from one process to another), and any application. Channels are
    FIFO and lose nothing.

    The application is two relations. A process may act by itself ([acts]): if it sends nothing, that is an internal
    event, and if it sends one message, it is what Chandy and Lamport call sending; it may as well send several at
    once, on one channel or on many. Or it accepts a message ([accepts]), and may send in the same step: an operator
    of a dataflow emits what it makes of a record when it reads it.

    A snapshot algorithm is laid over the application. What it does to a channel is one of five things ([put],
    [take], [consume_on], [mark], [listen]); that a process records is "mark the outputs, then listen on the inputs",
    over all channels, which covers channels from a process to itself. The algorithms differ in three switches only
    ([algorithm]), so that what is proved of one is soon proved of the next. *)

Require Import List Bool Arith.
Import ListNotations.

(** ** The system *)

Class System := {
  process : Type;
  same_process : forall p q : process, {p = q} + {p <> q};
  processes : list process;
  every_process : forall p, In p processes;

  channel : Type;
  same_channel : forall c d : channel, {c = d} + {c <> d};
  channels : list channel;
  every_channel : forall c, In c channels;
  source : channel -> process;
  target : channel -> process;

  (** The application: local states, messages, and what a process can do next, by itself or with a message that it
      receives. In the same step it sends what is listed: any number of messages, or none, each on the channel named
      with it. *)
  local : Type;
  message : Type;
  start : process -> local;
  acts : process -> local -> list (channel * message) -> local -> Prop;
  accepts : channel -> local -> message -> list (channel * message) -> local -> Prop
}.

(** What remembers the past of a channel. Machines are defined for any such memory and ask it nothing; the theorems
    use [counted], and Erasure.v shows that it could as well be [nothing].

    A receiver that consumes a marker before it records leaves out of the recording what it has received until then;
    so [after_consume] is told whether it had recorded, and [after_listen] whether the marker had come. *)
Class History {S : System} := {
  history : Type;
  blank : history;
  after_put : list message -> history -> history;
  after_take : message -> history -> history;
  after_consume : bool -> history -> history;
  after_mark : history -> history;
  after_listen : bool -> history -> history
}.

(** A function, changed in one place. *)
Definition change {A B} (same : forall a b : A, {a = b} + {a <> b}) (f : A -> B) (a : A) (b : B) : A -> B :=
  fun x => if same x a then b else f x.

Section Machine.
Context {S : System} {H : History}.

(** ** Channels *)

Inductive item := Message (m : message) | Marker.

(** What is in the channel, whether its marker has been consumed, and what has been recorded as its state. *)
Record channel_state := Channel {
  queue : list item;
  closed : bool;
  recording : list message;
  past : history
}.

Definition fresh : channel_state :=
  {| queue := []; closed := false; recording := []; past := blank |}.

(** The sender puts messages into it. *)
Definition put (ms : list message) (c : channel_state) : channel_state :=
  {| queue := queue c ++ map Message ms; closed := closed c; recording := recording c;
     past := after_put ms (past c) |}.

(** The receiver takes message [m] from the head, leaving [rest]; if it has recorded and the marker has not come, the
    message belongs to the channel's recorded state. *)
Definition take (m : message) (rest : list item) (recorded : bool) (c : channel_state) : channel_state :=
  {| queue := rest; closed := closed c;
     recording := if recorded && negb (closed c) then recording c ++ [m] else recording c;
     past := after_take m (past c) |}.

(** The receiver consumes the marker, which closes the channel. *)
Definition consume_on (rest : list item) (recorded : bool) (c : channel_state) : channel_state :=
  {| queue := rest; closed := true; recording := recording c; past := after_consume recorded (past c) |}.

(** The sender records: it puts the marker into the channel. *)
Definition mark (c : channel_state) : channel_state :=
  {| queue := queue c ++ [Marker]; closed := closed c; recording := recording c; past := after_mark (past c) |}.

(** The receiver records: the channel's recording begins. *)
Definition listen (c : channel_state) : channel_state :=
  {| queue := queue c; closed := closed c; recording := recording c;
     past := after_listen (closed c) (past c) |}.

(** ** The state *)

Record state := State {
  live : process -> local;
  saved : process -> option local;
  chan : channel -> channel_state
}.

Definition initial : state := State start (fun _ => None) (fun _ => fresh).

Definition recorded (s : state) (p : process) : bool :=
  match saved s p with Some _ => true | None => false end.

Definition all_inputs_closed (s : state) (p : process) : bool :=
  forallb (fun c => if same_process (target c) p then closed (chan s c) else true) channels.

(** A process has done its part: it has recorded, and so have its inputs. *)
Definition done (s : state) (p : process) : bool := recorded s p && all_inputs_closed s p.

(** The snapshot is complete. *)
Definition complete (s : state) : Prop := forall p, done s p = true.

Definition on_channel (s : state) (c : channel) (k : channel_state) : channel -> channel_state :=
  change same_channel (chan s) c k.

Definition with_local (s : state) (p : process) (l : local) : process -> local :=
  change same_process (live s) p l.

(** The messages that are for channel [c], in order. *)
Definition for_channel (c : channel) (sends : list (channel * message)) : list message :=
  map snd (filter (fun send => if same_channel (fst send) c then true else false) sends).

(** The process goes on to local state [l], and puts into each of its outputs what it sends there. It has no other
    channels to send on: what is listed for one is not sent. *)
Definition after_act (p : process) (sends : list (channel * message)) (l : local) (s : state) : state :=
  State (with_local s p l) (saved s)
    (fun c => if same_process (source c) p then put (for_channel c sends) (chan s c) else chan s c).

(** The process takes the message at the head of a channel. *)
Definition without_head (c : channel) (m : message) (rest : list item) (s : state) : state :=
  State (live s) (saved s) (on_channel s c (take m rest (recorded s (target c)) (chan s c))).

(** The process takes the message, then acts on it: on a channel to itself, what it sends lies behind. *)
Definition after_receive (c : channel) (m : message) (rest : list item) (sends : list (channel * message)) (l : local)
    (s : state) : state :=
  after_act (target c) sends l (without_head c m rest s).

Definition consume (c : channel) (rest : list item) (s : state) : state :=
  State (live s) (saved s) (on_channel s c (consume_on rest (recorded s (target c)) (chan s c))).

(** The process saves its state, puts a marker into every output, and listens on every input. *)
Definition record (p : process) (s : state) : state :=
  State (live s) (change same_process (saved s) p (Some (live s p)))
    (fun c =>
       let marked := if same_process (source c) p then mark (chan s c) else chan s c in
       if same_process (target c) p then listen marked else marked).

(** ** Algorithms *)

(** An algorithm is three answers. Which processes may record by themselves, once, at any moment? May a receiver read
    a message, given whether it has recorded and whether the channel's marker has come? Does a process that consumes a
    marker before it has recorded do so now, given whether all its inputs are closed by now? *)
Record algorithm := Algorithm {
  begins : process -> bool;
  reads : forall (recorded closed : bool), bool;
  joins : forall (all_inputs_closed : bool), bool
}.

(** Not past a marker before recording. *)
Definition not_past_a_marker (recorded closed : bool) : bool := recorded || negb closed.

(** The specification: record at any moment, but receive nothing past a marker before. *)
Definition universal : algorithm :=
  Algorithm (fun _ => true) not_past_a_marker (fun _ => false).

(** Chandy & Lamport 1985: the first marker makes a process record. *)
Definition chandy_lamport (initiators : process -> bool) : algorithm :=
  Algorithm initiators (fun _ _ => true) (fun _ => true).

(** No channel leads to it. *)
Definition has_no_inputs (p : process) : bool :=
  forallb (fun c => if same_process (target c) p then false else true) channels.

(** Carbone et al. 2015: the last barrier makes a process record; behind an earlier one nothing is read. *)
Definition flink_aligned : algorithm :=
  Algorithm has_no_inputs not_past_a_marker (fun all_closed => all_closed).

(** The same without blocking. *)
Definition flink_at_least_once : algorithm :=
  Algorithm has_no_inputs (fun _ _ => true) (fun all_closed => all_closed).

(** The general algorithm: everybody begins; a marker that comes first makes a process begin as well. *)
Definition general : algorithm := chandy_lamport (fun _ => true).

(** The same text taken literally: an early marker just closes its channel. *)
Definition general_literal : algorithm := Algorithm (fun _ => true) (fun _ _ => true) (fun _ => false).

(** What becomes of a marker at the head of a channel. *)
Definition on_marker (A : algorithm) (c : channel) (rest : list item) (s : state) : state :=
  let after := consume c rest s in
  if negb (recorded s (target c)) && joins A (all_inputs_closed after (target c))
  then record (target c) after
  else after.

(** The application's steps under an algorithm. *)
Inductive application_step (A : algorithm) (s : state) : state -> Prop :=
| does p sends l :
    acts p (live s p) sends l -> application_step A s (after_act p sends l s)
| receives c m rest sends l :
    queue (chan s c) = Message m :: rest ->
    reads A (recorded s (target c)) (closed (chan s c)) = true ->
    accepts c (live s (target c)) m sends l ->
    application_step A s (after_receive c m rest sends l s).

(** The algorithm's own steps. *)
Inductive overlay_step (A : algorithm) (s : state) : state -> Prop :=
| by_itself p :
    begins A p = true -> saved s p = None -> overlay_step A s (record p s)
| on_a_marker c rest :
    queue (chan s c) = Marker :: rest -> overlay_step A s (on_marker A c rest s).

Inductive step (A : algorithm) (s : state) : state -> Prop :=
| of_application s' : application_step A s s' -> step A s s'
| of_overlay s' : overlay_step A s s' -> step A s s'.

(** ** Coordinated algorithms

    Any algorithm can be driven by a coordinator, which tells those to begin who otherwise would by themselves, and
    collects reports. The general algorithm is meant so. *)

(** An instruction to begin or a report of being done, on its way between the coordinator and a process. *)
Inductive letter := Unsent | Travelling | Arrived.

Record coordinated := Coordinated {
  world : state;
  instructed : bool;
  instruction : process -> letter;
  report : process -> letter;
  declared : bool
}.

Definition initially_coordinated : coordinated :=
  Coordinated initial false (fun _ => Unsent) (fun _ => Unsent) false.

Definition has_arrived (l : letter) : bool := match l with Arrived => true | _ => false end.
Definition is_unsent (l : letter) : bool := match l with Unsent => true | _ => false end.

(** The world after a step of [p], which says so if it is done by now, once. *)
Definition reporting (p : process) (s : state) (g : coordinated) : coordinated :=
  Coordinated s (instructed g) (instruction g)
    (if done s p && is_unsent (report g p) then change same_process (report g) p Travelling else report g)
    (declared g).

(** The coordinator tells those to begin who would begin by themselves. *)
Definition after_instructing (A : algorithm) (g : coordinated) : coordinated :=
  Coordinated (world g) true (fun p => if begins A p then Travelling else Unsent) (report g) (declared g).

(** The instruction arrives: the process records, unless it has. *)
Definition after_instruction (p : process) (g : coordinated) : coordinated :=
  let s := if recorded (world g) p then world g else record p (world g) in
  reporting p s
    (Coordinated (world g) (instructed g) (change same_process (instruction g) p Arrived) (report g) (declared g)).

(** A report arrives; the last one makes the coordinator declare the snapshot complete. *)
Definition after_report (p : process) (g : coordinated) : coordinated :=
  let reports := change same_process (report g) p Arrived in
  Coordinated (world g) (instructed g) (instruction g) reports
    (forallb (fun q => has_arrived (reports q)) processes).

Inductive coordination_step (A : algorithm) (g : coordinated) : coordinated -> Prop :=
| instructs :
    instructed g = false -> coordination_step A g (after_instructing A g)
| instruction_arrives p :
    instruction g p = Travelling -> coordination_step A g (after_instruction p g)
| marker_arrives c rest :
    queue (chan (world g) c) = Marker :: rest ->
    coordination_step A g (reporting (target c) (on_marker A c rest (world g)) g)
| report_arrives p :
    report g p = Travelling -> coordination_step A g (after_report p g).

Inductive coordinated_step (A : algorithm) (g : coordinated) : coordinated -> Prop :=
| of_world s' :
    application_step A (world g) s' ->
    coordinated_step A g (Coordinated s' (instructed g) (instruction g) (report g) (declared g))
| of_coordination g' : coordination_step A g g' -> coordinated_step A g g'.

End Machine.

(** ** Runs *)

Inductive runs {A} (step : A -> A -> Prop) : A -> A -> Prop :=
| stays a : runs step a a
| goes_on a b c : step a b -> runs step b c -> runs step a c.

Definition reachable {S : System} {H : History} (A : algorithm) : state -> Prop := runs (step A) initial.

Definition coordinated_reachable {S : System} {H : History} (A : algorithm) : coordinated -> Prop :=
  runs (coordinated_step A) initially_coordinated.

(** ** History *)

(** The messages sent on and received from a channel, in order; the same when its sender recorded (Chandy & Lamport's
    n), when its sender put the marker into it (n'), when its receiver recorded (m), and what its recording leaves out:
    what was received when it began, or when the marker was consumed if that came first (m'). *)
Record counts {S : System} := Counts {
  sent : list message;
  received : list message;
  sent_at_record : list message;
  sent_at_marker : list message;
  received_at_record : list message;
  left_out : list message
}.

#[export] Instance counted {S : System} : History := {
  history := counts;
  blank := Counts _ [] [] [] [] [] [];
  after_put ms h :=
    Counts _ (sent h ++ ms) (received h) (sent_at_record h) (sent_at_marker h) (received_at_record h) (left_out h);
  after_take m h :=
    Counts _ (sent h) (received h ++ [m]) (sent_at_record h) (sent_at_marker h) (received_at_record h) (left_out h);
  after_consume recorded h :=
    Counts _ (sent h) (received h) (sent_at_record h) (sent_at_marker h) (received_at_record h)
      (if recorded then left_out h else received h);
  after_mark h :=
    Counts _ (sent h) (received h) (sent h) (sent h) (received_at_record h) (left_out h);
  after_listen closed h :=
    Counts _ (sent h) (received h) (sent_at_record h) (sent_at_marker h) (received h)
      (if closed then left_out h else received h)
}.

(** No memory at all. *)
Definition nothing {S : System} : History :=
  Build_History S unit tt (fun _ _ => tt) (fun _ _ => tt) (fun _ _ => tt) (fun _ => tt) (fun _ _ => tt).
