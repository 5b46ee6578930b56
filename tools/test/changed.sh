# SPDX-License-Identifier: Apache-2.0
# ./test --changed: the tests that the changed files reach. Sourced by ./test.

# Files that differ from the commit that is asked for (else the last one), and those that git does not know yet.
changed_files() {
  {
    git diff --name-only --diff-filter=d "${1:-HEAD}"
    git ls-files --others --exclude-standard
  } | sort -u
}

# What a file reaches, one word per line: a stage, or case=PATTERN for cases of the native program.
reached_by() {
  local file=$1 stem
  stem=$(basename "${file%.*}")
  case $file in
    src/catalogue/parts/*) printf 'format\nsizes\nlayers\nfloat\ndouble\n' ;;
    src/catalogue/*/*.cpp | src/evaluation/*/*.cpp) printf 'format\nsizes\nlayers\ncase=*%s*\n' "${stem//_/-}" ;;
    src/training/tasks/*.cpp) printf 'format\nsizes\nlayers\ncase=*task-%s*\n' "${stem//_/-}" ;;
    src/ops/primitives/*.cpp) printf 'format\nsizes\nlayers\ncase=*%s*\n' "$stem" ;;
    src/* | cli/* | tests/*_test.cpp | tests/*.h | tests/*.cpp) printf 'format\nsizes\nlayers\nfloat\ndouble\n' ;;
    bindings/efficient/*) printf 'format\nsizes\nlayers\nfloat\ndouble\nnode\n' ;;
    bindings/*) printf 'format\nsizes\nlayers\nnode\n' ;;
    data/export/*) printf 'float\npython\n' ;;
    data/catalogue/*) printf 'words\ncase=*words*\n' ;;
    systems/* | examples/* | schema/*) printf 'float\nunit\n' ;;
    tests/python/*) printf 'python\n' ;;
    tests/node/* | tests/corpus/*) printf 'node\n' ;;
    tests/package/*) printf 'package\n' ;;
    tests/web/*) printf 'browsers\n' ;;
    web/*) printf 'sizes\ntypes\nlint\nunit\n' ;;
    CMakeLists.txt | CMakePresets.json | cmake/* | tools/*) printf 'float\ndouble\nwasm\nnode\nunit\n' ;;
  esac
}

# What the build checks of the words, and that it does.
stage_words() { node_tests words tests/node/catalogue_words.test.mjs; }

# The cases of the mechanisms, measures, tasks and primitives that changed, in float and in double, and what the oracles
# in Python say of them.
stage_cases() {
  local pattern patterns preset status=0
  patterns=$(IFS=,; printf '%s' "${changed_cases[*]}")
  for preset in release double; do
    build_preset "$preset" attend_tests || return 1
    "build/$preset/tests/attend_tests" --no-intro --reporters=junit --out="$report/$preset.xml" \
      --test-case="$patterns" || status=1
  done
  build_cli || return 1
  # Names of oracles have no wildcards; 5 is pytest's word for no test of such a name, which a new mechanism may have.
  patterns=$(printf ' or %s' "${changed_cases[@]//\*/}")
  /usr/bin/python3 -m pytest -q -p no:cacheprovider --junitxml "$report/oracles.xml" tests/python -k "${patterns# or }"
  case $? in
    0 | 5) ;;
    *) status=1 ;;
  esac
  return "$status"
}

# Sets changed_stages and changed_cases.
find_changed() {
  local file word
  changed_stages=()
  changed_cases=()
  while IFS= read -r file; do
    while IFS= read -r word; do
      case $word in
        case=*) changed_cases+=("${word#case=}") ;;
        *) [[ " ${changed_stages[*]-} " == *" $word "* ]] || changed_stages+=("$word") ;;
      esac
    done < <(reached_by "$file")
  done < <(changed_files "${1:-HEAD}")
  if [ ${#changed_cases[@]} -gt 0 ] && [[ " ${changed_stages[*]-} " != *" float "* ]]; then changed_stages+=(cases); fi
}
