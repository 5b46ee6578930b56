// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "evaluation/measure.h"
#include "experiment/measuring/subject.h"

namespace attend {

// What a measurement takes from its document: results by name, and the model itself.
class DocumentInputs {
 public:
  explicit DocumentInputs(const Json& measurement);

  [[nodiscard]] std::size_t examples() const { return subject_->examples(); }
  [[nodiscard]] Subject& subject() const { return *subject_; }
  // The document with another part: `patch` is merged into it, and parameters that fit stay.
  [[nodiscard]] Subject& other(const Json* patch);

  // The value of an input from the result `name` of an example; without a name what the input is
  // taken from by itself, if anything.
  [[nodiscard]] std::optional<GivenValue> value(const MeasureInput& input, const std::string& name,
                                                const std::string& path, std::size_t example) const;
  // What a reader should know of the document's part in it.
  void say(Json& notes) const;

 private:
  [[nodiscard]] GivenValue words(const MeasureInput& input, const std::string& name,
                                 const std::string& path, std::size_t example) const;
  [[nodiscard]] Tensor numbers(const MeasureInput& input, const std::string& name,
                               const std::string& path, std::size_t example) const;
  [[nodiscard]] Tensor one_head(Tensor map) const;
  [[nodiscard]] std::vector<std::string> vocabulary() const;
  // The part of one example of a tensor that leads with them.
  [[nodiscard]] Tensor part(Tensor tensor, std::size_t example) const;

  const Json& json_;
  SubjectWish wish_;
  std::unique_ptr<DocumentSubject> subject_, other_;
};

}  // namespace attend
