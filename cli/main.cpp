// SPDX-License-Identifier: Apache-2.0
// `attend`: the engine without a browser. Documents in, JSON out; what is wrong goes to stderr as
// JSON, exit 2.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "cli/examples.h"
#include "cli/export.h"
#include "cli/import.h"
#include "cli/saved.h"
#include "cli/sweep.h"
#include "cli/train.h"
#include "cli/words.h"
#include "experiment/describing/docs.h"
#include "experiment/describing/schema.h"
#include "experiment/files/word_vectors.h"
#include "experiment/learning/kept.h"
#include "experiment/learning/stepwise.h"
#include "experiment/learning/train.h"
#include "experiment/service.h"

namespace {

std::ifstream opened(const std::string& file) {
  std::error_code none;  // of a name that no file can have
  if (std::filesystem::is_directory(file, none)) {
    throw attend::Error("", "\"" + file + "\" is a folder, not a document");
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw attend::Error("", "cannot read the file \"" + file + "\"");
  return stream;
}

std::string read_all(const std::string& file) {
  look_for_weights_beside(file);
  if (file == "-") return document_in({std::istreambuf_iterator<char>(std::cin), {}});
  std::ifstream stream = opened(file);
  return document_in({std::istreambuf_iterator<char>(stream), {}});
}

using Answer = std::string (*)(std::string_view);

// One document a line, one result or error a line; an error does not end the process.
void answer_lines(std::istream& lines, Answer answer) {
  std::string line;
  while (std::getline(lines, line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    std::cout << attend::answer([&] { return answer(line); }) << std::endl;
  }
}

void answer_lines(const std::string& file, Answer answer) {
  look_for_weights_beside(file);
  if (file == "-") return answer_lines(std::cin, answer);
  std::ifstream stream = opened(file);
  answer_lines(stream, answer);
}

}  // namespace

int main(int argc, char** argv) {
  attend::set_word_source(&read_words);
  CLI::App app{"Computes attention experiments: reads JSON documents and writes every number."};
  app.set_version_flag("--version", std::string(attend::version()));
  app.require_subcommand(1);
  std::string file = "-", id, tensor, index, of;
  bool lines = false, frame = false;
  std::string output;

  auto* run = app.add_subcommand(
      "run", "Run a document and print its outputs, parameters, steps, gradients and warnings");
  run->add_option("file", file, "A document, or - for standard input");
  run->add_flag(
      "--lines", lines,
      "Read one document from each line of the file, and print one result or error per line");
  run->callback([&] {
    lines ? answer_lines(file, attend::run_document)
          : void(output = attend::run_document(read_all(file)));
  });

  auto* measure = app.add_subcommand(
      "measure", "Measure a map, a text, an answer or a model, as described in docs/measures.md");
  measure->add_option("file", file, "A measurement, or - for standard input");
  measure->add_flag(
      "--lines", lines,
      "Read one measurement from each line of the file, and print one result or error per line");
  measure->callback([&] {
    lines ? answer_lines(file, attend::measure_text)
          : void(output = attend::measure_text(read_all(file)));
  });

  auto* catalogue = app.add_subcommand(
      "catalogue",
      "Print every mechanism as JSON, or the coordinates of a document in the taxonomy");
  catalogue->add_option("--of", of, "A document, or - for standard input");
  catalogue->callback([&] {
    output = of.empty() ? attend::catalogue_text() : attend::taxonomy_text(read_all(of));
  });

  auto* schema =
      app.add_subcommand("schema", "Print the JSON Schema of documents, with every mechanism");
  schema->add_flag("--frame", frame, "Leave out the mechanisms, as in schema/");
  schema->callback([&] {
    output = attend::schema_text(frame ? attend::SchemaPart::frame : attend::SchemaPart::whole);
  });

  app.add_subcommand("docs", "Print all mechanisms as a page of Markdown")->callback([&] {
    output = attend::docs_text();
  });

  auto* normal = app.add_subcommand("normalise", "Print a document with every default filled in");
  normal->add_option("file", file, "A document, or - for standard input");
  normal->callback([&] { output = attend::normalise_document(read_all(file)); });

  add_export(app, &read_all);
  add_sweep(app);
  add_write(app, &read_all, output);
  add_import(app);

  std::string over;
  auto* steps = app.add_subcommand(
      "stepwise",
      "Run a causal document one row at a time, and print its outputs and the size of its state");
  steps->add_option("file", file, "A document, or - for standard input");
  steps->add_option("--over", over, "The input whose rows arrive one after another");
  steps->callback([&] { output = attend::stepwise_text(read_all(file), over); });

  auto* kept = app.add_subcommand(
      "kept", "Print how many numbers must be kept after each word to write the next one");
  kept->add_option("file", file, "A document, or - for standard input");
  kept->add_option("--over", over, "The input whose rows arrive one after another");
  kept->callback([&] { output = attend::kept_text(read_all(file), over); });

  auto* example = app.add_subcommand(
      "example", "Print the document of a system, or a small document that uses a mechanism");
  example->add_option("id", id, "The id of a system or mechanism in the catalogue")->required();
  example->callback([&] { output = attend::document_of(id); });

  auto* why = app.add_subcommand("explain", "Explain how one cell of a tensor was computed");
  why->add_option("tensor", tensor, "An output, a step, inputs.NAME or a parameter")->required();
  why->add_option("index", index, "The cell, as a JSON list: [0,1]")->required();
  why->add_option("file", file, "A document, or - for standard input");
  why->callback([&] { output = attend::explain_document(read_all(file), tensor, index); });

  add_train(app, &read_all);
  add_examples(app, &read_all);
  app.add_subcommand("tasks", "Print every task that a document can learn, as JSON")->callback([&] {
    output = attend::tasks_text();
  });

  try {
    app.parse(argc, argv);
  } catch (const CLI::RuntimeError& error) {  // what failed has been told
    return error.get_exit_code();
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const attend::Error& error) {
    std::cerr << attend::error_text(error) << '\n';
    return 2;
  } catch (const std::bad_alloc&) {
    const attend::Error error("/inputs", "there is not enough memory; use fewer tokens or outputs");
    std::cerr << attend::error_text(error) << '\n';
    return 2;
  } catch (const std::exception& error) {
    std::cerr << attend::error_text(attend::Error("", error.what())) << '\n';
    return 2;
  }
  if (!output.empty()) std::cout << output << '\n';
  return 0;
}
