# SPDX-License-Identifier: Apache-2.0
# Runs a stage and says what it counted. A stage is a function stage_NAME; its runners write JUnit reports into $report,
# its output goes to build/test/NAME.log. Sourced by ./test.

total_passed=0
total_failed=0

# one_case NAME COMMAND...: a command that is one test, and passes when it ends well.
one_case() {
  local name=$1
  shift
  "$@" && printf '<testsuite><testcase name="%s"/></testsuite>\n' "$name" >"$report/${name// /-}.xml"
}

# Runs the stage's function with its output in the log.
perform() {
  local stage=$1
  report=$PWD/build/test/$stage
  rm -rf "$report"
  mkdir -p "$report"
  "stage_$stage" >"build/test/$stage.log" 2>&1 </dev/null
}

# Shows on a terminal what a running stage is doing.
watch_log() {
  local pid=$1 stage=$2
  while kill -0 "$pid" 2>/dev/null; do
    printf '\r\033[K%-10s %s' "$stage" "$(tail -n 1 "build/test/$stage.log" 2>/dev/null | tr -d '\r\033' | cut -c 1-60)"
    sleep 0.5
  done
  printf '\r\033[K'
}

run_stage() {
  local stage=$1 status=0 pid start=$SECONDS
  perform "$stage" &
  pid=$!
  if [ -t 1 ]; then watch_log "$pid" "$stage"; else printf '%-10s ...\n' "$stage"; fi
  wait "$pid" || status=$?
  count_stage "$stage" "$status" $((SECONDS - start))
}

# start_beside NICENESS STAGE...: one after another beside the stages in front; with 19 in what they leave of the cores.
start_beside() {
  local stage niceness=$1
  shift
  mkdir -p build/test
  for stage in "$@"; do rm -f "build/test/$stage.ended"; done
  (
    renice -n "$niceness" -p "$BASHPID" >/dev/null
    for stage in "$@"; do
      start=$SECONDS status=0
      (perform "$stage") || status=$?
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

# count_stage STAGE STATUS SECONDS: what failed, its line, and its part of the totals.
count_stage() {
  local said passed failed
  said=$(/usr/bin/python3 tools/test/tally.py "$1" "$2" "$3" "build/test/$1" "build/test/$1.log") || said="0 1"
  read -r passed failed <<<"${said##*$'\n'}"
  printf '%s\n' "${said%$'\n'*}"
  total_passed=$((total_passed + passed))
  total_failed=$((total_failed + failed))
}

# start_set_up: fetches what the native stages do not need while they run.
start_set_up() {
  mkdir -p build/test
  (set_up test && install_web && install_lint && install_package_tools && install_real_model) \
    >build/test/set-up.log 2>&1 </dev/null &
  set_up_pid=$!
}

# Waits for it, once; says what went wrong.
finish_set_up() {
  [ -n "${set_up_pid:-}" ] || return 0
  local pid=$set_up_pid
  set_up_pid=
  if ! wait "$pid"; then
    tail -n 40 build/test/set-up.log >&2
    return 1
  fi
  # shellcheck source=/dev/null
  . build/toolchain.sh
}
