// SPDX-License-Identifier: Apache-2.0
#include "cli/import.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <vector>

#include "cli/file_source.h"
#include "cli/train.h"
#include "experiment/files/tensor_header.h"
#include "experiment/learning/answer.h"
#include "import/choose_files.h"
#include "import/store.h"
#include "import/write_text.h"

namespace {

namespace fs = std::filesystem;

struct ImportAsked {
  std::vector<std::string> files;
  std::string to;
  bool half = false, bytes = false;
};

constexpr const char* pooling_folder = "1_Pooling";

bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code none;
  return fs::equivalent(a, b, none) && !none;
}

// What the header of a safetensors file says beside its tensors.
attend::Metadata metadata_in(const fs::path& path) {
  const FileSource file(path, path.filename().string());
  if (file.size() < 8) return {};
  const std::uint64_t length = attend::header_length(file.text(0, 8), file.size());
  return attend::read_tensor_header(file.text(8, length), file.size() - 8 - length).metadata;
}

// The weights that an import wrote name the family that they were read as.
bool is_imported(const fs::path& path) {
  if (path.extension() != ".safetensors") return false;
  try {
    return metadata_in(path).contains("architecture");
  } catch (const attend::Error&) {
    return false;  // whoever reads it says what is wrong
  }
}

attend::FileChoice chosen_within(const std::string& folder) {
  std::vector<std::string> names, imported;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::error_code none;
    if (entry.is_directory(none)) continue;
    (is_imported(entry.path()) ? imported : names).push_back(entry.path().string());
  }
  // The file by which sentence-transformers says which rows make a sentence is in a folder of its own.
  const fs::path pooling = fs::path(folder) / pooling_folder / "config.json";
  if (std::error_code none; fs::is_regular_file(pooling, none)) names.push_back(pooling.string());
  std::ranges::sort(names);
  attend::FileChoice choice = attend::choose_files(names);
  for (const std::string& name : imported)
    choice.left.push_back(
        {{"file", fs::path(name).filename().string()}, {"why", "an earlier import wrote it"}});
  return choice;
}

// Where the document goes and the weights beside it. What cannot be written is refused before anything is.
struct Places {
  explicit Places(const std::string& to)
      : document(to), weights(fs::path(to).replace_extension(".safetensors")) {
    std::error_code none;
    if (!document.has_filename() || fs::is_directory(document, none))
      attend::refuse("--to", "expected the name of a file such as model.json; found the folder \"" +
                                 to + "\"");
    if (document == weights)
      attend::refuse("--to", "expected the name of a document such as " +
                                 fs::path(weights).replace_extension(".json").string() +
                                 ", beside which the weights are written; found \"" + to + "\"");
    for (const fs::path& place : {document, weights}) {
      if (fs::exists(place, none) && !fs::is_regular_file(place, none))
        attend::refuse("--to", "\"" + place.string() + "\" exists but is not a file");
    }
  }

  // An import never overwrites a file that it reads.
  void check_apart(const fs::path& input) const {
    for (const fs::path& place : {document, weights}) {
      if (is_same_file(input, place))
        attend::refuse("--to", "\"" + place.string() +
                                   "\" would be written, which is one of the input files; choose "
                                   "another name");
    }
  }

  fs::path document, weights;
};

// What errors call a file. Of the files of a sentence-transformer two are config.json, so one is named with its folder.
std::string name_of(const fs::path& path) {
  const fs::path folder = path.parent_path().filename();
  return (folder == pooling_folder ? folder / path.filename() : path.filename()).generic_string();
}

// Opens the files; of a folder it opens those that make a model and adds the others to `left`.
std::vector<attend::SharedSource> opened(const std::vector<std::string>& names,
                                         const Places& output, attend::Json& left) {
  std::vector<fs::path> paths;
  for (const std::string& name : names) {
    std::error_code none;
    if (!fs::is_directory(name, none)) {
      paths.emplace_back(name);
      continue;
    }
    const attend::FileChoice choice = chosen_within(name);
    paths.insert(paths.end(), choice.taken.begin(), choice.taken.end());
    left.insert(left.end(), choice.left.begin(), choice.left.end());
  }
  std::ranges::sort(paths);
  for (const fs::path& path : paths) output.check_apart(path);
  std::vector<attend::SharedSource> files;
  files.reserve(paths.size());
  for (const fs::path& path : paths)
    files.push_back(std::make_shared<FileSource>(path, name_of(path)));
  return files;
}

