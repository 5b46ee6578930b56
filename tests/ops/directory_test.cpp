// SPDX-License-Identifier: Apache-2.0
// What a program knows of its tensors and modules, and what a pass leaves of it.
#include "ops/directory.h"

#include <doctest/doctest.h>

#include "ops/compose.h"
#include "ops/rewrite.h"

namespace attend::directory_test {
namespace {

Record record(TensorGroup group, const std::string& name, std::optional<std::size_t> module = {},
              MainResult main = MainResult::none) {
  return std::make_shared<const TensorRecord>(
      TensorRecord{.group = group, .name = name, .module = module, .main = main});
}

Directory model() {
  Directory directory;
  directory.set_modules(std::make_shared<const Modules>(
      Modules{{"encoder", "multi-hop", "", "/model/0"},
              {"encoder.attention", "attention", "encoder", "/model/0/attention"},
              {"decoder", "attention", "", "/model/1"}}));
  directory.add(record(TensorGroup::outputs, "encoder.attention.context", 1, MainResult::context),
                3);
  directory.add(record(TensorGroup::outputs, "encoder.context", 0, MainResult::context), 3);
  directory.add(record(TensorGroup::outputs, "decoder.weights", 2), 5);
  directory.add(record(TensorGroup::outputs, "decoder.output", 2, MainResult::output), 6);
  directory.add(record(TensorGroup::outputs, "loss", std::nullopt, MainResult::loss), 7);
  return directory;
}

}  // namespace

TEST_CASE("a wire reads a result by its name, or what stands for a module") {
  const Directory directory = model();
  CHECK(directory.output_behind("decoder.weights")->node == 5);
  CHECK(directory.output_behind("decoder")->record->name == "decoder.output");
  CHECK(directory.output_behind("encoder.attention")->record->name == "encoder.attention.context");
  CHECK(directory.output_behind("nobody") == nullptr);
  CHECK(directory.output_names() ==
        "encoder.attention.context, encoder.context, decoder.weights, decoder.output, loss");
}

TEST_CASE("what a model gives as a whole belongs to no module") {
  const Directory directory = model();
  CHECK(directory.main_result(std::array{MainResult::loss})->node == 7);
  CHECK(directory.main_result(std::array{MainResult::output}) == nullptr);
  CHECK(directory.main_result(2, std::array{MainResult::context, MainResult::output})->node == 6);
  CHECK(directory.document_module(1) == "encoder");
  CHECK(directory.document_module(std::nullopt).empty());
}

TEST_CASE("a pass gives the same records other nodes, and forgets those without one") {
  const auto graph = std::make_shared<Graph>();
  const Var x = graph->leaf({2}, "x"), twice = x + x, other = exp(x), sum = twice * twice;
  auto directory = std::make_shared<Directory>();
  const Record kept = record(TensorGroup::outputs, "sum"), gone = record(TensorGroup::outputs, "o");
  directory->add(kept, sum.id());
  directory->add(gone, other.id());
  const Program whole(graph, {{"x", x.id(), LeafKind::input}}, {{"outputs.sum", sum.id(), kept}},
                      {}, directory);
  const Program less = pruned(whole, {"outputs.sum"});
  CHECK(less.graph().size() + 1 == graph->size());
  REQUIRE(less.directory().outputs().size() == 1);
  CHECK(less.directory().outputs()[0].record == kept);
  CHECK(less.directory().outputs()[0].node == less.find("outputs.sum"));
  CHECK(less.results()[0].record == kept);
}

}  // namespace attend::directory_test
