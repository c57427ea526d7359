(** * Exec: the machines, run

    The machines of Machine.v say which steps there are; a program needs them listed. This file lists them, for any
    algorithm and any application that can list its own ([Executable]), and proves the list exact: [successors A s]
    holds what [step A] allows in [s], nothing else and nothing less. There is one entry for each process or channel
    that can act and each way in which it can, which is how a model checker counts transitions. Each rule of the
    machine has one line here, and each line one case of the proof. *)

Require Import List Bool.
Require Import Snapcheck.Machine.
Import ListNotations.

(** ** What an application must list *)

Class Executable (S : System) := {
  actions : process -> local -> list (list (channel * message) * local);
  actions_exact : forall p l sends l', In (sends, l') (actions p l) <-> acts p l sends l';
  acceptances : channel -> local -> message -> list (list (channel * message) * local);
  acceptances_exact : forall c l m sends l', In (sends, l') (acceptances c l m) <-> accepts c l m sends l'
}.

Section Exec.
Context {S : System} {E : Executable S} {H : History}.

(** ** Successors *)

Definition acting_next (s : state) : list state :=
  flat_map (fun p => map (fun a => after_act p (fst a) (snd a) s) (actions p (live s p))) processes.

Definition received_next (A : algorithm) (s : state) (c : channel) : list state :=
  match queue (chan s c) with
  | Message m :: rest =>
      if reads A (recorded s (target c)) (closed (chan s c))
      then map (fun a => after_receive c m rest (fst a) (snd a) s) (acceptances c (live s (target c)) m)
      else []
  | _ => []
  end.

Definition application_successors (A : algorithm) (s : state) : list state :=
  acting_next s ++ flat_map (received_next A s) channels.

(** What [f] makes of each marker at the head of a channel. *)
Definition at_markers {X} (f : channel -> list item -> X) (s : state) : list X :=
  flat_map (fun c => match queue (chan s c) with Marker :: rest => [f c rest] | _ => [] end) channels.

Definition begun_next (A : algorithm) (s : state) : list state :=
  flat_map (fun p => if begins A p && negb (recorded s p) then [record p s] else []) processes.

Definition successors (A : algorithm) (s : state) : list state :=
  application_successors A s ++ begun_next A s ++ at_markers (fun c rest => on_marker A c rest s) s.

Lemma application_successors_exact A s s' :
  In s' (application_successors A s) <-> application_step A s s'.
Proof.
  unfold application_successors, acting_next.
  rewrite !in_app_iff, !in_flat_map. split.
  - intros [(p & _ & next)|(c & _ & next)].
    + apply in_map_iff in next as ([sends l] & <- & next). now apply does, actions_exact.
    + unfold received_next in next.
      destruct (queue (chan s c)) as [|[m|] rest] eqn:head; try easy.
      destruct (reads A _ _) eqn:may_read; [|easy].
      apply in_map_iff in next as ([sends l] & <- & next).
      apply receives; [exact head|exact may_read|now apply acceptances_exact].
  - intros [p sends l next|c m rest sends l head may_read next].
    + left. exists p. split; [apply every_process|]. apply in_map_iff.
      exists (sends, l). now rewrite actions_exact.
    + right. exists c. split; [apply every_channel|]. unfold received_next. rewrite head, may_read.
      apply in_map_iff. exists (sends, l). now rewrite acceptances_exact.
Qed.

Lemma at_markers_exact {X} (f : channel -> list item -> X) s x :
  In x (at_markers f s) <-> exists c rest, queue (chan s c) = Marker :: rest /\ x = f c rest.
Proof.
  unfold at_markers. rewrite in_flat_map. split.
  - intros (c & _ & next). destruct (queue (chan s c)) as [|[|] rest] eqn:head; try easy.
    destruct next as [<-|[]]. now exists c, rest.
  - intros (c & rest & head & ->). exists c. split; [apply every_channel|]. rewrite head. now left.
Qed.

Lemma recorded_none s p : recorded s p = false <-> saved s p = None.
Proof. unfold recorded. now destruct (saved s p). Qed.

(** Successors are exactly what a step can lead to. *)
Theorem successors_exact A s s' : In s' (successors A s) <-> step A s s'.
Proof.
  unfold successors, begun_next.
  rewrite !in_app_iff, application_successors_exact, in_flat_map, at_markers_exact. split.
  - intros [next|[(p & _ & next)|(c & rest & head & ->)]].
    + now apply of_application.
    + destruct (begins A p) eqn:may; [|easy]. destruct (recorded s p) eqn:has; [easy|].
      destruct next as [<-|[]]. apply of_overlay, by_itself; [exact may|now apply recorded_none].
    + now apply of_overlay, on_a_marker.
  - intros [s'' next|s'' [p may has|c rest head]]; [now left|right; left|right; right].
    + exists p. split; [apply every_process|]. apply recorded_none in has. rewrite may, has. now left.
    + now exists c, rest.
Qed.

(** ** Successors with a coordinator *)

(** What [f] makes of each process whose letter is on its way. *)
Definition at_letters (letters : process -> letter) (f : process -> coordinated) : list coordinated :=
  flat_map (fun p => match letters p with Travelling => [f p] | _ => [] end) processes.

Definition with_world (g : coordinated) (s : state) : coordinated :=
  Coordinated s (instructed g) (instruction g) (report g) (declared g).

Definition coordinated_successors (A : algorithm) (g : coordinated) : list coordinated :=
  map (with_world g) (application_successors A (world g))
  ++ (if instructed g then [] else [after_instructing A g])
  ++ at_letters (instruction g) (fun p => after_instruction p g)
  ++ at_markers (fun c rest => reporting (target c) (on_marker A c rest (world g)) g) (world g)
  ++ at_letters (report g) (fun p => after_report p g).

Lemma at_letters_exact letters f g : In g (at_letters letters f) <-> exists p, letters p = Travelling /\ g = f p.
Proof.
  unfold at_letters. rewrite in_flat_map. split.
  - intros (p & _ & next). destruct (letters p) eqn:way; try easy. destruct next as [<-|[]]. now exists p.
  - intros (p & way & ->). exists p. split; [apply every_process|]. rewrite way. now left.
Qed.

Theorem coordinated_successors_exact A g g' : In g' (coordinated_successors A g) <-> coordinated_step A g g'.
Proof.
  unfold coordinated_successors.
  rewrite !in_app_iff, in_map_iff, !at_letters_exact, at_markers_exact. split.
  - intros [(s & <- & next)|[next|[(p & way & ->)|[(c & rest & head & ->)|(p & way & ->)]]]].
    + now apply of_world, application_successors_exact.
    + destruct (instructed g) eqn:has; [easy|]. destruct next as [<-|[]]. now apply of_coordination, instructs.
    + now apply of_coordination, instruction_arrives.
    + now apply of_coordination, marker_arrives.
    + now apply of_coordination, report_arrives.
  - intros [s next|g'' [has|p way|c rest head|p way]].
    + left. exists s. now rewrite application_successors_exact.
    + right. left. rewrite has. now left.
    + right. right. left. now exists p.
    + do 3 right. left. now exists c, rest.
    + do 4 right. now exists p.
Qed.

End Exec.
