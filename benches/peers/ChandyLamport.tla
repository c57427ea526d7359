--------------------------- MODULE ChandyLamport ---------------------------
(* Chandy-Lamport on the complete graph of N processes, each sending K       *)
(* messages on each channel in round-robin order; process 0 begins. The same *)
(* state space as snapcheck's, state for state and transition for transition.*)
(* Chandy & Lamport 1985, section 3.1.                                       *)
EXTENDS Naturals, Sequences

CONSTANTS N, K

Processes == 0 .. N - 1
Channels  == {c \in Processes \X Processes : c[1] # c[2]}
Marker    == 0

VARIABLES position,     \* steps of its script that a process has taken
          link,         \* contents of each channel: message numbers and markers
          received,     \* messages received from each channel
          mayBegin,     \* whether process 0 may still begin
          recorded,     \* whether a process has recorded
          recPosition,  \* its position when it recorded
          recReceived,  \* received when the receiver recorded
          stored,       \* the recording of each channel
          closed        \* whether it is finished

vars == <<position, link, received, mayBegin, recorded, recPosition,
          recReceived, stored, closed>>

(* The i-th output of p, counting from 0: targets in ascending order.        *)
Target(p, i) == IF i < p THEN i ELSE i + 1

(* How many of the first s steps of q's script send to p.                    *)
SentTo(q, p, s) == LET i == IF p < q THEN p ELSE p - 1
                   IN  (s + (N - 1) - 1 - i) \div (N - 1)

Init == /\ position    = [p \in Processes |-> 0]
        /\ link        = [c \in Channels |-> <<>>]
        /\ received    = [c \in Channels |-> 0]
        /\ mayBegin    = TRUE
        /\ recorded    = [p \in Processes |-> FALSE]
        /\ recPosition = [p \in Processes |-> 0]
        /\ recReceived = [c \in Channels |-> 0]
        /\ stored      = [c \in Channels |-> <<>>]
        /\ closed      = [c \in Channels |-> FALSE]

(* Marker-sending rule, on channels whose contents are given.                *)
Record(p, contents) ==
  /\ recorded'    = [recorded EXCEPT ![p] = TRUE]
  /\ recPosition' = [recPosition EXCEPT ![p] = position[p]]
  /\ recReceived' = [c \in Channels |-> IF c[2] = p THEN received[c] ELSE recReceived[c]]
  /\ link'        = [c \in Channels |->
                       IF c[1] = p THEN Append(contents[c], Marker) ELSE contents[c]]
  /\ mayBegin'    = (mayBegin /\ p # 0)

Begin ==
  /\ mayBegin
  /\ Record(0, link)
  /\ UNCHANGED <<position, received, stored, closed>>

Send(p) ==
  /\ position[p] < K * (N - 1)
  /\ LET c == <<p, Target(p, position[p] % (N - 1))>>
     IN  link' = [link EXCEPT ![c] = Append(@, position[p] \div (N - 1) + 1)]
  /\ position' = [position EXCEPT ![p] = @ + 1]
  /\ UNCHANGED <<received, mayBegin, recorded, recPosition, recReceived, stored, closed>>

(* Marker-receiving rule.                                                    *)
ReceiveMarker(c) ==
  /\ link[c] # <<>> /\ Head(link[c]) = Marker
  /\ LET rest == [link EXCEPT ![c] = Tail(@)]
     IN  IF recorded[c[2]]
         THEN /\ link' = rest
              /\ UNCHANGED <<mayBegin, recorded, recPosition, recReceived>>
         ELSE Record(c[2], rest)
  /\ closed' = [closed EXCEPT ![c] = TRUE]
  /\ UNCHANGED <<position, received, stored>>

ReceiveMessage(c) ==
  /\ link[c] # <<>> /\ Head(link[c]) # Marker
  /\ link'     = [link EXCEPT ![c] = Tail(@)]
  /\ received' = [received EXCEPT ![c] = @ + 1]
  /\ stored'   = IF recorded[c[2]] /\ ~closed[c]
                 THEN [stored EXCEPT ![c] = Append(@, Head(link[c]))]
                 ELSE stored
  /\ UNCHANGED <<position, mayBegin, recorded, recPosition, recReceived, closed>>

Next == \/ Begin
        \/ \E p \in Processes : Send(p)
        \/ \E c \in Channels : ReceiveMarker(c) \/ ReceiveMessage(c)

Spec == Init /\ [][Next]_vars

(* m <= n, and the recording is exactly messages m + 1 to n.                 *)
ExactSnapshot ==
  \A c \in Channels :
    (closed[c] /\ recorded[c[1]] /\ recorded[c[2]]) =>
      LET n == SentTo(c[1], c[2], recPosition[c[1]])
          m == recReceived[c]
      IN  m <= n /\ stored[c] = [i \in 1 .. n - m |-> m + i]
=============================================================================
