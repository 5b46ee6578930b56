// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>
#include <optional>
#include <string>
#include <vector>

#include "experiment/sessions/differences.h"
#include "experiment/sessions/open_documents.h"
#include "experiment/text/refusal.h"

namespace attend {

// What a page has of an open document: the last directory and all numbers, brought up to date by answers.
class Reader {
 public:
  explicit Reader(OpenDocument& document) : document_(document) {}

  // Reads; the bytes of numbers that the answer held.
  std::size_t read() {
    const Packed answer = document_.read(last_);
    Json directory = Json::parse(answer.directory);
    last_ = directory["read"];
    whole_ = !directory.contains("same");
    if (whole_) {
      directory.erase("read");
      directory_ = std::move(directory);
      data_ = answer.data;
    } else {
      take(directory, answer.data);
    }
    return answer.data.size() * sizeof(real);
  }

  [[nodiscard]] bool whole() const { return whole_; }
  [[nodiscard]] const Json& directory() const { return directory_; }
  [[nodiscard]] const std::vector<real>& data() const { return data_; }

 private:
  void take(const Json& answer, const std::vector<real>& data) {
    const std::size_t count = directory_["tensors"].size();
    auto from = data.begin();
    for (const std::size_t at : answer["changed"]) {
      const Json& entry = directory_["tensors"][at];
      const auto size = static_cast<long>(element_count(entry["shape"].get<Shape>()));
      std::copy(from, from + size, data_.begin() + entry["offset"].get<long>());
      from += size;
    }
    CHECK(from == data.end());
    for (const auto& [place, formula] : answer["formulas"].items()) {
      const std::size_t at = std::stoul(place);
      (at < count ? directory_["tensors"][at] : directory_["left"][at - count])["formula"] =
          formula;
    }
    for (const auto& [map, measures] : answer["measures"].items())
      directory_["measures"][map] = measures;
    directory_["warnings"] = answer["warnings"];
    for (const auto& [pointer, value] : answer["document"].items())
      directory_["document"][Json::json_pointer(pointer)] = value;
  }

  OpenDocument& document_;
  std::size_t last_ = 0;
  bool whole_ = true;
  Json directory_;
  std::vector<real> data_;
};

struct Outcome {
  Packed packed;
  std::optional<Error> refused;
};

inline Outcome fresh(const Json& document) {
  Outcome outcome;
  outcome.refused = refusal_of([&] { outcome.packed = run_packed(document.dump()); });
  return outcome;
}

inline bool same_bits(const std::vector<real>& a, const std::vector<real>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(real)) == 0);
}

// The reader has what a run of the document gives, bit by bit, or is refused as that is.
inline void check_as_fresh(Reader& reader, const Json& document) {
  const Outcome outcome = fresh(document);
  const std::optional<Error> refused = refusal_of([&] { (void)reader.read(); });
  REQUIRE(refused.has_value() == outcome.refused.has_value());
  if (refused) {
    CHECK(refused->path == outcome.refused->path);
    CHECK(std::string(refused->what()) == outcome.refused->what());
    return;
  }
  CHECK(differences(Json::parse(outcome.packed.directory), reader.directory()).dump() == "{}");
  CHECK(same_bits(reader.data(), outcome.packed.data));
}

// Makes a change in a document and in its open copy, and compares the two; whether it was taken.
inline bool change_both(OpenDocument& open, Reader& reader, Json& document,
                        const std::vector<Change>& list) {
  Json changed = document;
  apply(changed, list);
  const std::optional<Error> refused = refusal_of([&] { open.change(list); });
  if (!refused) {
    document = std::move(changed);
    check_as_fresh(reader, document);
    return true;
  }
  const Outcome outcome = fresh(changed);
  REQUIRE(outcome.refused.has_value());
  CHECK(refused->path == outcome.refused->path);
  CHECK(std::string(refused->what()) == outcome.refused->what());
  CHECK(Json::parse(open.text()) == document);
  check_as_fresh(reader, document);
  return false;
}

}  // namespace attend
