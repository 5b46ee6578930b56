# SPDX-License-Identifier: Apache-2.0
# Node 20 or newer: the one on PATH, else one from the npm registry into the cache (Debian 12 has only 18).
# Sourced by run.sh.

oldest_node=20.19
fetched_node=22

node_is_recent() { version_at_least "$("$1" --version 2>/dev/null | tr -d v)" "$oldest_node"; }

# Sets fetched_node_path (empty when the one here will do) and puts it first on PATH.
find_node() {
  local prefix=$cache_dir/node-$fetched_node
  if have node && node_is_recent node; then
    fetched_node_path=
    return 0
  fi
  if ! is_ready "$prefix"; then
    step "Node $fetched_node from npm (the one here is older than $oldest_node)"
    rm -rf "$prefix"
    mkdir -p "$prefix"
    quietly npm install --prefix "$prefix" --no-audit --no-fund "node@$fetched_node" npm@10 ||
      fail "Node $oldest_node or newer is needed, and npm could not fetch it"
    node_is_recent "$prefix/node_modules/.bin/node" || fail "the fetched Node does not run on this machine"
    mark_ready "$prefix"
  fi
  fetched_node_path=$prefix/node_modules/.bin
  export PATH=$fetched_node_path:$PATH
}
