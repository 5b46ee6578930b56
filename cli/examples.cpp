// SPDX-License-Identifier: Apache-2.0
#include "cli/examples.h"

#include <iostream>
#include <memory>
#include <optional>

#include "cli/at_least_one.h"
#include "cli/files.h"
#include "experiment/learning/examples.h"
#include "experiment/learning/train.h"

namespace {

struct ExamplesAsked {
  std::string file = "-", data;
  std::optional<std::uint64_t> step;
  attend::ExampleOptions options;
};

}  // namespace

void add_examples(CLI::App& app, std::string (*read_all)(const std::string& file)) {
  auto asked = std::make_shared<ExamplesAsked>();
  auto* examples = app.add_subcommand(
      "examples",
      "Print the examples that a document's `training` learns from, one JSON line per example");
  examples->add_option("file", asked->file, "A document, or - for standard input")->required();
  examples->add_option("--count", asked->options.count, "The number of examples; 10 by default");
  examples->add_flag("--held-out", asked->options.held_out,
                     "Print held-out examples instead of training examples");
  examples->add_flag("--words", asked->options.words,
                     "Print one line instead: the words of each input, in the order of their ids");
  examples->add_option("--step", asked->step, "Print the batch of this step, counted from 1")
      ->check(at_least_one());
  examples
      ->add_option("--steps", asked->options.steps,
                   "The number of steps, beginning with --step; 1 by default")
      ->check(at_least_one())
      ->needs("--step");
  examples
      ->add_flag("--draws", asked->options.draws,
                 "With --step: also print the random numbers of each step, one line per step")
      ->needs("--step");
  examples->add_option("--data", asked->data,
                       "A text file with your own data, for task-pairs, task-labels or task-text");
  examples->callback([asked, read_all] {
    asked->options.step = asked->step;
    asked->options.line = [](const std::string& line) { std::cout << line << '\n'; };
    const std::string document = read_all(asked->file);
    attend::write_examples(
        asked->data.empty() ? document : attend::with_text(document, bytes_of(asked->data)),
        asked->options);
    std::cout.flush();
  });

  auto weights = std::make_shared<std::string>();
  auto* document = app.add_subcommand(
      "document", "The document with which a checkpoint or a file of weights was trained");
  document->add_option("file", *weights, "A safetensors file that `attend train` wrote")
      ->required();
  document->callback([weights] {
    const std::string name = std::filesystem::path(*weights).filename().string();
    std::cout << attend::document_in_weights(bytes_of(*weights), name) << '\n';
  });
}