// A file that takes its place when it is whole; what was begun and refused leaves nothing.
class Output {
 public:
  explicit Output(fs::path place) : place_(std::move(place)), part_(place_.string() + ".part") {
    stream_.open(part_, std::ios::binary);
    if (!stream_) attend::refuse("--to", "cannot write the file \"" + place_.string() + "\"");
  }
  ~Output() {
    std::error_code ignored;
    fs::remove(part_, ignored);
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void write(std::string_view bytes) {
    stream_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!stream_)
      attend::refuse("--to",
                     "cannot write the file \"" + place_.string() + "\": is the disk full?");
  }
  void finish() {
    stream_.close();
    if (!stream_)
      attend::refuse("--to",
                     "cannot write the file \"" + place_.string() + "\": is the disk full?");
    fs::rename(part_, place_);
  }

 private:
  fs::path place_, part_;
  std::ofstream stream_;
};

void import_model(const ImportAsked& asked) {
  attend::Json left = attend::Json::array();
  const Places to(asked.to);
  const attend::Checkpoint checkpoint = attend::read_checkpoint(opened(asked.files, to, left));
  attend::ImportPlan plan = attend::plan_import(checkpoint);
  attend::check_plan(plan);
  Output store(to.weights), document(to.document);
  const attend::StoreNumbers numbers = asked.bytes  ? attend::StoreNumbers::bytes
                                       : asked.half ? attend::StoreNumbers::half
                                                    : attend::StoreNumbers::as_they_are;
  const attend::Metadata metadata = attend::metadata_of(plan, checkpoint);
  const auto write = [&](std::string_view bytes) { store.write(bytes); };
  const auto [head, steps] = attend::plan_store(plan, metadata, numbers);
  write(head);
  attend::StepWriter writer;
  for (const attend::StoreStep& step : steps) writer.write(step, write);
  plan.report["tokenizer"] =
      metadata.contains("tokenizer") ? attend::Json(checkpoint.tokenizer_name) : attend::Json();
  if (!checkpoint.tokenizer_left.empty()) plan.report["tokenizer_left"] = checkpoint.tokenizer_left;
  if (!left.empty()) plan.report["left_files"] = std::move(left);
  plan.document["parameters"] = {{"from", to.weights.filename().string()}};
  // A name in a file of another program may not be valid UTF-8.
  constexpr auto replace = attend::Json::error_handler_t::replace;
  document.write(plan.document.dump(1, ' ', false, replace) + "\n");
  store.finish();
  document.finish();
  std::cout << plan.report.dump(-1, ' ', false, replace) << '\n';
}

// Beyond this, a number of words is a slip.
constexpr std::size_t most_words = 1'000'000'000;

struct Writing {
  std::string file = "-", prompt, ids, also, activations;
  std::size_t words = 64;
  attend::Sampling sampling;
};

// CLI11 compares a number with its bounds; NaN passes that, since every comparison with it is false.
std::string is_finite(const std::string& text) {
  return std::isfinite(std::strtod(text.c_str(), nullptr)) ? ""
                                                           : "expected a number, found " + text;
}

attend::PieceIds ids_of(const char* option, const std::string& text) {
  const attend::Json list = attend::parse_json(text);
  const bool whole =
      list.is_array() && !list.empty() &&
      std::ranges::all_of(list, [](const attend::Json& id) { return id.is_number_unsigned(); });
  if (!whole)
    attend::refuse(option, "expected a list of whole numbers, such as [1, 403], found " + text);
  return list.get<attend::PieceIds>();
}

