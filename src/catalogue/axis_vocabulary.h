// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "ops/tensor_record.h"

// The vocabulary of axes: the symbols that have the same role in the shapes of all mechanisms (docs/notation.md). A
// result or a port whose axis has a symbol that is not in this list is refused, unless its build states the role
// there: "m r:key". A symbol that means one thing in one mechanism and another thing elsewhere does not belong here.
// In the shape of a parameter, all symbols that are not in this list are widths.
namespace attend {

struct AxisWord {
  std::string_view symbol;
  AxisRole role;
  std::string_view meaning;
  bool time = false;              // its entries are steps of time
  bool width_of_weights = false;  // in the shape of a parameter it is a width: a feature
};

inline constexpr std::array axis_vocabulary{
    // Rows that attend.
    AxisWord{"m", AxisRole::query, "queries"},
    AxisWord{"1", AxisRole::query, "a single query, or the only row", false, true},
    AxisWord{"t", AxisRole::query, "steps, with one query each", true, true},
    // Rows that are attended to.
    AxisWord{"n", AxisRole::key, "keys, which are the tokens of an input"},
    AxisWord{"n1", AxisRole::key, "tokens of the first of two inputs"},
    AxisWord{"n2", AxisRole::key, "tokens of the second of two inputs"},
    AxisWord{"nt", AxisRole::key, "tokens of the target phrase"},
    AxisWord{"nl", AxisRole::key, "tokens to the left of the target"},
    AxisWord{"nr", AxisRole::key, "tokens to the right of the target"},
    AxisWord{"I", AxisRole::key, "sentences of a memory"},
    AxisWord{"J", AxisRole::key, "words of a sentence"},
    AxisWord{"s", AxisRole::query, "rows that a memory relates to each other", false, true},
    AxisWord{"M", AxisRole::key, "tokens of the segment before", false, true},
    // Copies of a computation.
    AxisWord{"h", AxisRole::head, "heads"},
    AxisWord{"G", AxisRole::head, "heads of keys, where several heads share one"},
    AxisWord{"L", AxisRole::layer, "layers of an encoder"},
    AxisWord{"Ldec", AxisRole::layer, "layers of a decoder"},
    AxisWord{"batch", AxisRole::batch, "examples"},
    AxisWord{"time", AxisRole::time, "steps of time, with a picture each"},
    // Images.
    AxisWord{"H", AxisRole::height, "rows of an image"},
    AxisWord{"W", AxisRole::width, "columns of an image"},
    AxisWord{"C", AxisRole::channel, "channels of an image"},
    AxisWord{"Hg", AxisRole::height, "rows of a second, coarser image"},
    AxisWord{"Wg", AxisRole::width, "columns of that image"},
    AxisWord{"Cg", AxisRole::channel, "channels of that image"},
    // Answers.
    AxisWord{"c", AxisRole::class_, "classes"},
    AxisWord{"v", AxisRole::class_, "words of a vocabulary"},
    // Widths.
    AxisWord{"d", AxisRole::feature, "width of rows that several inputs share"},
    AxisWord{"dx", AxisRole::feature, "width of rows before any projection"},
    AxisWord{"df", AxisRole::feature, "width of features"},
    AxisWord{"dq", AxisRole::feature, "width of queries"},
    AxisWord{"dk", AxisRole::feature, "width of keys"},
    AxisWord{"dv", AxisRole::feature, "width of values"},
    AxisWord{"dc", AxisRole::feature, "width of the merged context"},
    AxisWord{"dh", AxisRole::feature, "width of a recurrent state"},
    AxisWord{"dt", AxisRole::feature, "width of a target"},
    AxisWord{"p", AxisRole::feature, "width of queries and keys inside a head"},
    AxisWord{"pv", AxisRole::feature, "width of values inside a head"},
    AxisWord{"a", AxisRole::feature, "hidden width of a score"},
    AxisWord{"d0", AxisRole::feature, "width of the first state of a decoder"},
    AxisWord{"d1", AxisRole::feature, "width of the first of several inputs"},
    AxisWord{"d2", AxisRole::feature, "width of the second input"},
    AxisWord{"d3", AxisRole::feature, "width of the third input"},
    AxisWord{"d4", AxisRole::feature, "width of the fourth input"},
    AxisWord{"d5", AxisRole::feature, "width of the fifth input"},
    AxisWord{"d6", AxisRole::feature, "width of the sixth input"},
    AxisWord{"d7", AxisRole::feature, "width of the seventh input"},
    AxisWord{"d8", AxisRole::feature, "width of the eighth input"},
    AxisWord{"dv1", AxisRole::feature, "width of the values of the first input"},
    AxisWord{"dv2", AxisRole::feature, "width of the values of the second input"},
    AxisWord{"dq2", AxisRole::feature, "width of a second query"},
    AxisWord{"dl", AxisRole::feature, "width of tokens to the left of the target"},
    AxisWord{"dr", AxisRole::feature, "width of tokens to the right of the target"},
    AxisWord{"ds", AxisRole::feature, "width of a sequence beside a graph"},
    AxisWord{"de", AxisRole::feature, "width of words beside an image"},
    AxisWord{"dw", AxisRole::feature, "width of an importance"},
    AxisWord{"d_in", AxisRole::feature, "width of the rows that enter a layer"},
    AxisWord{"d_out", AxisRole::feature, "width of the rows that leave a layer"},
    AxisWord{"c_in", AxisRole::feature, "width of the cells that enter a convolution"},
    AxisWord{"dim", AxisRole::feature, "width of an embedding"},
    AxisWord{"e", AxisRole::feature, "width of the embedding of words that were written"}};

// The entry of a symbol; null if it is not in the vocabulary.
constexpr const AxisWord* axis_word(std::string_view symbol) {
  for (const AxisWord& word : axis_vocabulary)
    if (word.symbol == symbol) return &word;
  return nullptr;
}

}  // namespace attend
