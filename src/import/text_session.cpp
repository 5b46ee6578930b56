// SPDX-License-Identifier: Apache-2.0
#include "import/text_session.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>

#include "experiment/learning/stepwise.h"
#include "experiment/recording/row_count.h"
#include "import/write_text.h"
#include "ops/error.h"

namespace attend {
namespace {

// A step costs what the longest text that it was recorded for costs, so that the record grows with the text.
constexpr std::size_t fewest_program_rows = 64;

void set_rows(Document& document, const std::string& input, const Json& zeros, std::size_t count) {
  const PieceIds none(count, 0);
  put_pieces(document, input, none);
  if (!zeros.is_array()) return;
  for (const Json& other : zeros) put_pieces(document, other.get<std::string>(), none);
}

}  // namespace

struct TextSession::Rows {
  Rows(Compiled made, const std::string& input, const std::string& logits)
      : compiled(std::move(made)),
        program(stepwise_of(compiled, input, {logits})),
        runner(std::make_unique<StepRunner>(program)) {}

  // Another text of about the same length finds the program that the last one was read by.
  const Compiled* with_rows(std::size_t count, const std::function<Document()>& make) {
    if (!shorter || shorter_rows != count) {
      shorter.emplace(compile_row_by_row(make()));
      shorter_rows = count;
    }
    return &*shorter;
  }

  void begin_again() {
    runner = std::make_unique<StepRunner>(program);
    taken.clear();
  }

