// SPDX-License-Identifier: Apache-2.0
// Part of attention.mjs. No frame of the WebAssembly frees what it holds when an error passes (docs/adr/0018-size.md): the call is given
// up where it stood, and the memory is put back to what it was before the first call. The next call works, and nothing is lost but the memo.
var refusal;

function guard() {
  const [data, dataEnd, heap, heapEnd] = [0, 1, 2, 3].map((which) => _memory_edge(which));
  const kept = [[data, HEAPU8.slice(data, dataEnd)], [heap, HEAPU8.slice(heap, heapEnd)]];
  // Traps, too deep a recursion, no room for the copy: anything that began inside. A wrong type of argument is the caller's.
  const inside = (problem) =>
    problem instanceof WebAssembly.RuntimeError || problem instanceof RangeError || problem.name === 'InternalError'; // the last is Firefox's too deep recursion
  const errorOf = (problem) => JSON.stringify({ error: { path: '', message: `the engine failed: ${problem.message}` } });
  const answers = { run: (text) => ({ directory: `{"ok":false,${text.slice(1)}`, data: new Float32Array(0) }) };
  for (const name of ['run', 'normalise', 'exportCode', 'explain', 'example', 'words']) {
    const call = Module[name];
    Module[name] = (...given) => {
      const stack = _emscripten_stack_get_current();
      refusal = undefined;
      try {
        return call(...given);
      } catch (problem) {
        if (refusal === undefined && !inside(problem)) throw problem;
        const text = refusal ?? errorOf(problem);
        for (const [at, bytes] of kept) HEAPU8.set(bytes, at);
        __emscripten_stack_restore(stack);
        return (answers[name] ?? String)(text);
      }
    };
  }
}

// Older Emscripten comes here before the module has started.
const initialized = Module['onRuntimeInitialized'];
if (runtimeInitialized) guard();
else {
  Module['onRuntimeInitialized'] = () => {
    guard();
    initialized?.();
  };
}
