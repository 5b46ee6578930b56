// SPDX-License-Identifier: Apache-2.0
#include "cli/train.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>

#include "cli/at_least_one.h"
#include "cli/files.h"
#include "cli/saved.h"
#include "experiment/files/tensor_file.h"
#include "experiment/learning/train.h"

namespace {

std::filesystem::path& folder() {
  static std::filesystem::path path = ".";
  return path;
}

// Whether a file lies in a folder, or below it, where all links lead.
bool is_below(const std::filesystem::path& file, const std::filesystem::path& folder) {
  std::error_code none;
  const std::filesystem::path real = std::filesystem::canonical(file, none);
  if (none) return false;
  const std::filesystem::path whole =
      std::filesystem::canonical(folder.empty() ? "." : folder, none);
  const auto end = std::mismatch(whole.begin(), whole.end(), real.begin(), real.end()).first;
  return !none && end == whole.end();
}

// The file of a name, which lies below the document's folder. Throws Error.
std::filesystem::path checked_file(const std::string& name) {
  const std::filesystem::path path(name);
  for (const auto& part : path) {
    if (part == ".." || path.is_absolute())
      attend::refuse("\"" + name +
                     "\" leads out of the document's folder; name a file in this folder or below "
                     "it");
  }
  const std::filesystem::path file = folder() / path;
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none))
    attend::refuse("there is no file \"" + name + "\" beside the document");
  if (!is_below(file, folder()))
    attend::refuse(
        "\"" + name +
        "\" is a link that leads out of the document's folder; put the file itself there");
  return file;
}

std::string weights_of(const std::string& name) {
  const std::string* saved = saved_weights(name);
  return saved != nullptr ? *saved : bytes_of(checked_file(name));
}

// The file beside a place, begun before the work, so that a place where nothing can be written is told now and not
// after an hour. Nothing of it stays when the work was refused.
class Unfinished {
 public:
  explicit Unfinished(const std::string& place) : place_(place) {
    if (!place_.empty() && !std::ofstream(beside(place_)))
      attend::refuse("--to", "cannot write the file \"" + place_ + "\"");
  }
  ~Unfinished() {
    std::error_code ignored;
    if (!place_.empty()) std::filesystem::remove(beside(place_), ignored);
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

 private:
  std::string place_;
};

struct TrainAsked {
  std::string file = "-", to, from, weights, data;
  std::optional<std::uint64_t> steps;
  std::uint64_t every = 0;
  bool measures = false;
  bool portable = false;
};

// Whether the training went through.
bool run(const TrainAsked& asked, const std::string& document) {
  attend::TrainOptions options;
  options.steps = asked.steps;
  options.every = asked.every;
  if (!asked.from.empty()) options.from = bytes_of(asked.from);
  options.ships = !asked.weights.empty();
  options.measures = asked.measures;
  options.portable = asked.portable;
  options.code = asked.weights == "half"    ? attend::NumberCode::half
                 : asked.weights == "bytes" ? attend::NumberCode::bytes
                 : options.ships            ? attend::NumberCode::single
                                            : attend::NumberCode::whole;
  options.line = [](const std::string& line) { std::cout << line << std::endl; };
  options.seconds = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  };
  const Unfinished unfinished(asked.to);
  const attend::TrainingEnd end = attend::train(
      asked.data.empty() ? document : attend::with_text(document, bytes_of(asked.data)), options);
  if (!asked.to.empty()) write_file(asked.to, end.bytes);
  return !end.failed;
}

}  // namespace

std::optional<std::filesystem::path> weights_file(const std::string& name) {
  if (saved_weights(name) != nullptr) return std::nullopt;
  return checked_file(name);
}

void look_for_weights_beside(const std::string& document) {
  if (document != "-") folder() = std::filesystem::path(document).parent_path();
  attend::set_parameter_source(&weights_of);
}

void add_train(CLI::App& app, std::string (*read_all)(const std::string& file)) {
  auto asked = std::make_shared<TrainAsked>();
  auto* train = app.add_subcommand(
      "train", "Train a document that has a `training`, and print one JSON line every K steps");
  train->add_option("file", asked->file, "A document, or - for standard input")->required();
  train->add_option("--steps", asked->steps,
                    "The step at which training ends; by default the last step of the document");
  train->add_option("--to", asked->to, "The safetensors file for the checkpoint");
  train->add_option("--from", asked->from, "A checkpoint or weights from which to continue");
  train->add_option("--data", asked->data,
                    "A text file with your own data, for task-pairs, task-labels or task-text");
  train->add_flag("--measure", asked->measures,
                  "Take no step; write one line about the weights given by --from or the document");
  train->add_option("--every", asked->every, "Measure every K steps; by default about twenty times")
      ->check(at_least_one());
  train
      ->add_option("--weights", asked->weights,
                   "Write only the weights, to publish them: as float, half or bytes")
      ->check(CLI::IsMember({"float", "half", "bytes"}));
  train->add_flag(
      "--portable", asked->portable,
      "Give the same digits on every machine; without this option, training is faster on machines "
      "that multiply and add in one instruction");
  train->callback([asked, read_all] {
    look_for_weights_beside(asked->file);
    if (!run(*asked, read_all(asked->file))) throw CLI::RuntimeError(1);
  });
}
