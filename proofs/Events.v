(** * Events: the application alone, and whose events can change places

    What Reachability.v needs of the application without a snapshot. An event is a step that one process takes: it acts
    by itself or receives a message, and sends what it sends. Two events of different processes that are both possible
    can happen in either order, with the same result ([commute]): an event reads one local state and takes from inputs
    of that process only, and what others send lies behind what it takes. So an event can be put in front of
    events of other processes ([put_in_front]). States are compared pointwise. *)

Require Import List Bool Arith.
Import ListNotations.
From Snapcheck Require Import Machine Universal.

Section Events.
Context {S : System}.

(** ** Events *)

Record application_state := Alone {
  locals : process -> local;
  flight : channel -> list message
}.

Definition agrees (x y : application_state) : Prop :=
  (forall p, locals x p = locals y p) /\ (forall c, flight x c = flight y c).

Inductive event :=
| Acts (p : process) (sends : list (channel * message)) (l : local)
| Receives (c : channel) (m : message) (sends : list (channel * message)) (l : local).

(** Whose event it is, what that process sends, and in which local state this leaves it. *)
Definition actor (e : event) : process :=
  match e with Acts p _ _ => p | Receives c _ _ _ => target c end.

Definition sendings (e : event) : list (channel * message) :=
  match e with Acts _ sends _ => sends | Receives _ _ sends _ => sends end.

Definition result (e : event) : local :=
  match e with Acts _ _ l => l | Receives _ _ _ l => l end.

Definition enabled (e : event) (x : application_state) : Prop :=
  match e with
  | Acts p sends l => acts p (locals x p) sends l
  | Receives c m sends l => accepts c (locals x (target c)) m sends l /\ hd_error (flight x c) = Some m
  end.

(** What the event leaves of the content [q] of channel [c], *)
Definition left_on (e : event) (c : channel) (q : list message) : list message :=
  match e with
  | Acts _ _ _ => q
  | Receives d _ _ _ => if same_channel c d then tl q else q
  end.

(** and what it makes of it. *)
Definition on_flight (e : event) (c : channel) (q : list message) : list message :=
  if same_process (source c) (actor e) then left_on e c q ++ for_channel c (sendings e) else left_on e c q.

Definition happens (e : event) (x : application_state) : application_state :=
  Alone (change same_process (locals x) (actor e) (result e)) (fun c => on_flight e c (flight x c)).

(** By events of some processes only, from one state to another. *)
Inductive leads (who : process -> Prop) : application_state -> application_state -> Prop :=
| nothing_happens x y : agrees x y -> leads who x y
| event_happens e x y : who (actor e) -> enabled e x -> leads who (happens e x) y -> leads who x y.

Lemma agrees_refl x : agrees x x.
Proof. split; reflexivity. Qed.

Lemma agrees_sym x y : agrees x y -> agrees y x.
Proof. intros [l f]. split; congruence. Qed.

Lemma agrees_trans x y z : agrees x y -> agrees y z -> agrees x z.
Proof. intros [l f] [l' f']. split; congruence. Qed.

Lemma enabled_agrees e x y : agrees x y -> enabled e x -> enabled e y.
Proof. intros [l f]. destruct e; cbn; rewrite <- ?l, <- ?f; auto. Qed.

Lemma happens_agrees e x y : agrees x y -> agrees (happens e x) (happens e y).
Proof.
  intros [l f]. split; intros i; cbn; [|rewrite f; reflexivity].
  unfold change. destruct (same_process i (actor e)); auto.
Qed.

Lemma leads_from (who : process -> Prop) x x' y : agrees x x' -> leads who x y -> leads who x' y.
Proof.
  intros same way. revert x' same. induction way as [x y ends|e x y who_does can way IH]; intros x' same.
  - apply nothing_happens. eauto using agrees_sym, agrees_trans.
  - apply (event_happens who e); eauto using enabled_agrees, happens_agrees.
Qed.

Lemma leads_trans (who : process -> Prop) x y z : leads who x y -> leads who y z -> leads who x z.
Proof.
  intros way. induction way as [x y ends|e x y who_does can way IH]; intros more.
  - apply (leads_from who y); auto using agrees_sym.
  - apply (event_happens who e); auto.
Qed.

Lemma leads_event (who : process -> Prop) e x y :
  who (actor e) -> enabled e x -> agrees (happens e x) y -> leads who x y.
Proof. intros. apply (event_happens who e); auto using nothing_happens. Qed.

Lemma leads_weaken (who who' : process -> Prop) x y :
  (forall p, who p -> who' p) -> leads who x y -> leads who' x y.
Proof. intros more way. induction way; eauto using nothing_happens, event_happens. Qed.

(** ** Events of different processes commute *)

(** An event takes nothing from the inputs of others, *)
Lemma left_elsewhere e c q : actor e <> target c -> left_on e c q = q.
Proof. destruct e as [|d m sends l]; cbn; [auto|]. destruct (same_channel c d) as [->|]; [contradiction | auto]. Qed.

(** and what others send lies behind what it takes. *)
Lemma left_behind e f x c more :
  actor e <> actor f -> enabled f x ->
  left_on f c (left_on e c (flight x c) ++ more) = left_on e c (left_on f c (flight x c)) ++ more.
Proof.
  intros differ can. destruct (same_process (actor f) (target c)) as [receiver|other].
  - rewrite !(left_elsewhere e) by congruence. destruct f as [|d m sends l]; cbn; [reflexivity|].
    destruct can as [_ head]. destruct (same_channel c d) as [->|]; [|reflexivity].
    destruct (flight x d); [discriminate head | reflexivity].
  - rewrite !(left_elsewhere f) by exact other. reflexivity.
Qed.

Lemma commute e f x :
  actor e <> actor f -> enabled e x -> enabled f x ->
  enabled f (happens e x) /\ agrees (happens f (happens e x)) (happens e (happens f x)).
Proof.
  intros differ can can'. split.
  - assert (local : locals (happens e x) (actor f) = locals x (actor f)) by (apply change_other; auto).
    destruct f as [p sends l|c m sends l]; cbn [actor enabled] in *; rewrite local; [exact can'|].
    destruct can' as [takes head]. split; [exact takes|]. cbn. unfold on_flight.
    rewrite left_elsewhere by exact differ. destruct (flight x c); [discriminate head|].
    destruct (same_process (source c) (actor e)); exact head.
  - split; [intros p | intros c]; cbn.
    + unfold change. destruct (same_process p (actor e)), (same_process p (actor f)); congruence.
    + unfold on_flight. destruct (same_process (source c) (actor e)), (same_process (source c) (actor f)).
      * congruence.
      * apply left_behind; assumption.
      * symmetry. apply left_behind; auto.
      * pose proof (left_behind e f x c [] differ can') as apart. rewrite !app_nil_r in apart. exact apart.
Qed.

(** An event can be put in front of events of other processes. *)
Lemma put_in_front (who : process -> Prop) e x y :
  (forall p, who p -> actor e <> p) -> enabled e x -> leads who x y ->
  enabled e y /\ leads who (happens e x) (happens e y).
Proof.
  intros others can way. induction way as [x y ends|f x y who_does can' way IH].
  - split; [eauto using enabled_agrees | auto using nothing_happens, happens_agrees].
  - destruct (commute f e x) as [still _]; auto using not_eq_sym.
    destruct (commute e f x) as [possible same]; auto.
    destruct (IH still) as [finally rest]. split; [exact finally|].
    apply (event_happens who f); [assumption..|]. eapply leads_from; [apply agrees_sym, same | exact rest].
Qed.

End Events.
