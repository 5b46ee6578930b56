// SPDX-License-Identifier: Apache-2.0
// With a_t for the decays, f_t for `find` and e_t for `erase`, a row finds u_t = f_t S~_t = f_t a_t S_{t-1}, and
// S_{t-1} is what is left of the memory S before the chunk and of all that was written and erased in it:
//   u_t = f_t (a_1 .. a_t S + sum over j < t of a_{j+1} .. a_t (k_j^T v_j - e_j^T u_j)).
// These are equations with a lower triangle: (1 + F E^T) U = F S + F K^T V, where F S and the products F E^T and
// F K^T have the decays in between. With e = k, what remains of the values has an equation of its own:
//   (1 + F K^T) (V - U) = V - F S.
// Where several rows are written for each query, its decay belongs to the first of them and the query to the last; the
// other rows do not fade, and what they read is not used.
#include "catalogue/parts/cores/chunked_memory.h"

#include "catalogue/parts/cores/chunk_decays.h"
#include "catalogue/parts/cores/chunk_rows.h"
#include "catalogue/parts/cores/chunks.h"
#include "ops/scan.h"

namespace attend {
namespace {

struct Chunk {
  Var S, z, q, k, v, decay, find, erase;
};

struct Done {
  Read read;
  Var S, z;
};

Done computed(Graph& graph, const Memory& memory, const Chunk& chunk) {
  ChunkDecays decays(graph, chunk.decay, chunk.k.extent(-2));
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
      found = decays.solved(find, chunk.erase, before + matmul(decays.pairs(find, chunk.k), v));
    } else {
      v = decays.solved(find, chunk.k, v - before);
    }
  }
  const Var early = decays.since_start(q), late = decays.until_end(chunk.k),
            pairs = reading(chunk.k);
  Done done{{matmul(early, chunk.S) + matmul(pairs, v), {}},
            decays.faded(chunk.S) + matmul(late, v, true, false),
            {}};
  if (chunk.z) {  // the same with 1 for v
    done.read.sums = matmul(early, chunk.z) + sum(pairs, -1, true);
    done.z = decays.faded(chunk.z) + transpose(sum(late, -2, true));
  }
  if (found) {
    done.read.values = done.read.values - matmul(reading(chunk.erase), found);
    done.S = done.S - matmul(decays.until_end(chunk.erase), found, true, false);
  }
  return done;
}

}  // namespace

Remembered remembered_in_chunks(const CoreIn& in, const Memory& memory, Var v,
                                const Finish& finish) {
  const std::size_t n = in.n() / memory.writes, size = memory.chunk;
  Var decay = memory.decay;
  if (decay && decay.extent(-2) != n) {  // one for all rows; what is behind the last does not fade
    Shape shape = decay.shape();
    shape.end()[-2] = n % size == 0 ? size : n;
    decay = broadcast_to(decay, shape);
  }
  ScanRecorder steps(in.graph(), (n + size - 1) / size);
  ChunkRows rows(steps, n, size, memory.writes);
  const auto some = [&](Var x) { return x ? rows(x) : x; };
  const Shape shape = shape_of_memory(memory, v);
  Shape single = shape;
  single.back() = 1;
  const Chunk chunk{.S = steps.state({"S", zeros(in.graph(), shape)}),
                    .z = memory.sums ? steps.state({"z", zeros(in.graph(), single)}) : Var{},
                    .q = rows.spread(memory.query, memory.writes - 1),
                    .k = rows(memory.key),
                    .v = rows(v),
                    .decay = decay ? rows.spread(decay, 0, 1) : decay,
                    .find = some(memory.find),
                    .erase = some(memory.erase)};
  const Done done = computed(in.graph().innermost(), memory, chunk);
  const Read read{rows.gathered(done.read.values, memory.writes - 1), done.read.sums};
  steps.next(chunk.S, done.S);
  if (chunk.z) steps.next(chunk.z, done.z);
  steps.output(finish ? finish(read, [&](Var x) { return rows.of(x); }) : read.values);
  const Scanned all = steps.finish_quietly();
  return {rows_of_blocks(all.outputs[0], n), all.last[0], {}};
}

}  // namespace attend
