# SPDX-License-Identifier: Apache-2.0
# Runs one stage, keeps its output in build/test/, counts, and prints one line. Sourced by ./test.

total_passed=0
total_failed=0

without_colours() { sed 's/\x1b\[[0-9;]*m//g' "$1"; }

# counts LOG: "passed failed", summed over every summary that a runner of ours printed.
counts() {
  without_colours "$1" | awk '
    /^[0-9]+ passed, [0-9]+ failed$/          { passed += $1; failed += $3 }                  # our scripts
    /^\[doctest\] test cases:/                { gsub(/[|]/, " "); passed += $5; failed += $7 } # doctest
    /^(#|ℹ) pass [0-9]+$/                     { passed += $3 }                                # node --test
    /^(#|ℹ) (fail|cancelled) [0-9]+$/          { failed += $3 }
    /^ *Tests  .*\([0-9]+\)$/ {                                                               # vitest
      for (i = 2; i <= NF; i++) { if ($i == "passed") passed += $(i-1); if ($i == "failed") failed += $(i-1) }
    }
    END { print passed + 0, failed + 0 }'
}

# Shows on a terminal what a running stage is doing.
watch_log() {
  local pid=$1 stage=$2 log=$3
  while kill -0 "$pid" 2>/dev/null; do
    printf '\r\033[K%-10s %s' "$stage" "$(tail -n 1 "$log" | tr -d '\r\033' | cut -c 1-60)"
    sleep 0.5
  done
  printf '\r\033[K'
}

# A stage is a function stage_NAME; 77 means that there is nothing of its kind yet.
run_stage() {
  local stage=$1 log=build/test/$1.log status=0 pid start=$SECONDS
  mkdir -p build/test
  "stage_${stage//-/_}" >"$log" 2>&1 </dev/null &
  pid=$!
  if [ -t 1 ]; then watch_log "$pid" "$stage" "$log"; else printf '%-10s ...\n' "$stage"; fi
  wait "$pid" || status=$?
  count_stage "$stage" "$status" $((SECONDS - start))
}

# start_beside STAGE...: one after another in what the stages in front leave of the cores.
start_beside() {
  local stage
  mkdir -p build/test
  for stage in "$@"; do rm -f "build/test/$stage.ended"; done
  (
    renice -n 19 -p "$BASHPID" >/dev/null
    for stage in "$@"; do
      start=$SECONDS status=0
      ("stage_${stage//-/_}") >"build/test/$stage.log" 2>&1 </dev/null || status=$?
      printf '%d %d\n' "$status" $((SECONDS - start)) >"build/test/$stage.ended"
    done
  ) 2>/dev/null &
  beside_pid=$!
}

# Waits for a stage that runs beside the others; one that left no word has failed.
finish_beside() {
  local stage=$1 status=1 seconds=0
  printf '%-10s ...\n' "$stage"
  while [ ! -s "build/test/$stage.ended" ] && kill -0 "$beside_pid" 2>/dev/null; do sleep 0.5; done
  if [ -s "build/test/$stage.ended" ]; then read -r status seconds <"build/test/$stage.ended"; fi
  count_stage "$stage" "$status" "$seconds"
}

# count_stage STAGE STATUS SECONDS: its line, and its part of the totals.
count_stage() {
  local stage=$1 status=$2 seconds=$3 log=build/test/$1.log passed failed
  if [ "$status" -eq 77 ]; then
    printf '%-10s nothing yet\n' "$stage"
    return
  fi
  read -r passed failed < <(counts "$log")
  # A crash, a failed build, or a runner that ran nothing is a failure, whatever was counted before it.
  if [ "$failed" -eq 0 ] && { [ "$status" -ne 0 ] || [ "$passed" -eq 0 ]; }; then failed=1; fi
  total_passed=$((total_passed + passed))
  total_failed=$((total_failed + failed))
  if [ "$failed" -gt 0 ]; then
    printf '%-10s FAILED; the end of %s:\n' "$stage" "$log"
    without_colours "$log" | tail -n 40 | sed 's/^/    /'
  fi
  printf '%-10s %d passed, %d failed  (%d s)\n' "$stage" "$passed" "$failed" "$seconds"
}
