#!/usr/bin/env bash
# Runs the proved machines and the checker on the same instances, and compares how many states each finds, how many it
# generates, and every outcome. A line for each instance; exit code 1 if anything differs.
#
# usage: compare.sh SEARCH SNAPCHECK   (the two programs)

set -euo pipefail
shopt -s inherit_errexit

search=$1
snapcheck=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
different=0

# What the proved machine finds, for the options of an instance: "unique generated outcomes"; outcomes in a file.
proved() {
  rm -f "$scratch/proved"
  "$search" "$@" --outcomes "$scratch/proved"
}

# The same of the checker. Its exit code 1 says that a claim is violated, which is not the question here.
checked() {
  rm -f "$scratch/checked"
  "$snapcheck" check "$@" --format json --outcomes "$scratch/checked" > "$scratch/report" || [ $? -eq 1 ]
  sed -E 's/.*"states":\{"unique":([0-9]+),"generated":([0-9]+),.*"outcomes":([0-9]+),.*/\1 \2 \3/' "$scratch/report"
}

# Whether counts and outcomes are the same.
same() { [ "$ours" = "$theirs" ] && cmp -s "$scratch/proved" "$scratch/checked"; }

show() {
  local ours_unique ours_generated ours_outcomes theirs_unique theirs_generated theirs_outcomes
  read -r ours_unique ours_generated ours_outcomes <<< "$ours"
  read -r theirs_unique theirs_generated theirs_outcomes <<< "$theirs"
  printf '%-19s %-32s %-14s %7s / %-7s %7s / %-7s %5s %5s  %s\n' "$1" "$2" "$3" "$ours_unique" "$ours_generated" \
    "$theirs_unique" "$theirs_generated" "$ours_outcomes" "$theirs_outcomes" "$4"
}

# compare ALGORITHM TOPOLOGY K [how it begins], with so many messages on each channel, or with K = "stream R" a stream
# of so many records
compare() {
  local options=(--algorithm "$1" --topology "$2" "${@:4}")
  if [[ $3 == stream* ]]; then
    options+=(--application "stream = { records = ${3#stream } }")
  else
    options+=(--messages "$3")
  fi
  local begun="${5:-}${7:+, $7}"
  ours=$(proved "${options[@]}")
  theirs=$(checked "${options[@]}")
  local verdict=equal
  same || { verdict=DIFFERENT; different=1; }
  show "$1" "$2, $3" "$begun" "$verdict"
}

printf '%-19s %-32s %-14s %17s %17s %11s\n' algorithm 'topology, messages or stream' begun 'proved machine' checker outcomes

# Two machines that do differ are told apart, or what follows would mean nothing: these two have the same outcomes,
ours=$(proved --algorithm universal --topology 'complete(2)' --messages 2)
theirs=$(checked --algorithm chandy-lamport --topology 'complete(2)' --messages 2 --initiators p0,p1)
if same; then echo 'universal and chandy-lamport are not told apart by their counts'; exit 1; fi
# and these the same counts.
ours=$(proved --algorithm chandy-lamport --topology 'p -> q, q -> q' --messages 1 --initiators p)
theirs=$ours
checked --algorithm chandy-lamport --topology 'p -> p, p -> q' --messages 1 --initiators p > "$scratch/counts"
if same; then echo 'two topologies are not told apart by their outcomes'; exit 1; fi

compare chandy-lamport 'complete(2)' 1 --initiators p0
compare chandy-lamport 'complete(2)' 2 --initiators p0
compare chandy-lamport 'complete(2)' 3 --initiators p0
compare chandy-lamport 'complete(2)' 2 --initiators p0,p1
compare chandy-lamport 'complete(3)' 0 --initiators p0
compare chandy-lamport 'complete(3)' 1 --initiators p0
compare chandy-lamport 'line(3)' 2 --initiators p0
compare chandy-lamport 'fan-in(2)' 2 --initiators p0,p1
compare chandy-lamport 'ring(3)' 2 --initiators p0
compare chandy-lamport 'diamond' 1 --initiators p0
compare chandy-lamport 'p -> p' 3 --initiators p
compare chandy-lamport 'p -> q, q -> q' 2 --initiators p
compare chandy-lamport 'p -> q' 2 --initiators q
compare chandy-lamport 'complete(2)' 2 --initiators p0 --coordinator central
compare chandy-lamport 'ring(3)' 1 --initiators p0 --coordinator central
compare universal 'complete(2)' 2
compare universal 'fan-in(2)' 2
compare universal 'ring(3)' 1
compare universal 'diamond' 1
compare universal 'p -> q, q -> q' 2
compare flink-aligned 'line(3)' 2
compare flink-aligned 'fan-in(2)' 2
compare flink-aligned 'diamond' 2
compare flink-aligned 'p -> q, q -> q' 2
compare flink-aligned 'fan-in(2)' 2 --coordinator central
compare flink-aligned 'diamond' 1 --coordinator central
compare flink-at-least-once 'line(3)' 2
compare flink-at-least-once 'fan-in(2)' 2
compare flink-at-least-once 'diamond' 2
compare flink-at-least-once 'p -> q, q -> q' 2
compare general 'complete(2)' 1
compare general 'complete(2)' 2 --coordinator central
compare general 'fan-in(2)' 2 --coordinator central
compare general 'ring(3)' 1 --coordinator central
compare general 'p -> q, q -> q' 2 --coordinator central
compare general-literal 'complete(2)' 2 --coordinator central
compare general-literal 'fan-in(2)' 1 --coordinator central
compare general-literal 'p -> q, q -> q' 2 --coordinator central

# Processes that forward what they receive in the same step, on all outputs.
compare universal 'line(3)' 'stream 2'
compare universal 'diamond' 'stream 1'
compare chandy-lamport 'line(3)' 'stream 2' --initiators p0
compare chandy-lamport 'fan-in(2)' 'stream 2' --initiators p0,p1
compare chandy-lamport 'diamond' 'stream 2' --initiators p0
compare chandy-lamport 'a -> b, b -> c, b -> d' 'stream 2' --initiators a
compare flink-aligned 'line(3)' 'stream 3'
compare flink-aligned 'diamond' 'stream 2'
compare flink-aligned 'a -> c, b -> c, c -> d' 'stream 2'
compare flink-aligned 'diamond' 'stream 1' --coordinator central
compare flink-at-least-once 'diamond' 'stream 2'
compare flink-at-least-once 'a -> c, b -> c, c -> d' 'stream 2'
compare general 'diamond' 'stream 1' --coordinator central
compare general-literal 'line(3)' 'stream 2' --coordinator central

exit $different
