#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tries the counting of ./test on what each runner prints: a miscount would hide a failure.
set -uo pipefail
cd "$(mktemp -d)" || exit 1
trap 'rm -rf "$PWD"' EXIT
. "$OLDPWD/tools/test/report.sh"
right=0
wrong=0

# expect WANTED STATUS TEXT: the count of a stage that prints TEXT and ends with STATUS.
expect() {
  local wanted=$1 text=$3
  eval "stage_trial() { printf '%b' \"\$text\"; return $2; }"
  total_passed=0
  total_failed=0
  run_stage trial >shown
  if [ "$total_passed $total_failed" = "$wanted" ]; then
    right=$((right + 1))
  else
    wrong=$((wrong + 1))
    printf 'counted %s %s, wanted %s: %s\n' "$total_passed" "$total_failed" "$wanted" "$text"
  fi
}

expect "5 0" 0 '3 passed, 0 failed\n2 passed, 0 failed\n'
expect "3 1" 139 '3 passed, 0 failed\n'
expect "0 1" 0 'nothing was run\n'
expect "0 1" 1 'error: does not compile\n'
expect "0 0" 77 ''
expect "23 2" 1 '[doctest] test cases:     25 |     23 passed | 2 failed | 0 skipped\n'
expect "25 0" 0 '\x1b[0;36m[doctest] \x1b[0mtest cases: 25 | 25 passed | 0 failed | 0 skipped\n'
expect "3 2" 1 '# tests 5\n# pass 3\n# fail 1\n# cancelled 1\n'
expect "63 1" 1 'ℹ tests 64\nℹ pass 63\nℹ fail 1\nℹ cancelled 0\n'
expect "11 1" 1 '\x1b[2m      Tests \x1b[22m \x1b[1m\x1b[31m1 failed\x1b[39m\x1b[22m | \x1b[32m11 passed\x1b[39m (12)\n'
expect "40 0" 0 ' Test Files  7 passed (7)\n      Tests  40 passed (40)\n'

# Stages beside the others: what they print counts, and one that dies without a word has failed.
expect_beside() {
  local wanted=$1
  eval "$2"
  total_passed=0
  total_failed=0
  start_beside one two
  finish_beside one >shown
  finish_beside two >>shown
  if [ "$total_passed $total_failed" = "$wanted" ]; then
    right=$((right + 1))
  else
    wrong=$((wrong + 1))
    printf 'beside: counted %s %s, wanted %s\n' "$total_passed" "$total_failed" "$wanted"
  fi
}
expect_beside "5 0" 'stage_one() { sleep 0.2; echo "2 passed, 0 failed"; }; stage_two() { echo "3 passed, 0 failed"; }'
expect_beside "3 1" 'stage_one() { echo "2 wrong"; return 1; }; stage_two() { echo "3 passed, 0 failed"; }'
expect_beside "0 2" 'stage_one() { kill -9 $BASHPID; }; stage_two() { exit 3; }'
expect_beside "0 2" 'stage_one() { me=$BASHPID; kill -9 $(ps -o ppid= -p "$me"); }; stage_two() { echo "3 passed, 0 failed"; }'

# A test program in pieces: a stand-in of 50 cases that prints as doctest does, and fails or dies at case 30.
cat >program <<'END'
#!/usr/bin/env bash
for word in "$@"; do case $word in --first=*) first=${word#*=} ;; --last=*) last=${word#*=} ;; esac done
case " $* " in *" --count "*) echo '[doctest] unskipped test cases passing the current filters: 50' && exit 0 ;; esac
failed=0
if [ "$first" -le 30 ] && [ "$last" -ge 30 ]; then
  if [ "$1" = dies ]; then exit 139; fi
  if [ "$1" = fails ]; then failed=1; fi
fi
printf '\e[0;36m[doctest] \e[0mtest cases: 50 | %d passed | %d failed | 0 skipped\n' $((50 - failed)) "$failed"
exit "$failed"
END
chmod +x program
pieces() { /usr/bin/python3 "$OLDPWD/tools/test/pieces.py" ./program "$1"; }
expect_pieces() {
  local text status=0
  text=$(pieces "$2") || status=$?
  expect "$1" "$status" "$text"
}
expect_pieces "50 0" passes
expect_pieces "49 1" fails
expect_pieces "47 1" dies # its piece of three is lost
expect "0 1" 1 "$(/usr/bin/python3 "$OLDPWD/tools/test/pieces.py" /bin/true)"
printf '%d passed, %d failed\n' "$right" "$wrong"
[ "$wrong" -eq 0 ]
