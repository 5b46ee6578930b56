// SPDX-License-Identifier: Apache-2.0
#include "import/write_text.h"

#include <algorithm>
#include <optional>

#include "experiment/learning/stepwise.h"
#include "experiment/recording/row_count.h"
#include "experiment/running/run.h"
#include "import/classes.h"
#include "import/source_text.h"
#include "ops/error.h"

namespace attend {
namespace {

constexpr std::size_t most_words_listed = 10;
constexpr std::string_view last_row = "last-row";

// Only the last row says what comes next: the module that predicts reads that row alone.
void read_last_row_only(Json& document, const std::string& predicts) {
  Json& modules = document["model"];
  for (std::size_t i = 0; i < modules.size(); ++i) {
    if (modules[i]["name"] != predicts) continue;
    const Json pool = {{"name", std::string(last_row)},
                       {"type", "fm-pool"},
                       {"by", "last"},
                       {"inputs", {{"x", modules[i]["inputs"]["x"]}}}};
    modules[i]["inputs"]["x"] = std::string(last_row);
    modules.insert(modules.begin() + static_cast<long>(i), pool);
    return;
  }
  refuse("/model", "there is no module \"" + predicts +
                       "\"; the weights file names it as the one that predicts words");
}

class Writer {
 public:
  Writer(Json document, const Metadata& metadata, const WriteRequest& request)
      : request_(request),
        writes_(metadata_json(metadata, "writes")),
        texts_(writes_),
        sampling_(request.sampling) {
    if (!writes_.is_object() || !writes_.contains("predicts") || !document.contains("model"))
      refuse("", "this document predicts no words; \"attend run\" gives its results");
    input_ = writes_["input"];
    predicts_ = writes_["predicts"];
    const Json tokenizer = metadata_json(metadata, "tokenizer");
    if (tokenizer.is_object()) tokenizer_.emplace(tokenizer);
    if (!tokenizer_ && request.prompt)
      refuse("--prompt", "the model came without a tokenizer; give token numbers with --ids");
    document.erase("gradient");
    document["outputs"] = {predicts_ + ".logits"};
    json_ = std::move(document);
    document_ = read_document(json_);
    sampling_.never = texts_.never;
    ids_ = first_ids(texts_.source.empty() ? input_ : texts_.source);
    if (!texts_.source.empty()) {
      source_ = std::move(ids_);
      texts_.check_source(source_, place_of_ids(texts_.source));
      ids_ = request.target.value_or(texts_.start);
    }
    check_length();
  }

  std::string answer() {
    if (!next()) return masked();
    try {
      write_by_rows();
    } catch (const Error& error) {
      // Not causal, or a part without a rule for one row at a time: the whole text again for each word.
      whole_ = {{"path", error.path}, {"message", error.what()}};
      ids_.resize(ids_.size() - made_.size());
      made_.clear();
      write_whole();
    }
    return written();
  }

 private:
  [[nodiscard]] bool next() const { return writes_.value("kind", "next") == "next"; }

  PieceIds first_ids(const std::string& input) const {
    if (request_.ids) return *request_.ids;
    if (request_.prompt) return tokenizer_->encode(*request_.prompt);
    return pieces_in(document_, input);
  }

  // Where a reader gave the pieces of an input, for errors.
  std::string place_of_ids(const std::string& input) const {
    return request_.ids ? "--ids" : request_.prompt ? "--prompt" : "/inputs/" + input;
  }

  // The most tokens that the model reads; 0: as many as there are.
  [[nodiscard]] std::size_t length() const {
    return writes_.contains("length") ? writes_["length"].get<std::size_t>() : 0;
  }

  void set_inputs(const PieceIds& ids) {
    put_pieces(document_, input_, ids, all_shown(ids));
    if (!texts_.source.empty()) put_pieces(document_, texts_.source, source_, all_shown(source_));
    if (!writes_.contains("zeros")) return;
    for (const Json& other : writes_["zeros"])
      put_pieces(document_, other.get<std::string>(), PieceIds(ids.size(), 0));
  }

  std::vector<std::string> all_shown(const PieceIds& ids) const {
    std::vector<std::string> list;
    for (const std::size_t id : ids) list.push_back(shown(id));
    return list;
  }

  std::string shown(std::size_t id) const { return shown_token(tokenizer_, id); }

