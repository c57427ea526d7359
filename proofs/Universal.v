(** * Universal: every snapshot that is never read past a marker is consistent and exact (T1, T2)

    The specification lets a process record at any moment, and forbids one thing: to receive, before recording, a
    message from behind a marker. Whatever an algorithm does within that, in every reachable state and for every
    channel, on either side of a moving cut,

<<
      what the sender has sent  =  what the receiver has received  ++  what is in flight
>>

    where a process that has recorded is taken as it was then and one that has not as it is now, and in flight is what
    has been recorded of the channel and, until its marker is consumed, what lies in front of the marker ([split]).
    Each of the five things that can happen to a channel keeps this equation, and records move no message from one side
    to the other. Once both ends have recorded, the left is what the sender had sent at its record, the right begins
    with what the receiver had received at its own: the cut is consistent. Once the channel is closed besides, nothing
    is in flight but the recording: it is exact. *)

Require Import List Bool Arith Lia.
Import ListNotations.
From Snapcheck Require Import Machine.

(** [m] is how [n] begins. *)
Definition prefix {A} (m n : list A) : Prop := exists rest, n = m ++ rest.

Lemma change_same {A B} same (f : A -> B) a b : change same f a b a = b.
Proof. unfold change. destruct (same a a); [reflexivity | contradiction]. Qed.

Lemma change_other {A B} same (f : A -> B) a b x : a <> x -> change same f a b x = f x.
Proof. unfold change. destruct (same x a); [congruence | reflexivity]. Qed.

Section Universal.
Context {S : System}.

(** ** What lies in a channel *)

Fixpoint messages (q : list item) : list message :=
  match q with
  | [] => []
  | Message m :: rest => m :: messages rest
  | Marker :: rest => messages rest
  end.

Fixpoint before_marker (q : list item) : list message :=
  match q with
  | Message m :: rest => m :: before_marker rest
  | _ => []
  end.

Fixpoint markers (q : list item) : nat :=
  match q with
  | [] => 0
  | Message _ :: rest => markers rest
  | Marker :: rest => 1 + markers rest
  end.

(** What the cut has in flight on a channel. *)
Definition in_flight (k : channel_state) : list message :=
  recording k ++ if closed k then [] else before_marker (queue k).

Lemma messages_app q r : messages (q ++ r) = messages q ++ messages r.
Proof. induction q as [|[m|] q IH]; cbn; congruence. Qed.

Lemma markers_app q r : markers (q ++ r) = markers q + markers r.
Proof. induction q as [|[m|] q IH]; cbn; congruence. Qed.

Lemma messages_sent ms : messages (map Message ms) = ms.
Proof. induction ms; cbn; congruence. Qed.

Lemma no_markers_sent ms : markers (map Message ms) = 0.
Proof. induction ms; cbn; congruence. Qed.

(** In front of a marker nothing is added any more. *)
Lemma before_marker_behind q r : markers q <> 0 -> before_marker (q ++ r) = before_marker q.
Proof. induction q as [|[m|] q IH]; cbn; intros; [lia| f_equal; auto | reflexivity]. Qed.

Lemma before_marker_app q r : markers q = 0 -> before_marker (q ++ r) = messages q ++ before_marker r.
Proof. induction q as [|[m|] q IH]; cbn; intros; [reflexivity | f_equal; auto | lia]. Qed.

Lemma before_no_marker q : markers q = 0 -> before_marker q = messages q.
Proof.
  intros none. rewrite <- (app_nil_r q) at 1. rewrite before_marker_app by assumption. cbn. apply app_nil_r.
Qed.

(** ** The invariant of a channel *)

