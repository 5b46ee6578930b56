// SPDX-License-Identifier: Apache-2.0
#include "cli/export.h"

#include <iostream>
#include <memory>

#include "cli/chunked.h"
#include "cli/files.h"
#include "experiment/exporting/modules.h"
#include "experiment/learning/train.h"
#include "experiment/service.h"
#include "ops/error.h"

namespace {

struct ExportAsked {
  std::string format, file = "-", weights, data;
  bool module = false;
  std::size_t chunk = 0;  // rows at a time; 0: as the document says
};

std::string code_of(const ExportAsked& asked, const std::string& document) {
  if (asked.format == "train") return attend::export_training(document);
  if (!asked.module) return attend::export_document(document, asked.format);
  if (asked.format != "pytorch" && asked.format != "numpy")
    attend::refuse("--module",
                   "a module can be in pytorch or numpy only, found \"" + asked.format + "\"");
  const std::string fixed =
      asked.chunk == 0 ? ""
                       : "its core computes " + std::to_string(asked.chunk) + " of them at a time";
  const attend::ExportedModule made =
      asked.format == "numpy" ? attend::export_numpy_module(document, attend::worded_heading, fixed)
                              : attend::export_module(document, attend::worded_heading, fixed);
  if (!asked.weights.empty()) write_file(asked.weights, made.weights);
  return made.code;
}

}  // namespace

void add_export(CLI::App& app, std::string (*read_all)(const std::string& file)) {
  auto asked = std::make_shared<ExportAsked>();
  auto* code =
      app.add_subcommand("export", "Write a document as code that computes the same numbers");
  code->add_option("format", asked->format,
                   "pytorch, numpy or latex; train writes a script that trains the module")
      ->required();
  code->add_option("file", asked->file, "A document, or - for standard input");
  code->add_flag("--module", asked->module,
                 "Write a module for batches of any length: a torch.nn.Module or a NumPy function");
  code->add_option("--chunked", asked->chunk,
                   "Let recurrent cores compute this many rows at a time with matrix products")
      ->check(CLI::Range(1, 1 << 20));
  code->add_option("--weights", asked->weights,
                   "With --module: also write the document's weights to this safetensors file");
  code->add_option("--data", asked->data,
                   "A text file with your own data, for a document that trains on one");
  code->callback([asked, read_all] {
    std::string document = read_all(asked->file);
    if (!asked->data.empty()) document = attend::with_text(document, bytes_of(asked->data));
    if (asked->chunk > 0) document = in_chunks(document, asked->chunk);
    std::cout << code_of(*asked, document) << '\n';
  });
}
