// SPDX-License-Identifier: Apache-2.0
#include "catalogue/steps_around.h"

#include "catalogue/module_results.h"

namespace attend {

Steps steps_of(Graph& graph, ScanRecorder& recorder, std::size_t count) {
  return {graph, recorder, recorder.row({"t", reshape(iota(graph, count), {count, 1, 1})}), count};
}

RowSeen row_seen(const Scope& in, Steps& steps, Var query, Var key, Var value) {
  const StepsAround around(in.assembler, steps);
  const Tensors seen =
      in.call("attention",
              {.name = "attention", .family = {}, .m = "1", .n = "n", .step = {}, .quiet = true},
              {{"query", query}, {"key", key}, {"value", value}});
  const auto of = [&](const char* name) { return result_of(in, "attention", seen, name); };
  return {of("scores"), of("weights"), of("context")};
}

Var all_rows(Var seen) { return reshape(seen, {seen.extent(0), seen.extent(-1)}); }

}  // namespace attend