  void check_length() const {
    if (ids_.empty()) refuse("--prompt", "the text has no tokens; begin with a word");
    if (length() != 0 && ids_.size() > length())
      refuse(request_.ids ? "--ids" : "--prompt", "the text has " + std::to_string(ids_.size()) +
                                                      " tokens, but the model reads at most " +
                                                      std::to_string(length()));
  }

  // A tokenizer may have fewer pieces than the model has rows, which are then no words; never more.
  void check_vocabulary() const {
    if (!tokenizer_ || tokenizer_->size() <= classes_) return;
    refuse("", "the tokenizer has " + std::to_string(tokenizer_->size()) +
                   " pieces, but the model has " + std::to_string(classes_) +
                   ": this tokenizer belongs to another model");
  }

  // A number without a row of the vocabulary would be looked up outside of it.
  void check_ids() const {
    check_tokens(ids_, classes_, texts_.source.empty() ? place_of_ids(input_) : "");
  }

  // Whether the text goes on behind this word.
  bool take_word(std::span<const real> logits) {
    const std::vector<NextWord> words = next_words(logits, sampling_, made_.size());
    listed_.emplace(listed(logits, words));
    const std::size_t id = choose_word(words, sampling_, made_.size());
    ended_ = is_end(texts_, tokenizer_, id);
    if (ended_) return false;
    made_.push_back(id);
    ids_.push_back(id);
    return true;
  }

  [[nodiscard]] std::size_t longest() const {
    const std::size_t most = ids_.size() + request_.words;
    return length() == 0 ? most : std::min(most, length());
  }

  // The program of so many rows, the first of them the text's.
  Compiled of_rows(std::size_t count) {
    PieceIds padded = ids_;
    padded.resize(count, 0);
    document_ = read_document(json_);
    set_inputs(padded);
    return compile_row_by_row(std::move(document_));
  }

  // One row per word: what earlier words left behind (keys and values, or another state) is kept.
  void write_by_rows() {
    const std::size_t most = longest();
    const Compiled compiled = of_rows(most);
    StepRunner runner(stepwise_or_blamed(compiled, input_, {predicts_ + ".logits"}));
    if (runner.program().results.empty() || runner.program().inputs.size() != 1)
      refuse("/model", "no word reads the words before it");
    classes_ = runner.program().results.front().shape.back();
    check_ids();
    const std::vector<real> first(ids_.begin(), ids_.end());
    // The words of the text are read by a program of about as many rows, without those that are still to be written.
    std::optional<Compiled> shorter;
    (void)take_at_once(compiled, runner, first,
                       [&](std::size_t rows) { return &shorter.emplace(of_rows(rows)); });
    shorter.reset();
    do {
      while (runner.steps_taken() < ids_.size()) {
        const std::span<real> room = runner.row(0);
        if (!room.empty()) room.front() = static_cast<real>(ids_[runner.steps_taken()]);
        runner.step();
      }
      classes_ = runner.result(0).size();
      check_vocabulary();
    } while (ids_.size() < most && take_word(runner.result(0)));
    state_ = describe_state(compiled, runner);
    state_.erase("tensors");
  }

  void write_whole() {
    Json document = json_;
    read_last_row_only(document, predicts_);
    document_ = read_document(std::move(document));
    const std::size_t most = longest();
    while (ids_.size() < most && take_word(logits())) {
    }
  }

  // The logits [rows v] of what is there now.
  std::vector<real> logits() {
    set_inputs(ids_);
    Compiled compiled = compile(std::move(document_));
    classes_ = compiled.shape_of(compiled.find(predicts_ + ".logits")).back();
    check_ids();
    std::vector<real> numbers;
    {
      const Result result = run(compiled, Detail::outputs);
      for (const ResultTensor& tensor : result.tensors) {
        if (tensor.group() != TensorGroup::outputs) continue;
        const Numbers found = result.data(tensor);
        numbers.assign(found.begin(), found.end());
        classes_ = tensor.shape.back();
      }
    }
    document_ = std::move(compiled).document_again();
    check_vocabulary();
    return numbers;
  }

  ListedWords listed(std::span<const real> logits, const std::vector<NextWord>& words) const {
    return {logits, sampling_, words, request_.also, tokenizer_};
  }

