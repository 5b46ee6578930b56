// SPDX-License-Identifier: Apache-2.0
// The schema that the program writes: the file in schema/ is it, and no reference in it leads
// nowhere. (That it agrees with the reader is seen in tests/node/schema.test.mjs.)
#include "experiment/describing/schema.h"

#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "tests/checkout.h"

namespace attend::schema_test {
namespace {

void collect_references(const OrderedJson& json, std::set<std::string>& references) {
  if (json.is_object() && json.contains("$ref")) references.insert(json["$ref"].get<std::string>());
  if (!json.is_structured()) return;
  for (const OrderedJson& inner : json) collect_references(inner, references);
}

}  // namespace

TEST_CASE("the file in schema/ is what the program writes") {
  std::ifstream stream(testing::in_checkout("/schema/experiment.schema.json"));
  const std::string file{std::istreambuf_iterator<char>(stream), {}};
  CHECK(file == schema_text(SchemaPart::frame) + "\n");
}

TEST_CASE("every reference of a schema leads to a definition, and every definition is used") {
  for (const SchemaPart part : {SchemaPart::frame, SchemaPart::whole}) {
    const OrderedJson schema = OrderedJson::parse(schema_text(part));
    std::set<std::string> references;
    collect_references(schema, references);
    for (const std::string& reference : references)
      CHECK_NOTHROW_MESSAGE((void)schema.at(OrderedJson::json_pointer(reference.substr(1))),
                            reference);
    CHECK(references.size() > 15);
  }
}

}  // namespace attend::schema_test
