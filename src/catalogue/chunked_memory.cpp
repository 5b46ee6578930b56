// SPDX-License-Identifier: Apache-2.0
// With a_t for the decays, f_t for `find` and e_t for `erase`, a row finds u_t = f_t S~_t = f_t a_t S_{t-1}, and
// S_{t-1} is what is left of the memory S before the chunk and of all that was written and erased in it:
//   u_t = f_t (a_1 .. a_t S + sum over j < t of a_{j+1} .. a_t (k_j^T v_j - e_j^T u_j)).
// These are equations with a lower triangle: (1 + F E^T) U = F S + F K^T V, where F S and the products F E^T and
// F K^T have the decays in between. With e = k, what remains of the values has one of its own: (1 + F K^T) (V - U) = V - F S.
#include "catalogue/chunked_memory.h"

#include <bit>

#include "catalogue/chunk_decays.h"
#include "catalogue/chunks.h"
#include "ops/scan.h"

namespace attend {
namespace {

struct Chunk {
  Var S, q, k, v, decay, find, erase;
};

struct Done {
  Var read, S;
};

// [.. B d] -> [.. rows d].
Var filled(Var x, std::size_t rows, double value) {
  if (!x || x.extent(-2) == rows) return x;
  Shape shape = x.shape();
  shape.end()[-2] = rows - x.extent(-2);
  return concat({x, fill(x.graph(), shape, value)}, -2);
}

Done computed(Graph& graph, const Memory& memory, const Chunk& chunk) {
  const ChunkDecays decays(graph, chunk.decay, chunk.k.extent(-2));
  // Who looks after the decay of the row's own step sees one more factor than who looks before it.
  const auto looking = [&](Var x, bool before) {
    return before || !chunk.decay ? x : x * chunk.decay;
  };
  const Var q = looking(chunk.q, memory.reads_before);
  const auto reading = [&](Var written) {  // [.. B B]
    const Var own = memory.reads_before ? Var{} : sum(chunk.q * written, -1, true);
    return decays.pairs(q, written, own);
  };
  Var v = chunk.v, found;
  if (chunk.find) {
    const Var find = looking(chunk.find, memory.finds_before_decay);
    const Var before = matmul(decays.since_start(find), chunk.S);
    if (chunk.erase) {
      found = matmul(decays.solving(find, chunk.erase),
                     before + matmul(decays.pairs(find, chunk.k), v));
    } else {
      v = matmul(decays.solving(find, chunk.k), v - before);
    }
  }
  Done done{matmul(decays.since_start(q), chunk.S) + matmul(reading(chunk.k), v),
            decays.faded(chunk.S) + matmul(decays.until_end(chunk.k), v, true, false)};
  if (!found) return done;
  return {done.read - matmul(reading(chunk.erase), found),
          done.S - matmul(decays.until_end(chunk.erase), found, true, false)};
}

}  // namespace

Remembered remembered_in_chunks(const CoreIn& in, const Memory& memory, Var v) {
  const std::size_t n = in.n(), B = memory.chunk, rows = std::bit_ceil(B);
  Var decay = memory.decay;
  const bool fixed = decay && decay.extent(-2) != n;  // one decay for all rows
  if (fixed && n % B != 0) {  // what fills up the last chunk does not fade
    Shape shape = decay.shape();
    shape.end()[-2] = n;
    decay = broadcast_to(decay, shape);
  }
  const bool by_row_decay = decay && decay.extent(-2) == n;
  ScanRecorder steps(in.graph(), (n + B - 1) / B);
  const auto rows_of = [&](const char* name, Var x, double behind = 0) {
    return x ? filled(steps.row({name, row_blocks(x, B, behind)}), rows, behind) : x;
  };
  Chunk chunk{.S = steps.state({"S", zeros(in.graph(), shape_of_memory(memory, v))}),
              .q = rows_of("Q", memory.query),
              .k = rows_of("K", memory.key),
              .v = rows_of("V", v),
              .decay = by_row_decay ? rows_of("\\alpha", decay, 1) : decay,
              .find = rows_of("F", memory.find),
              .erase = rows_of("E", memory.erase)};
  if (decay && !by_row_decay) {
    Shape shape = decay.shape();
    shape.end()[-2] = B;
    chunk.decay = filled(broadcast_to(decay, shape), rows, 1);
  }
  const Done done = computed(in.graph().innermost(), memory, chunk);
  steps.next(chunk.S, done.S);
  steps.output(slice(done.read, -2, 0, B));
  const Scanned all = steps.finish_quietly();
  return {rows_of_blocks(all.outputs[0], n), all.last[0], {}};
}

}  // namespace attend
