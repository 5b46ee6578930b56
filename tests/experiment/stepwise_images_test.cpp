// SPDX-License-Identifier: Apache-2.0
// Images row by row: what looks at all of an image before it changes a row of it cannot be computed so.
#include <doctest/doctest.h>
#include <string>

#include "experiment/learning/stepwise.h"
#include "experiment/text/json_parse.h"
#include "ops/error.h"

namespace attend::stepwise_images_test {

TEST_CASE("what is made of all rows and acts on each of them is refused") {
  for (const char* mechanism : {"se", "cbam-channel"}) {
    for (const int width : {1, 3}) {
      Json image{{"shape", {4, width, 3}}, {"data", Json::array()}};
      for (int k = 0; k < 12 * width; ++k) image["data"].push_back(k % 7 - 3);
      const Json json{{"schema", "attention-playground/1"},
                      {"seed", 1},
                      {"inputs", {{"image", image}}},
                      {"mechanism", {{"type", mechanism}, {"hidden", 2}}}};
      CAPTURE(mechanism);
      CAPTURE(width);
      std::string path = "none";
      try {
        (void)stepwise_text(json.dump(), "");
      } catch (const Error& error) {
        path = error.path;
      }
      CHECK(path == "/mechanism");
    }
  }
}

}  // namespace attend::stepwise_images_test