(** What is true of a channel depends on whether its sender and its receiver have recorded. *)
Record sound (sender_recorded receiver_recorded : bool) (k : channel_state) : Prop := {
  nothing_lost :
    sent (past k) = received (past k) ++ messages (queue k);
  one_marker :
    markers (queue k) + (if closed k then 1 else 0) = if sender_recorded then 1 else 0;
  not_listening :
    receiver_recorded = false -> recording k = [];
  split :
    (if sender_recorded then sent_at_record (past k) else sent (past k))
    = (if receiver_recorded then received_at_record (past k) else received (past k)) ++ in_flight k;
  marked_at_record :
    sender_recorded = true -> sent_at_marker (past k) = sent_at_record (past k);
  left_out_at_record :
    receiver_recorded = true -> left_out (past k) = received_at_record (past k);
  left_out_when_closed :
    receiver_recorded = false -> closed k = true -> left_out (past k) = received (past k)
}.

Lemma closed_has_no_marker p q k : sound p q k -> closed k = true -> markers (queue k) = 0 /\ p = true.
Proof.
  intros good shut. pose proof (one_marker _ _ _ good) as one. rewrite shut in one.
  destruct p; split; (reflexivity || lia).
Qed.

Lemma unmarked_is_open q k : sound false q k -> markers (queue k) = 0 /\ closed k = false.
Proof.
  intros good. pose proof (one_marker _ _ _ good) as one. destruct (closed k); split; (reflexivity || lia).
Qed.

(** *** What is in flight changes only by what crosses the cut *)

(** Messages enter if their sender has not recorded. *)
Lemma in_flight_put p q k ms :
  sound p q k -> in_flight (put ms k) = in_flight k ++ if p then [] else ms.
Proof.
  intros good. pose proof (one_marker _ _ _ good) as one. unfold in_flight. cbn. destruct p.
  - rewrite app_nil_r. destruct (closed k); [reflexivity|]. rewrite before_marker_behind by lia. reflexivity.
  - destruct (unmarked_is_open _ _ good) as [none ->].
    rewrite before_marker_app, !before_no_marker, messages_sent, app_assoc by auto using no_markers_sent.
    reflexivity.
Qed.

(** A message leaves if its receiver has not recorded, which takes only from a channel that is open. *)
Lemma in_flight_take p q k m rest :
  queue k = Message m :: rest -> not_past_a_marker q (closed k) = true -> sound p q k ->
  in_flight k = (if q then [] else [m]) ++ in_flight (take m rest q k).
Proof.
  intros head open good. unfold in_flight. cbn. rewrite head. destruct q, (closed k); try discriminate; cbn.
  - reflexivity.
  - rewrite <- app_assoc. reflexivity.
  - rewrite (not_listening _ _ _ good) by reflexivity. reflexivity.
Qed.

(** Neither a marker nor a record takes a message across. *)
Lemma in_flight_consume p q k rest :
  queue k = Marker :: rest -> sound p q k -> in_flight (consume_on rest q k) = in_flight k.
Proof.
  intros head good. pose proof (one_marker _ _ _ good) as one. unfold in_flight. cbn. rewrite head in *. cbn in *.
  destruct (closed k); [destruct p; lia | reflexivity].
Qed.

Lemma in_flight_mark q k : sound false q k -> in_flight (mark k) = in_flight k.
Proof.
  intros good. destruct (unmarked_is_open _ _ good) as [none open]. unfold in_flight. cbn. rewrite open.
  rewrite before_marker_app, (before_no_marker (queue k)) by assumption. cbn. rewrite app_nil_r. reflexivity.
Qed.

Lemma in_flight_listen k : in_flight (listen k) = in_flight k.
Proof. reflexivity. Qed.

(** *** Each of the five keeps a channel sound *)

Lemma sound_fresh : sound false false fresh.
Proof. constructor; cbn; congruence. Qed.

Lemma sound_put p q k ms : sound p q k -> sound p q (put ms k).
Proof.
  intros good. pose proof (in_flight_put p q k ms good) as enters.
  destruct good as [lost one listening cut marked left early]. constructor; rewrite ?enters; cbn; auto.
  - rewrite messages_app, messages_sent, lost, app_assoc. reflexivity.
  - rewrite markers_app, no_markers_sent. lia.
  - rewrite app_assoc, <- cut. destruct p; [rewrite app_nil_r|]; reflexivity.
