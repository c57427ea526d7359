(** * Keys: the states as data, and what a search finds

    A search must know a state again, and states hold functions. A _key_ is the same as data: each function written
    down as its values on all processes or channels. [freeze] writes, [thaw] reads; two states have the same key exactly
    if they agree everywhere ([freeze_exact]). Steps read a state only by asking its functions; so states that agree
    have successors that agree, and it does no harm to freeze and thaw on the way ([next_exact]).

    Hence what can be found over keys, from the key of the initial state by [next], is the keys of the reachable states
    ([search_exact]); a search that comes to its end has found them all ([closed_search]). The program in conformance/
    is extracted from these definitions and counts what it finds; the checker must find the same. *)

Require Import List Bool.
Require Import Snapcheck.Machine Snapcheck.Exec.
Import ListNotations.

(** ** Functions as tables *)

Section Tables.
Context {A B : Type} (same : forall a b : A, {a = b} + {a <> b}).

(** The value written for [a]; [otherwise] where there is none. *)
Fixpoint look_up (arguments : list A) (values : list B) (otherwise : B) (a : A) : B :=
  match arguments, values with
  | x :: arguments', y :: values' => if same a x then y else look_up arguments' values' otherwise a
  | _, _ => otherwise
  end.

Lemma look_up_written (f : A -> B) otherwise arguments a :
  In a arguments -> look_up arguments (map f arguments) otherwise a = f a.
Proof.
  induction arguments as [|x arguments IH]; simpl; [easy|].
  intros member. destruct (same a x) as [->|differs]; [easy|].
  apply IH. destruct member as [->|member]; [now elim differs|exact member].
Qed.

Lemma same_table (f g : A -> B) arguments :
  (forall a, In a arguments) -> map f arguments = map g arguments <-> forall a, f a = g a.
Proof.
  intros every. split; [|intros; now apply map_ext].
  intros tables a. specialize (every a).
  rewrite <- (look_up_written f (f a) arguments a every), tables. now apply look_up_written.
Qed.

Lemma change_agrees (f g : A -> B) a b b' :
  (forall x, f x = g x) -> b = b' -> forall x, change same f a b x = change same g a b' x.
Proof. intros agree -> x. unfold change. destruct (same x a); auto. Qed.

End Tables.

(** ** Lists, made alike *)

Section Alike.
Context {A B : Type} (related : B -> B -> Prop).

Lemma flat_map_alike (f g : A -> list B) l :
  (forall a, Forall2 related (f a) (g a)) -> Forall2 related (flat_map f l) (flat_map g l).
Proof. intros alike. induction l; simpl; [constructor|]. now apply Forall2_app. Qed.

Lemma map_alike (f g : A -> B) l :
  (forall a, related (f a) (g a)) -> Forall2 related (map f l) (map g l).
Proof. intros alike. induction l; simpl; now constructor. Qed.

End Alike.

(** ** Searching over keys

    For any machine whose successors are listed, and any keys that tell its states apart as far as the list goes. *)

Section Search.
Context {X K : Type} (step : X -> X -> Prop) (successors : X -> list X) (freeze : X -> K) (thaw : K -> X).
Hypothesis exact : forall x x', In x' (successors x) <-> step x x'.
Hypothesis thawed : forall x, map freeze (successors (thaw (freeze x))) = map freeze (successors x).

