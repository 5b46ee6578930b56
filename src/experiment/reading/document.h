// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assembly/builder.h"
#include "experiment/reading/interventions.h"
#include "experiment/reading/word_features.h"
#include "experiment/text/json_parse.h"

namespace attend {

inline constexpr std::string_view schema_version = "attention-playground/1";

// Which gradients are wanted: of sum(cotangent * output), with ones where no cotangent is given.
struct GradientRequest {
  std::string of;  // empty: the document's context, or else its output or loss
  std::optional<Tensor> cotangent;
  bool outputs = false;  // whether those to the other outputs are wanted too
};

// One module of a document: its name ("" of a `mechanism`), what it is, and what feeds its ports.
struct ModuleUse {
  std::string name;
  Choice choice;
  Builder::Wires wires;
  std::string wires_path;
};

// An experiment document, validated and with its inputs as numbers.
struct Document {
  std::uint64_t seed = 0;
  Builder::Inputs inputs;
  std::vector<Warning> warnings;          // of the inputs
  std::vector<Builder::Inputs> examples;  // beside the inputs: a batch; empty for one experiment
  std::vector<ModuleUse> modules;         // of a `mechanism`: one without a name
  Builder::Ties ties;
  Builder::Given parameters;  // that the document itself gives
  // Those of the file that it names, which every document of the same file shares; null without one.
  std::shared_ptr<const WeightStore> stored;
  std::vector<Intervention> interventions;
  std::optional<std::vector<std::string>> outputs;
  std::optional<GradientRequest> gradient;
  // The module that the document is about: its mechanism, or the first of a model that attends.
  [[nodiscard]] const Choice& mechanism() const;

  Json json;  // as given, with the defaults of `inputs` filled in
};

// Parses and validates. Throws Error with the JSON pointer of the field that is wrong.
Document read_document(std::string_view text);
Document read_document(Json json);

}  // namespace attend