Qed.

Lemma sound_take p q k m rest :
  queue k = Message m :: rest -> not_past_a_marker q (closed k) = true ->
  sound p q k -> sound p q (take m rest q k).
Proof.
  intros head open good. pose proof (in_flight_take p q k m rest head open good) as leaves.
  destruct good as [lost one listening cut marked left early]. rewrite head in *. constructor; cbn in *; auto.
  - rewrite lost, <- app_assoc. reflexivity.
  - intros ->. auto.
  - rewrite cut, leaves. destruct q; [reflexivity|]. rewrite <- app_assoc. reflexivity.
  - intros -> shut. rewrite shut in open. discriminate.
Qed.

Lemma sound_consume p q k rest :
  queue k = Marker :: rest -> sound p q k -> sound p q (consume_on rest q k).
Proof.
  intros head good. pose proof (in_flight_consume p q k rest head good) as same.
  destruct good as [lost one listening cut marked left early]. rewrite head in *.
  constructor; rewrite ?same; cbn in *; auto.
  - destruct (closed k), p; lia.
  - intros ->. auto.
  - intros ->. reflexivity.
Qed.

Lemma sound_mark q k : sound false q k -> sound true q (mark k).
Proof.
  intros good. pose proof (in_flight_mark q k good) as same. destruct (unmarked_is_open _ _ good) as [none open].
  destruct good as [lost one listening cut marked left early]. constructor; rewrite ?same; cbn; auto.
  - rewrite messages_app. cbn. rewrite app_nil_r. assumption.
  - rewrite markers_app, none, open. reflexivity.
Qed.

Lemma sound_listen p k : sound p false k -> sound p true (listen k).
Proof.
  intros [lost one listening cut marked left early].
  constructor; rewrite ?in_flight_listen; cbn; auto; try discriminate.
  intros _. destruct (closed k); auto.
Qed.

(** ** The invariant of the state *)

Definition all_sound (s : state) : Prop :=
  forall c, sound (recorded s (source c)) (recorded s (target c)) (chan s c).

Lemma recorded_none s p : saved s p = None -> recorded s p = false.
Proof. unfold recorded. intros ->. reflexivity. Qed.

Lemma recorded_after_record s p q :
  recorded (record p s) q = if same_process q p then true else recorded s q.
Proof. unfold recorded, record, change. cbn. destruct (same_process q p); reflexivity. Qed.

Lemma all_sound_change s c k :
  all_sound s -> sound (recorded s (source c)) (recorded s (target c)) k ->
  forall d, sound (recorded s (source d)) (recorded s (target d)) (on_channel s c k d).
Proof.
  intros all here d. unfold on_channel, change. destruct (same_channel d c) as [->|]; [exact here | apply all].
Qed.

Lemma all_sound_record s p : recorded s p = false -> all_sound s -> all_sound (record p s).
Proof.
  intros new all c. specialize (all c). rewrite !recorded_after_record. cbn.
  destruct (same_process (source c) p) as [sends|], (same_process (target c) p) as [hears|];
    rewrite ?sends, ?hears, ?new in all; auto using sound_mark, sound_listen.
Qed.

Lemma all_sound_consume s c rest :
  queue (chan s c) = Marker :: rest -> all_sound s -> all_sound (consume c rest s).
Proof. intros head all d. apply (all_sound_change s c); auto. apply sound_consume; auto. Qed.

Lemma all_sound_act s p sends l : all_sound s -> all_sound (after_act p sends l s).
Proof.
  intros all c. specialize (all c). cbn. destruct (same_process (source c) p); [apply sound_put|]; exact all.
Qed.

Lemma all_sound_take s c m rest :
  queue (chan s c) = Message m :: rest -> not_past_a_marker (recorded s (target c)) (closed (chan s c)) = true ->
  all_sound s -> all_sound (without_head c m rest s).
Proof. intros head open all d. apply (all_sound_change s c); auto. apply sound_take; auto. Qed.

