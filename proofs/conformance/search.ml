(* Explores one of the proved machines over the application [script] or [stream], all reachable keys, and prints how
   many states there are, how many were generated (the first one, and every successor of every state), and how many
   distinct outcomes complete states have. The machines are extracted from the proofs (machines.ml); by [closed_search]
   what is found here is every reachable state. Options are those of `snapcheck check`. *)

open Machines

(* A wrong or missing option ends the program with exit code 2. *)
let refuse what = prerr_endline ("search: " ^ what); exit 2

(* What an instance is, from the command line. *)

let algorithm = ref "" and topology = ref "" and messages = ref 1
let records = ref None and initiators = ref None and coordinator = ref "none" and outcomes_file = ref None

let records_in text =
  try Scanf.sscanf text "stream = { records = %d }%!" Fun.id
  with _ -> refuse ("neither messages nor a stream: " ^ text)

let options = [
  "--algorithm", Arg.Set_string algorithm, "NAME";
  "--topology", Arg.Set_string topology, "TOPOLOGY  \"complete(2)\" or \"p -> q, q -> q\"";
  "--messages", Arg.Set_int messages, "K  messages on each channel";
  "--application", Arg.String (fun text -> records := Some (records_in text)),
    "STREAM  \"stream = { records = K }\", instead of messages";
  "--initiators", Arg.String (fun names -> initiators := Some names), "PROCESSES  separated by commas";
  "--coordinator", Arg.Set_string coordinator, "WHO  none or central";
  "--outcomes", Arg.String (fun file -> outcomes_file := Some file), "FILE  write the distinct outcomes, a line each";
]

let parts separator text = List.map String.trim (String.split_on_char separator text)

let position name names =
  let rec from i = function
    | [] -> refuse ("no process is called " ^ name)
    | other :: rest -> if other = name then i else from (i + 1) rest in
  from 0 names

(* Names in the order in which they appear, and edges between their positions. *)
let of_edges text =
  let edge part =
    try Scanf.sscanf part "%s -> %s%!" (fun p q -> (p, q))
    with _ -> refuse ("neither a shape nor an edge \"p -> q\": " ^ part) in
  let edges = List.map edge (parts ',' text) in
  let add names name = if List.mem name names then names else names @ [name] in
  let names = List.fold_left (fun names (p, q) -> add (add names p) q) [] edges in
  let numbers (p, q) = (position p names, position q names) in
  (names, List.sort_uniq compare (List.map numbers edges))

let numbered n edges = (List.init n (Printf.sprintf "p%d"), edges)

let shaped text =
  let shape format make = try Scanf.sscanf text format (fun n -> Some (make n)) with _ -> None in
  let shapes = [
    shape "line(%d)%!" (fun n -> numbered n (line n));
    shape "ring(%d)%!" (fun n -> numbered n (ring n));
    shape "complete(%d)%!" (fun n -> numbered n (complete_graph n));
    shape "fan-in(%d)%!" (fun n -> numbered (n + 1) (fan_in n));
    (if text = "diamond" then Some (numbered 4 diamond) else None);
  ] in
  match List.find_map Fun.id shapes with Some found -> found | None -> of_edges text

(* The search. States are known again by the bytes of their keys, which are equal where the keys are: keys are trees of
   numbers, and nothing in them is shared when written. *)

module Seen = Hashtbl.Make (struct
  type t = string
  let equal = String.equal
  let hash bytes = Hashtbl.hash (Digest.string bytes)
end)

type 'outcome found = { unique : int; generated : int; outcomes : 'outcome list }

let explore first next outcome_at =
  let seen = Seen.create 65_536 and waiting = Queue.create () in
  let generated = ref 0 and outcomes = Hashtbl.create 64 in
  let come_upon key =
    incr generated;
    let bytes = Marshal.to_string key [Marshal.No_sharing] in
    if not (Seen.mem seen bytes) then begin
      Seen.add seen bytes ();
      Option.iter (fun outcome -> Hashtbl.replace outcomes outcome ()) (outcome_at key);
      Queue.add key waiting
    end in
  come_upon first;
  while not (Queue.is_empty waiting) do
    List.iter come_upon (next (Queue.pop waiting))
  done;
  let outcomes = List.sort compare (List.of_seq (Hashtbl.to_seq_keys outcomes)) in
  { unique = Seen.length seen; generated = !generated; outcomes }