  Compiled compiled;
  StepProgram program;
  std::unique_ptr<StepRunner> runner;
  std::optional<Compiled> shorter;
  std::size_t shorter_rows = 0;
  PieceIds taken;
};

TextSession::TextSession(Json document, Metadata metadata)
    : document_(std::move(document)),
      metadata_(std::move(metadata)),
      writes_(metadata_json(metadata_, "writes")),
      texts_(writes_) {
  if (!writes_.is_object() || !writes_.contains("predicts") || !document_.contains("model"))
    refuse("", "this document predicts no words");
  input_ = writes_["input"];
  predicts_ = writes_["predicts"];
  const Json tokenizer = metadata_json(metadata_, "tokenizer");
  if (tokenizer.is_object()) tokenizer_.emplace(tokenizer);
  document_.erase("gradient");
  document_["outputs"] = {predicts_ + ".logits"};
  take_source(document_);
}

TextSession::~TextSession() = default;

void TextSession::take_source(const Json& document) {
  if (texts_.source.empty()) return;
  PieceIds ids = pieces_in(read_document(document), texts_.source);
  texts_.check_source(ids, "/inputs/" + texts_.source);
  if (ids == source_) return;
  source_ = std::move(ids);
  rows_.reset();  // the encoder's rows are among the numbers of its program
  // What one source refused says nothing about the next.
  refused_ = false;
  why_ = nullptr;
}

std::size_t TextSession::length() const {
  return writes_.contains("length") ? writes_["length"].get<std::size_t>() : 0;
}

std::string TextSession::shown(std::size_t id) const { return shown_token(tokenizer_, id); }

void TextSession::check(const PieceIds& ids) const {
  if (ids.empty()) refuse("", "the text has no tokens; begin with a word");
  if (length() != 0 && ids.size() > length())
    refuse("", "the text has " + std::to_string(ids.size()) +
                   " tokens, but the model reads at most " + std::to_string(length()));
}

Json TextSession::next(NextRequest request) {
  check(request.ids);
  request.sampling.never = texts_.never;
  if (writes_.value("kind", "next") != "next" || refused_) return by_whole_text(request);
  try {
    return by_rows(request);
  } catch (const Error& error) {
    if (rows_ || (!texts_.source.empty() && error.path.starts_with("/inputs/" + texts_.source)))
      throw;
    // Not causal, or a part without a rule for one row at a time: the whole text again for each word.
    refused_ = true;
    why_ = {{"path", error.path}, {"message", error.what()}};
  }
  return by_whole_text(request);
}

void TextSession::prepare_rows(std::size_t count) {
  std::size_t rows = std::max(fewest_program_rows, std::bit_ceil(count + 1));
  if (length() != 0) rows = std::min(rows, length());
  rows_.reset();  // before the next one takes as much memory
  auto fresh =
      std::make_unique<Rows>(compile_row_by_row(of_rows(rows)), input_, predicts_ + ".logits");
  if (fresh->program.results.empty() || fresh->program.inputs.size() != 1)
    refuse("/model", "no word reads the words before it");
  rows_ = std::move(fresh);
}

Document TextSession::of_rows(std::size_t count) const {
  Document document = read_document(document_);
  set_rows(document, input_, writes_.value("zeros", Json()), count);
  if (!texts_.source.empty()) put_pieces(document, texts_.source, source_);
  return document;
}

Json TextSession::by_rows(const NextRequest& request) {
  const PieceIds& ids = request.ids;
  if (!rows_ || ids.size() > rows_->program.count) prepare_rows(ids.size());
  check_tokens(ids, rows_->program.results.front().shape.back());
  PieceIds& taken = rows_->taken;
  const bool goes_on =
      taken.size() <= ids.size() && std::equal(taken.begin(), taken.end(), ids.begin());
  if (!goes_on) rows_->begin_again();
  StepRunner& runner = *rows_->runner;
  const std::size_t before = taken.size();
  if (taken.empty() && runner.steps_taken() == 0) {
    const std::vector<real> first(ids.begin(), ids.end());
    const auto shorter = [&](std::size_t count) {
      return rows_->with_rows(count, [&] { return of_rows(count); });
    };
    if (take_at_once(rows_->compiled, runner, first, shorter))
      taken.assign(ids.begin(), ids.begin() + static_cast<long>(runner.steps_taken()));
  }
  while (taken.size() < ids.size()) {
    const std::span<real> room = runner.row(0);
    if (!room.empty()) room.front() = static_cast<real>(ids[taken.size()]);
    runner.step();
    taken.push_back(ids[taken.size()]);
  }
  const Numbers logits = runner.result(0);
  if (tokenizer_ && tokenizer_->size() > logits.size())
    refuse("", "the tokenizer has " + std::to_string(tokenizer_->size()) +
                   " pieces, but the model has " + std::to_string(logits.size()) +
                   ": this tokenizer belongs to another model");
  const std::vector<NextWord> words = next_words(logits, request.sampling, request.step);
  const std::size_t id = choose_word(words, request.sampling, request.step);
  Json answer{{"id", id},
              {"token", shown(id)},
              {"ended", is_end(texts_, tokenizer_, id)},
              {"full", length() != 0 && ids.size() >= length()},
              {"rows", taken.size() - before},
              {"state", state_size(runner)}};
  ListedWords(logits, request.sampling, words, request.also, tokenizer_).put(answer, "next");
  return answer;
}

Json TextSession::by_whole_text(const NextRequest& asked) const {
  const PieceIds& ids = asked.ids;
  WriteRequest request;
  if (texts_.source.empty()) {
    request.ids = ids;
  } else {
    request.ids = source_;
    request.target = ids;
  }
  request.words = 1;
  request.sampling = asked.sampling;
  request.also = asked.also;
  Json answer = Json::parse(continue_text(document_, metadata_, request));
  if (!answer.contains("next")) return answer;
  const Json& written = answer["ids"];
  const bool ended = answer.value("ended", false);
  Json found{{"next", answer["next"]},
             {"ended", ended},
             {"full", length() != 0 && ids.size() >= length()},
             {"rows", ids.size()},
             {"whole", why_}};
  if (answer.contains("also")) found["also"] = answer["also"];
  if (written.size() > ids.size()) {
    const auto id = written.back().get<std::size_t>();
    found["id"] = id;
    found["token"] = shown(id);
  } else if (!answer["next"].empty()) {
    found["id"] = answer["next"][0]["id"];
    found["token"] = answer["next"][0]["token"];
  }
  return found;
}

Json text_as_pieces(const Tokenizer& tokenizer, std::string_view text) {
  const PieceIds ids = tokenizer.encode(text);
  Json labels = Json::array();
  for (const std::size_t id : ids) labels.push_back(tokenizer.shown(id));
  return {{"ids", ids}, {"labels", std::move(labels)}};
}

Json pieces_as_text(const Tokenizer& tokenizer, const PieceIds& ids) {
  Json labels = Json::array();
  for (const std::size_t id : ids) labels.push_back(tokenizer.shown(id));
  return {{"text", tokenizer.decode(ids)}, {"labels", std::move(labels)}};
}

}  // namespace attend