// What the file of a document's weights says beside them; nothing where it has none.
attend::Metadata metadata_beside(const attend::Json& document) {
  const attend::Json parameters = document.value("parameters", attend::Json());
  if (!parameters.is_object() || !parameters.contains("from")) return {};
  const attend::Json& from = parameters["from"];
  for (const attend::Json& name : from.is_array() ? from : attend::Json::array({from})) {
    const auto path = name.is_string() ? weights_file(name) : std::nullopt;
    if (!path) continue;
    attend::Metadata found = metadata_in(*path);
    if (!found.empty()) return found;
  }
  return {};
}

std::string written(const Writing& asked, const std::string& text, const CLI::App& command) {
  attend::Json document = attend::parse_json(text);
  const attend::Metadata metadata =
      document.is_object() ? metadata_beside(document) : attend::Metadata{};
  if (!metadata.contains("writes")) {
    for (const char* const option : {"--prompt", "--ids", "--also", "--temperature", "--top-k",
                                     "--top-p", "--seed", "--activations"}) {
      if (command.count(option) > 0)
        attend::refuse(
            option,
            "this document was not imported, so it can only write the likeliest words for its "
            "own inputs; leave this option out");
    }
    return attend::written_text(text, asked.words);
  }
  if (command.count("--activations") > 0) document["parameters"]["activations"] = asked.activations;
  attend::WriteRequest request;
  if (command.count("--prompt") > 0) request.prompt = asked.prompt;
  if (command.count("--ids") > 0) request.ids = ids_of("--ids", asked.ids);
  if (command.count("--also") > 0) request.also = ids_of("--also", asked.also);
  request.words = asked.words;
  request.sampling = asked.sampling;
  return attend::continue_text(document, metadata, request);
}

}  // namespace

void add_import(CLI::App& app) {
  auto asked = std::make_shared<ImportAsked>();
  auto* command = app.add_subcommand(
      "import", "Turn a trained model of another program into a document and a file of weights");
  command
      ->add_option("files", asked->files,
                   "Weights, config.json and tokenizer.json of one model, or its folder")
      ->required();
  command
      ->add_option("--to", asked->to,
                   "The file for the document; its weights are written beside it")
      ->required();
  auto* half = command->add_flag("--half", asked->half, "Write the weights in half precision");
  command
      ->add_flag("--bytes", asked->bytes, "Write matrices as bytes, with a scale for each column")
      ->excludes(half);
  command->callback([asked] { import_model(*asked); });
}

void add_write(CLI::App& app, std::string (*read_all)(const std::string& file),
               std::string& output) {
  auto asked = std::make_shared<Writing>();
  auto* command = app.add_subcommand(
      "write", "Let a trained document or an imported model write text, word by word");
  command->add_option("file", asked->file, "A document, or - for standard input");
  command->add_option("--prompt", asked->prompt,
                      "The text that an imported model continues, or that its encoder reads");
  command->add_option("--ids", asked->ids, "The same text as token numbers, in a JSON list")
      ->excludes("--prompt");
  command->add_option(
      "--also", asked->also,
      "Tokens whose probability and rank at the last step are also given, as a JSON list");
  command->add_option("--words", asked->words, "The largest number of words to write")
      ->check(CLI::Range(std::size_t{1}, most_words))
      ->capture_default_str();
  command
      ->add_option("--temperature", asked->sampling.temperature,
                   "0 always chooses the likeliest word; 1 draws with the model's probabilities")
      ->check(CLI::NonNegativeNumber)
      ->check(is_finite)
      ->capture_default_str();
  command
      ->add_option("--top-k", asked->sampling.top_k,
                   "Draw from this many of the likeliest words; 0 means all words")
      ->capture_default_str();
  command
      ->add_option("--top-p", asked->sampling.top_p,
                   "Draw from the likeliest words that together have this probability")
      ->check(CLI::Range(0.0, 1.0))
      ->check(is_finite)
      ->capture_default_str();
  command->add_option("--seed", asked->sampling.seed, "The seed of the draws")
      ->capture_default_str();
  command
      ->add_option("--activations", asked->activations,
                   "Also round activations that are multiplied by int8 weights; words may change")
      ->check(CLI::IsMember({"int8"}));
  command->callback([asked, read_all, command, &output] {
    output = written(*asked, read_all(asked->file), *command);
  });
}