(* Outcomes as the checker writes them: what processes saved, in numbers and in words, and per channel the numbers of
   the messages recorded, and what they carry in words. Ordered as they are there, by comparing. *)

type saved = { sent : int list; received : int list; state : string }
type written = { processes : saved list; channels : int list list; contents : string list list }

let of_script_outcome (processes, channels) =
  let saved (sent, received) = { sent; received; state = "" } in
  { processes = List.map saved processes; channels; contents = [] }

let of_stream_outcome names records (processes, channels) =
  let words origin number = Printf.sprintf "record %d of %s" number (List.nth names origin) in
  let applied place = function
    | 0 -> []
    | 1 -> ["applied " ^ words (place / records) (place mod records + 1)]
    | times -> [Printf.sprintf "applied %s %d times" (words (place / records) (place mod records + 1)) times] in
  let saved (((sent, received), offset), times) =
    let emitted = match offset with Some count -> [Printf.sprintf "offset %d" count] | None -> [] in
    { sent; received; state = String.concat ", " (emitted @ List.concat (List.mapi applied times)) } in
  let numbers = List.map (List.map (fun message -> message.number)) channels in
  let carried = List.map (List.map (fun message -> words message.origin message.record_number)) channels in
  { processes = List.map saved processes; channels = numbers;
    contents = if List.concat carried = [] then [] else carried }

(* The line of JSON. What has no words is left out. *)
let line outcome =
  let list write items = "[" ^ String.concat "," (List.map write items) ^ "]" in
  let numbers = list string_of_int and quoted = Printf.sprintf "\"%s\"" in
  let unless_empty text field = if text = "" then "" else field text in
  let saved { sent; received; state } =
    Printf.sprintf "{\"sent\":%s,\"received\":%s%s}" (numbers sent) (numbers received)
      (unless_empty state (Printf.sprintf ",\"state\":\"%s\"")) in
  let contents = if outcome.contents = [] then "" else list (list quoted) outcome.contents in
  Printf.sprintf "{\"instance\":\"ad hoc\",\"processes\":%s,\"channels\":%s%s}" (list saved outcome.processes)
    (list numbers outcome.channels) (unless_empty contents (Printf.sprintf ",\"contents\":%s"))

let () =
  Arg.parse options (fun extra -> refuse ("what is " ^ extra ^ "?")) "search OPTIONS";
  let names, edges = shaped !topology in
  let n = List.length names and k = !messages in
  let instance, outcome_at =
    match !records with
    | None -> (of_script n edges k, fun key -> Option.map of_script_outcome (script_outcome_at n edges k key))
    | Some count ->
      ( of_stream n edges count,
        fun key -> Option.map (of_stream_outcome names count) (stream_outcome_at n edges count key) ) in
  let initiators = Option.map (fun text -> List.map (fun name -> position name names) (parts ',' text)) !initiators in
  let rules =
    match !algorithm, initiators with
    | "chandy-lamport", Some initiators -> the_chandy_lamport instance initiators
    | "universal", None -> the_universal instance
    | "general", None -> the_general instance
    | "general-literal", None -> the_general_literal instance
    | "flink-aligned", None -> the_flink_aligned instance
    | "flink-at-least-once", None -> the_flink_at_least_once instance
    | name, _ -> refuse ("no proved machine for algorithm \"" ^ name ^ "\" with these initiators") in
  let found =
    match !coordinator with
    | "none" -> explore (first_key instance) (next_keys instance rules) outcome_at
    | "central" ->
      explore (first_coordinated_key instance) (next_coordinated_keys instance rules)
        (fun key -> outcome_at (key_below instance key))
    | who -> refuse ("no proved machine has a coordinator \"" ^ who ^ "\"") in
  let write file =
    let out = open_out_bin file in
    List.iter (fun outcome -> output_string out (line outcome ^ "\n")) found.outcomes;
    close_out out in
  Option.iter write !outcomes_file;
  Printf.printf "%d %d %d\n" found.unique found.generated (List.length found.outcomes)