Lemma all_sound_step s s' : step universal s s' -> all_sound s -> all_sound s'.
Proof.
  intros [t app|t over] all.
  - destruct app as [p sends l _|c m rest sends l head open _]; [|unfold after_receive];
      auto using all_sound_act, all_sound_take.
  - destruct over as [p _ new|c rest head].
    + apply all_sound_record; auto using recorded_none.
    + unfold on_marker. cbn [joins universal]. rewrite andb_false_r. apply all_sound_consume; auto.
Qed.

Lemma runs_keep {A} (step : A -> A -> Prop) (P : A -> Prop) :
  (forall a b, step a b -> P a -> P b) -> forall a b, runs step a b -> P a -> P b.
Proof. intros keeps a b run. induction run; eauto. Qed.

(** In every reachable state every channel is sound. *)
Theorem always_sound s : reachable universal s -> all_sound s.
Proof.
  intros run. apply (runs_keep _ all_sound all_sound_step _ _ run). intros c. apply sound_fresh.
Qed.

(** ** T1 and T2 *)

(** What the receiver had received at its record, the sender had sent before its own. *)
Definition consistent_on (s : state) (c : channel) : Prop :=
  recorded s (source c) = true -> recorded s (target c) = true ->
  prefix (received_at_record (past (chan s c))) (sent_at_record (past (chan s c))).

(** The recording of a closed channel is what was sent before the one record and not received before the other. *)
Definition exact_on (s : state) (c : channel) : Prop :=
  recorded s (target c) = true -> closed (chan s c) = true ->
  sent_at_record (past (chan s c)) = received_at_record (past (chan s c)) ++ recording (chan s c).

(** For a closed channel whose receiver has recorded: n = n', m = m', n' >= m', and the recording is what is between. *)
Definition arithmetic_on (s : state) (c : channel) : Prop :=
  recorded s (target c) = true -> closed (chan s c) = true ->
  sent_at_marker (past (chan s c)) = sent_at_record (past (chan s c)) /\
  left_out (past (chan s c)) = received_at_record (past (chan s c)) /\
  prefix (left_out (past (chan s c))) (sent_at_marker (past (chan s c))) /\
  length (recording (chan s c))
  = length (sent_at_marker (past (chan s c))) - length (left_out (past (chan s c))).

Lemma sound_consistent s c : all_sound s -> consistent_on s c.
Proof.
  intros all sender receiver. destruct (all c) as [_ _ _ cut _ _ _].
  rewrite sender, receiver in cut. eexists. exact cut.
Qed.

Lemma sound_exact s c : all_sound s -> exact_on s c.
Proof.
  intros all receiver shut. destruct (closed_has_no_marker _ _ _ (all c) shut) as [_ sender].
  destruct (all c) as [_ _ _ cut _ _ _]. unfold in_flight in cut.
  rewrite sender, receiver, shut, app_nil_r in cut. exact cut.
Qed.

Lemma sound_arithmetic s c : all_sound s -> arithmetic_on s c.
Proof.
  intros all receiver shut. destruct (closed_has_no_marker _ _ _ (all c) shut) as [_ sender].
  pose proof (sound_exact s c all receiver shut) as cut.
  destruct (all c) as [_ _ _ _ marked left _]. rewrite sender in marked. rewrite receiver in left.
  rewrite marked, left, cut by reflexivity. repeat split.
  - eexists. reflexivity.
  - rewrite app_length. lia.
Qed.

(** T1: the cut is consistent. *)
Theorem consistent_cut s c : reachable universal s -> consistent_on s c.
Proof. intros. apply sound_consistent, always_sound. assumption. Qed.

(** T2: the state of a closed channel is exact. *)
Theorem exact_channel_state s c : reachable universal s -> exact_on s c.
Proof. intros. apply sound_exact, always_sound. assumption. Qed.

(** T2, in numbers: what Chandy and Lamport count. *)
Theorem marker_arithmetic s c : reachable universal s -> arithmetic_on s c.
Proof. intros. apply sound_arithmetic, always_sound. assumption. Qed.

End Universal.