  std::string written() {
    Json answer{{"input", input_}, {"tokens", all_shown(made_)}, {"ids", ids_}, {"ended", ended_}};
    if (tokenizer_) answer["text"] = tokenizer_->decode(ids_);
    if (!texts_.source.empty())
      answer["source"] = {
          {"input", texts_.source}, {"tokens", all_shown(source_)}, {"ids", source_}};
    if (listed_)
      std::move(*listed_).put(answer, "next");
    else
      answer["next"] = Json::array();
    if (!state_.is_null()) answer["state"] = state_;
    if (!whole_.is_null()) answer["whole"] = whole_;
    return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  // The likeliest words at every place of the mask.
  std::string masked() {
    const auto mask = tokenizer_ ? tokenizer_->find(writes_.value("mask", "[MASK]")) : std::nullopt;
    if (!mask)
      refuse("",
             "the model fills in masked words, but came without a tokenizer that has \"[MASK]\"");
    const std::vector<real> all = logits();
    Json places = Json::array();
    for (std::size_t row = 0; row < ids_.size(); ++row) {
      if (ids_[row] != *mask) continue;
      const auto one = std::span(all).subspan(row * classes_, classes_);
      Json place{{"row", row}};
      listed(one, next_words(one, sampling_)).put(place, "words");
      places.push_back(std::move(place));
    }
    if (places.empty())
      refuse("--prompt", "this model fills in words: write [MASK] where a word is missing");
    return Json{{"input", input_}, {"tokens", all_shown(ids_)}, {"ids", ids_}, {"masked", places}}
        .dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  const WriteRequest& request_;
  Json writes_;
  TwoTexts texts_;
  Sampling sampling_;
  std::string input_, predicts_;
  std::optional<Tokenizer> tokenizer_;
  Json json_;
  Document document_;
  PieceIds source_, ids_, made_;
  std::optional<ListedWords> listed_;  // of the last step
  bool ended_ = false;
  Json state_, whole_;  // of words that came row by row; why they did not
  std::size_t classes_ = 0;
};

}  // namespace

void check_tokens(const PieceIds& ids, std::size_t words, const std::string& path,
                  const std::string& of) {
  const auto outside = std::ranges::find_if(ids, [&](std::size_t id) { return id >= words; });
  if (outside == ids.end()) return;
  refuse(path, "the model knows the tokens 0 to " + std::to_string(words - 1) + ", but token " +
                   std::to_string(outside - ids.begin() + 1) + " of " + of + " is " +
                   std::to_string(*outside));
}

std::string shown_token(const std::optional<Tokenizer>& tokenizer, std::size_t id) {
  return tokenizer ? tokenizer->shown(id) : "#" + std::to_string(id);
}

ListedWords::ListedWords(std::span<const real> logits, const Sampling& sampling,
                         const std::vector<NextWord>& words, const PieceIds& also_asked,
                         const std::optional<Tokenizer>& tokenizer)
    : likeliest(Json::array()), also(Json::array()) {
  const auto entry = [&](const NextWord& word) {
    Json json{{"token", shown_token(tokenizer, word.id)},
              {"id", word.id},
              {"probability", word.probability}};
    const std::string bytes = tokenizer ? tokenizer->partial_bytes(word.id) : "";
    for (const char byte : bytes) json["bytes"].push_back(static_cast<unsigned char>(byte));
    return json;
  };
  for (std::size_t i = 0; i < std::min(words.size(), most_words_listed); ++i)
    likeliest.push_back(entry(words[i]));
  check_tokens(also_asked, logits.size(), "/also", "\"also\"");
  for (const RankedWord& word : ranked_words(logits, sampling, words, also_asked)) {
    Json json = entry(word);
    json["rank"] = word.rank == 0 ? Json() : Json(word.rank);
    also.push_back(std::move(json));
  }
}

void ListedWords::put(Json& answer, const char* name) && {
  answer[name] = std::move(likeliest);
  if (!also.empty()) answer["also"] = std::move(also);
}

std::string continue_text(Json document, const Metadata& metadata, const WriteRequest& request) {
  if (metadata_json(metadata, "writes").value("kind", "next") == "classes") {
    if (request.prompt || request.ids)
      refuse(request.prompt ? "--prompt" : "--ids",
             "this model reads a picture, not a text; put the picture into its document");
    return tell_classes(std::move(document), metadata);
  }
  return Writer(std::move(document), metadata, request).answer();
}

}  // namespace attend
