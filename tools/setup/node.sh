# SPDX-License-Identifier: Apache-2.0
# Node 20 or newer and npm: those on PATH, else from the npm registry into the cache (Debian 12 has Node 18). Sourced by
# run.sh.

oldest_node=20.19
fetched_node=22
fetched_npm=10.9.9
npm_integrity='sha512-1g+6jLQvaIuB4zwvHL7yrXuXcWZwDsCtBX8bbWDqbvJSSr9nPiDDWTHNgwXR27iIcTTW7v3A57hDW9RYv2W4Yg=='

node_is_recent() { version_at_least "$("$1" --version 2>/dev/null | tr -d v)" "$oldest_node"; }

# Puts npm on PATH where there is none; Debian's where the registry cannot be asked directly.
find_npm() {
  local prefix=$cache_dir/npm-$fetched_npm
  if have npm; then return 0; fi
  if ! is_ready "$prefix"; then
    step "npm $fetched_npm from its registry"
    rm -rf "$prefix"
    mkdir -p "$prefix/bin"
    if ! { quietly node "$setup_dir/fetch_npm.mjs" "$fetched_npm" "$npm_integrity" "$prefix/npm.tgz" &&
      tar -xzf "$prefix/npm.tgz" -C "$prefix"; }; then
      say "taking Debian's in its place"
      try_to_install npm
      return 0
    fi
    ln -s ../package/bin/npm-cli.js "$prefix/bin/npm"
    ln -s ../package/bin/npx-cli.js "$prefix/bin/npx"
    chmod +x "$prefix/package/bin"/*-cli.js
    rm "$prefix/npm.tgz"
    mark_ready "$prefix"
  fi
  fetched_node_path=$prefix/bin
  export PATH=$fetched_node_path:$PATH
}

# Sets fetched_node_path (empty when what is here will do) and puts it first on PATH.
find_node() {
  local prefix=$cache_dir/node-$fetched_node
  fetched_node_path=
  if have node && node_is_recent node; then
    find_npm
    return 0
  fi
  if ! is_ready "$prefix"; then
    find_npm
    step "Node $fetched_node from npm (the one here is older than $oldest_node)"
    rm -rf "$prefix"
    mkdir -p "$prefix"
    quietly npm install --prefix "$prefix" --no-audit --no-fund "node@$fetched_node" "npm@$fetched_npm" ||
      fail "Node $oldest_node or newer is needed, and npm could not fetch it"
    node_is_recent "$prefix/node_modules/.bin/node" || fail "the fetched Node does not run on this machine"
    mark_ready "$prefix"
  fi
  fetched_node_path=$prefix/node_modules/.bin
  export PATH=$fetched_node_path:$PATH
}
