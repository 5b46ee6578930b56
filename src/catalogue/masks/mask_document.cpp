// SPDX-License-Identifier: Apache-2.0
// Packed documents: row i sees the keys of its own document,  document[i] = document[j]
// The practice of packing several texts into one sequence; FlexAttention, Dong et al. 2024, arXiv:2412.05496
#include "catalogue/entry.h"
#include "ops/text.h"

namespace attend::mask_document_entry {
namespace {

Var build(const MaskIn& in) {
  const Tensor& documents = in.matrix("documents");  // [1 n]
  const std::string path = in.choice.path + "/documents";
  if (documents.data.size() != in.n || documents.shape.front() != 1)
    refuse(path, "expected a list with the document of each of " + std::to_string(in.n) +
                     " keys, found shape " + to_text(documents.shape));
  for (std::size_t j = 0; j < in.n; ++j) {
    if (documents.data[j] == std::floor(documents.data[j])) continue;
    refuse(path + "/" + std::to_string(j),
           "a document is given as a whole number, found " + number_exact(documents.data[j]));
  }
  const std::size_t first = in.inputs.memory;  // of the rows; memory rows are keys only
  if (in.m + first > in.n)
    refuse(path, "row i is in the document of key i; there are " + std::to_string(in.m) +
                     " queries, but only " + std::to_string(in.n - first) + " keys for them");
  const Var of_keys = in.constant("documents", documents);                 // [1 n]
  const Var of_rows = transpose(slice(of_keys, -1, first, first + in.m));  // [m 1]
  return in.stated(equal(of_rows, of_keys), documents_intent(), {of_keys});
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const std::vector<double>& document = std::get<Tensor>(in.knobs.find("documents")->second).data;
  return each_pair(in, [&](std::size_t i, std::size_t j) { return document[i] == document[j]; });
}

extern const Mechanism record{.id = "mask-document",
                              .aliases = {"packed"},
                              .knobs = {matrix_knob("documents").for_each_key()},
                              .laws = {.permutation = false},
                              .example = R"("documents": [0, 0, 1, 1, 1])",
                              .behaviour = Mask{build}};
}  // namespace attend::mask_document_entry
