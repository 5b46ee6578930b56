// SPDX-License-Identifier: Apache-2.0
// attend_bench_compile MILLISECONDS FILE..
// What turning a document into a program takes, natively: a line a file with the best milliseconds of reading its text
// (parsing, validating, filling in defaults), those of compiling what was read, and how many nodes the program has.
#include "experiment/recording/compile.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include "experiment/text/json_parse.h"

namespace {

using namespace attend;

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

// A document, or the page's example, which holds one. Weights from a file are no part of a program: they are drawn.
std::string text_of(const char* name) {
  std::ifstream file(name, std::ios::binary);
  Json json = parse_json(std::string(std::istreambuf_iterator<char>(file), {}));
  if (json.contains("document")) json = json["document"];
  json.erase("parameters");
  json.erase("training");
  return json.dump();
}

void measure(const char* name, double budget) {
  const std::string text = text_of(name);
  double read = std::numeric_limits<double>::infinity(), compiled = read;
  std::size_t nodes = 0;
  for (double spent = 0; spent < budget;) {
    const auto start = std::chrono::steady_clock::now();
    Document document = read_document(std::string_view(text));
    const double until = milliseconds_since(start);
    const auto middle = std::chrono::steady_clock::now();
    const Compiled program = compile(std::move(document));
    const double after = milliseconds_since(middle);
    nodes = program.graph().size();
    read = std::min(read, until);
    compiled = std::min(compiled, after);
    spent += until + after;
  }
  std::printf("%.6f %.6f %zu\n", read, compiled, nodes);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: attend_bench_compile MILLISECONDS FILE..\n", stderr);
    return 2;
  }
  try {
    for (int i = 2; i < argc; ++i) measure(argv[i], std::atof(argv[1]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