Definition key_step (k k' : K) : Prop := In k' (map freeze (successors (thaw k))).

Lemma keys_of_runs x y : runs step x y -> runs key_step (freeze x) (freeze y).
Proof.
  induction 1 as [x|x y z first _ IH]; [constructor|].
  apply goes_on with (freeze y); [|exact IH].
  unfold key_step. rewrite thawed. now apply in_map, exact.
Qed.

Lemma runs_of_keys j k : runs key_step j k -> forall x, freeze x = j -> exists y, runs step x y /\ freeze y = k.
Proof.
  induction 1 as [j|i j k first _ IH]; intros x <-.
  - exists x. split; [constructor|easy].
  - unfold key_step in first. rewrite thawed in first. apply in_map_iff in first as (y & <- & next).
    destruct (IH y eq_refl) as (z & run & key). exists z. split; [|exact key].
    apply goes_on with y; [now apply exact|exact run].
Qed.

Lemma key_reachable x k :
  runs key_step (freeze x) k <-> exists y, runs step x y /\ freeze y = k.
Proof.
  split.
  - intros run. now apply (runs_of_keys _ _ run).
  - intros (y & run & <-). now apply keys_of_runs.
Qed.

(** A search is at its end when it has the first key, and with each key all that come next. *)
Lemma closed_under_runs (found : K -> Prop) j k :
  (forall k, found k -> forall k', key_step k k' -> found k') -> runs key_step j k -> found j -> found k.
Proof. intros closed. induction 1; eauto. Qed.

End Search.

Section Keys.
Context {S : System} {E : Executable S} {H : History}.

(** ** States that agree *)

Record agree (s t : state) : Prop := Agree {
  live_agrees : forall p, live s p = live t p;
  saved_agrees : forall p, saved s p = saved t p;
  chan_agrees : forall c, chan s c = chan t c
}.

Section Agreeing.
Context {s t : state} (alike : agree s t).

Lemma recorded_agrees p : recorded s p = recorded t p.
Proof. unfold recorded. now rewrite (saved_agrees _ _ alike). Qed.

Lemma closed_agrees p : all_inputs_closed s p = all_inputs_closed t p.
Proof.
  unfold all_inputs_closed. induction channels as [|c rest IH]; simpl; [easy|].
  now rewrite IH, (chan_agrees _ _ alike).
Qed.

Lemma done_agrees p : done s p = done t p.
Proof. unfold done. now rewrite recorded_agrees, closed_agrees. Qed.

Lemma record_agrees p : agree (record p s) (record p t).
Proof.
  destruct alike as [lives saves chans]. split; simpl.
  - exact lives.
  - apply change_agrees; [exact saves|now rewrite lives].
  - intros c. now rewrite chans.
Qed.

Lemma act_agrees p sends l : agree (after_act p sends l s) (after_act p sends l t).
Proof.
  destruct alike as [lives saves chans]. split; simpl; [now apply change_agrees|exact saves|].
  intros c. now rewrite chans.
Qed.

Lemma take_agrees c m rest : agree (without_head c m rest s) (without_head c m rest t).
Proof.
  pose proof (recorded_agrees (target c)) as records. destruct alike as [lives saves chans].
  split; simpl; [exact lives|exact saves|]. apply change_agrees; [exact chans|now rewrite records, chans].
Qed.

Lemma consume_agrees c rest : agree (consume c rest s) (consume c rest t).
Proof.
  pose proof (recorded_agrees (target c)) as records. destruct alike as [lives saves chans].
  split; simpl; [exact lives|exact saves|]. apply change_agrees; [exact chans|now rewrite records, chans].
Qed.

End Agreeing.

Lemma on_marker_agrees A c rest s t : agree s t -> agree (on_marker A c rest s) (on_marker A c rest t).
Proof.
  intros alike. unfold on_marker. pose proof (consume_agrees alike c rest) as consumed.
  rewrite (recorded_agrees alike), (closed_agrees consumed).
  destruct (_ && _); [now apply record_agrees|exact consumed].
Qed.

Lemma application_successors_agree A s t :
  agree s t -> Forall2 agree (application_successors A s) (application_successors A t).
Proof.
  intros alike. unfold application_successors. apply Forall2_app; apply flat_map_alike.
  - intros p. rewrite (live_agrees _ _ alike). apply map_alike. intros. now apply act_agrees.
  - intros c. unfold received_next. rewrite (recorded_agrees alike), (chan_agrees _ _ alike), (live_agrees _ _ alike).
    destruct (queue (chan t c)) as [|[m|] rest]; [constructor| |constructor].
    destruct (reads A _ _); [|constructor]. apply map_alike. intros. now apply act_agrees, take_agrees.
Qed.

Lemma at_markers_alike {X} (related : X -> X -> Prop) f g s t :
  agree s t -> (forall c rest, related (f c rest) (g c rest)) -> Forall2 related (at_markers f s) (at_markers g t).
Proof.
  intros alike related_all. apply flat_map_alike. intros c. rewrite (chan_agrees _ _ alike).
  destruct (queue (chan t c)) as [|[|] rest]; constructor; auto.
Qed.

(** States that agree have successors that agree, one by one. *)
Lemma successors_agree A s t : agree s t -> Forall2 agree (successors A s) (successors A t).
Proof.
  intros alike. unfold successors. apply Forall2_app; [|apply Forall2_app].
  - now apply application_successors_agree.
  - apply flat_map_alike. intros p. rewrite (recorded_agrees alike).
    destruct (begins A p && _); constructor; [now apply record_agrees|constructor].
  - apply at_markers_alike; [exact alike|]. intros. now apply on_marker_agrees.
Qed.

Record coordinated_agree (g h : coordinated) : Prop := CoordinatedAgree {
  world_agrees : agree (world g) (world h);
  instructed_agrees : instructed g = instructed h;
  instruction_agrees : forall p, instruction g p = instruction h p;
  report_agrees : forall p, report g p = report h p;
  declared_agrees : declared g = declared h
}.

Lemma reporting_agrees p s t g h :
  agree s t -> coordinated_agree g h -> coordinated_agree (reporting p s g) (reporting p t h).
Proof.
  intros alike [worlds instructs instructions reports declares].
  split; simpl; try easy. rewrite (done_agrees alike), reports.
  destruct (_ && _); [now apply change_agrees|exact reports].
Qed.

Lemma after_instruction_agrees p g h :
  coordinated_agree g h -> coordinated_agree (after_instruction p g) (after_instruction p h).
Proof.
  intros [worlds instructs instructions reports declares]. unfold after_instruction. apply reporting_agrees.
  - rewrite (recorded_agrees worlds). destruct (recorded _ _); [exact worlds|now apply record_agrees].
  - split; simpl; try easy. now apply change_agrees.
Qed.

Lemma after_report_agrees p g h :
  coordinated_agree g h -> coordinated_agree (after_report p g) (after_report p h).
Proof.
  intros [worlds instructs instructions reports declares].
  assert (forall q, change same_process (report g) p Arrived q = change same_process (report h) p Arrived q)
    as arrived by now apply change_agrees.
  split; simpl; try easy. induction processes as [|q rest IH]; simpl; [easy|]. now rewrite arrived, IH.
Qed.

Lemma at_letters_alike letters letters' f f' :
  (forall p, letters p = letters' p) -> (forall p, coordinated_agree (f p) (f' p)) ->
  Forall2 coordinated_agree (at_letters letters f) (at_letters letters' f').
Proof.
  intros same_letters alike. apply flat_map_alike. intros p. rewrite same_letters.
  destruct (letters' p); constructor; [apply alike|constructor].
Qed.

Lemma coordinated_successors_agree A g h :
  coordinated_agree g h -> Forall2 coordinated_agree (coordinated_successors A g) (coordinated_successors A h).
Proof.
  intros alike. pose proof alike as [worlds instructs instructions reports declares].
  unfold coordinated_successors. apply Forall2_app; [|apply Forall2_app; [|apply Forall2_app; [|apply Forall2_app]]].
  - induction (application_successors_agree A _ _ worlds); simpl; constructor; [|assumption]. now split.
  - rewrite instructs. destruct (instructed h); constructor; [now split|constructor].
  - apply at_letters_alike; [exact instructions|]. intros. now apply after_instruction_agrees.
  - apply at_markers_alike; [exact worlds|]. intros. apply reporting_agrees; [|exact alike]. now apply on_marker_agrees.
  - apply at_letters_alike; [exact reports|]. intros. now apply after_report_agrees.
Qed.

(** ** Keys *)

Record key := Key {
  lives : list local;
  saves : list (option local);
  chans : list channel_state
}.

Definition freeze (s : state) : key :=
  Key (map (live s) processes) (map (saved s) processes) (map (chan s) channels).

Definition thaw (k : key) : state :=
  State
    (fun p => look_up same_process processes (lives k) (start p) p)
    (fun p => look_up same_process processes (saves k) None p)
    (fun c => look_up same_channel channels (chans k) fresh c).

(** Equal keys are agreement, and nothing else. *)
Theorem freeze_exact s t : freeze s = freeze t <-> agree s t.
Proof.
  unfold freeze. split.
  - intros [= lives saves chans].
    split; [apply (same_table same_process) with processes|apply (same_table same_process) with processes
           |apply (same_table same_channel) with channels]; auto using every_process, every_channel.
  - intros [lives saves chans]. f_equal; now apply map_ext.
Qed.

Lemma thaw_freeze s : agree (thaw (freeze s)) s.
Proof.
  split; intros; unfold thaw, freeze; simpl; apply look_up_written; auto using every_process, every_channel.
Qed.

(** The successors, as keys. *)
Definition next (A : algorithm) (k : key) : list key := map freeze (successors A (thaw k)).

Lemma frozen_alike {X K} (related : X -> X -> Prop) (freeze : X -> K) l l' :
  (forall x y, related x y -> freeze x = freeze y) -> Forall2 related l l' -> map freeze l = map freeze l'.
Proof. intros same. induction 1; simpl; [easy|]. f_equal; auto. Qed.

(** It does no harm to freeze and thaw on the way: also the number of entries and their order are the same. *)
Theorem next_exact A s : next A (freeze s) = map freeze (successors A s).
Proof.
  apply frozen_alike with agree; [apply freeze_exact|]. apply successors_agree, thaw_freeze.
Qed.

(** The keys that a search can find are the keys of the reachable states. *)
Theorem search_exact A k :
  runs (fun j j' => In j' (next A j)) (freeze initial) k <-> exists s, reachable A s /\ freeze s = k.
Proof. exact (key_reachable (step A) (successors A) freeze thaw (successors_exact A) (next_exact A) initial k). Qed.

(** A search that is at its end has found exactly these. *)
Theorem closed_search A (found : key -> Prop) :
  found (freeze initial) ->
  (forall k, found k -> forall k', In k' (next A k) -> found k') ->
  (forall k, found k -> runs (fun j j' => In j' (next A j)) (freeze initial) k) ->
  forall k, found k <-> exists s, reachable A s /\ freeze s = k.
Proof.
  intros first closed only k. rewrite <- search_exact. split; [apply only|].
  intros run. exact (closed_under_runs (successors A) freeze thaw found _ _ closed run first).
Qed.

(** ** Keys with a coordinator *)

Record coordinated_key := CoordinatedKey {
  world_key : key;
  instructed_key : bool;
  instructions : list letter;
  reports : list letter;
  declared_key : bool
}.

Definition freeze_coordinated (g : coordinated) : coordinated_key :=
  CoordinatedKey (freeze (world g)) (instructed g)
    (map (instruction g) processes) (map (report g) processes) (declared g).

Definition thaw_coordinated (k : coordinated_key) : coordinated :=
  Coordinated (thaw (world_key k)) (instructed_key k)
    (fun p => look_up same_process processes (instructions k) Unsent p)
    (fun p => look_up same_process processes (reports k) Unsent p)
    (declared_key k).

Theorem freeze_coordinated_exact g h : freeze_coordinated g = freeze_coordinated h <-> coordinated_agree g h.
Proof.
  unfold freeze_coordinated. split.
  - intros [= lives saves chans instructs instructions reports declares].
    split; [apply freeze_exact; unfold freeze; congruence|exact instructs| | |exact declares];
      apply (same_table same_process) with processes; auto using every_process.
  - intros [worlds instructs instructions reports declares].
    apply freeze_exact in worlds. f_equal; trivial; now apply map_ext.
Qed.

Lemma thaw_freeze_coordinated g : coordinated_agree (thaw_coordinated (freeze_coordinated g)) g.
Proof.
  split; simpl; try easy; [apply thaw_freeze| |]; intros; apply look_up_written, every_process.
Qed.

Definition coordinated_next (A : algorithm) (k : coordinated_key) : list coordinated_key :=
  map freeze_coordinated (coordinated_successors A (thaw_coordinated k)).

Theorem coordinated_next_exact A g :
  coordinated_next A (freeze_coordinated g) = map freeze_coordinated (coordinated_successors A g).
Proof.
  apply frozen_alike with coordinated_agree; [apply freeze_coordinated_exact|].
  apply coordinated_successors_agree, thaw_freeze_coordinated.
Qed.

Theorem coordinated_search_exact A k :
  runs (fun j j' => In j' (coordinated_next A j)) (freeze_coordinated initially_coordinated) k
  <-> exists g, coordinated_reachable A g /\ freeze_coordinated g = k.
Proof.
  exact (key_reachable (coordinated_step A) (coordinated_successors A) freeze_coordinated thaw_coordinated
           (coordinated_successors_exact A) (coordinated_next_exact A) initially_coordinated k).
Qed.

Theorem closed_coordinated_search A (found : coordinated_key -> Prop) :
  found (freeze_coordinated initially_coordinated) ->
  (forall k, found k -> forall k', In k' (coordinated_next A k) -> found k') ->
  (forall k, found k ->
     runs (fun j j' => In j' (coordinated_next A j)) (freeze_coordinated initially_coordinated) k) ->
  forall k, found k <-> exists g, coordinated_reachable A g /\ freeze_coordinated g = k.
Proof.
  intros first closed only k. rewrite <- coordinated_search_exact. split; [apply only|].
  intros run.
  exact (closed_under_runs (coordinated_successors A) freeze_coordinated thaw_coordinated found _ _ closed run first).
Qed.

End Keys.
