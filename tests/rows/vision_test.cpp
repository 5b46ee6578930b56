// SPDX-License-Identifier: Apache-2.0
// Limits and equalities of the modules for images.
#include "tests/rows/structures.h"

namespace attend::testing::vision_test {
namespace {

const std::vector<const char*> gates = {"se",   "cbam-channel", "cbam-spatial",
                                        "cbam", "sagan",        "mhca"};

Array halved(Array x) {
  for (double& number : x.data) number /= 2;
  return x;
}

}  // namespace

TEST_CASE("gates without weights let half of everything through") {
  for (const auto& [id, names] : {std::pair{"se", std::vector<std::string>{"W2"}},
                                  {"cbam-channel", {"W2"}},
                                  {"cbam-spatial", {"kernel"}},
                                  {"mhca", {"deconv1", "deconv3", "deconv5"}}}) {
    CAPTURE(id);
    Json document = structure(id);
    const Ran before = run_json(document);
    for (const std::string& name : names)
      parameter(document, name) = to_json(Array(before.parameters.at("structure." + name).shape));
    CHECK(near(run_json(document).outputs.at("output"), halved(input(document, "image"))));
  }
}

TEST_CASE("squeeze and excitation does not see where something stands, CBAM's places do") {
  for (const char* id : {"se", "cbam-channel"}) {
    Json document = structure(id);
    const Array before = run_json(document).outputs.at("weights");
    document["inputs"]["image"] = to_json(rotated_rows(input(document, "image"), 1));
    CHECK(near(run_json(document).outputs.at("weights"), before));
  }
}

TEST_CASE("CBAM is its two parts, one after the other") {
  for (const bool channel_first : {true, false}) {
    const char* order = channel_first ? "channel-spatial" : "spatial-channel";
    Json both = structure("cbam", knobs({{"order", order}}));
    Json channel = structure("cbam-channel"), spatial = structure("cbam-spatial");
    for (const char* name : {"W1", "W2"})
      parameter(channel, name) = both["parameters"][std::string("structure.channel.") + name];
    parameter(spatial, "kernel") = both["parameters"]["structure.spatial.kernel"];
    Json &first = channel_first ? channel : spatial, &second = channel_first ? spatial : channel;
    first["inputs"] = both["inputs"];
    second["inputs"]["image"] = to_json(run_json(first).outputs.at("output"));
    CHECK(near(run_json(both).outputs.at("output"), run_json(second).outputs.at("output")));
  }
}

TEST_CASE("an image that is the same everywhere has one mean and one largest number") {
  Json document = structure("cbam-channel");
  document["inputs"]["image"] = to_json(Array({4, 3, 3}, .4));
  Json doubled = structure("se");
  doubled["inputs"] = document["inputs"];
  parameter(doubled, "W1") = parameter(document, "W1");
  Array twice(run_json(document).parameters.at("structure.W2"));
  for (double& number : twice.data) number *= 2;
  parameter(doubled, "W2") = to_json(twice);
  CHECK(near(run_json(document).outputs.at("weights"), run_json(doubled).outputs.at("weights")));
}

TEST_CASE("SAGAN: switched off it is the image, and its map sums to one by row") {
  Json document = structure("sagan");
  parameter(document, "gamma") = 0.;
  const Ran ran = run_json(document);
  CHECK(near(ran.outputs.at("output"), input(document, "image")));
  check_rows_sum_to_one(ran.outputs.at("weights"));
}

TEST_CASE("attention gate: open it is the image, and a signal on the same grid is not resampled") {
  Json document = structure("attention-gate-unet");
  parameter(document, "b_psi") = 1000.;
  CHECK(near(run_json(document).outputs.at("output"), input(document, "image")));
  // Doubling every pixel of a signal is the same signal when one is looked up between equal ones.
  Json flat = structure("attention-gate-unet");
  flat["inputs"]["gating"] = to_json(Array({4, 5, 3}, .3));
  const Array same = run_json(flat).outputs.at("weights");
  flat["inputs"]["gating"] = to_json(Array({1, 1, 3}, .3));
  CHECK(near(run_json(flat).outputs.at("weights"), same));
}

TEST_CASE("patches: one patch is two tokens, and exchanged patches are exchanged tokens") {
  Json one = example_document(*find_mechanism(Kind::structure, "vit-patch"));
  one["inputs"]["image"] = to_json(Array({4, 4, 2}, .1));
  one["mechanism"]["P"] = 4;
  CHECK(run_json(one).outputs.at("output").shape == Shape{2, 8});
  Array picture({4, 6, 2});  // in patches of 2: two rows of three
  for (std::size_t i = 0; i < picture.data.size(); ++i) picture.data[i] = std::sin(double(i));
  Json document = structure("vit-patch", {{"inputs", {{"image", to_json(picture)}}}});
  parameter(document, "pos") = to_json(Array({7, 8}));
  const Array before = run_json(document).outputs.at("output");
  document["inputs"]["image"] = to_json(rotated_rows(input(document, "image"), 2));
  const Array after = run_json(document).outputs.at("output");
  for (std::size_t t = 0; t < 6; ++t)
    for (std::size_t c = 0; c < 8; ++c)
      CHECK(std::abs(after(1 + (t + 3) % 6, c) - before(1 + t, c)) < 10 * tolerance);
}

TEST_CASE("patches say why they do not fit") {
  Json document = example_document(*find_mechanism(Kind::structure, "vit-patch"));
  for (const auto& [P, words] : {std::pair{5, "larger than the image"}, {3, "must divide"}}) {
    document["inputs"]["image"] = to_json(Array({4, 6}, .5));
    document["mechanism"]["P"] = P;
    CHECK_THROWS_WITH_AS((void)run_json(document), doctest::Contains(words), Error);
  }
}

TEST_CASE(
    "image features: a kernel that copies, strides that skip, windows that keep the largest") {
  Json document = structure("fm-cnn2d", knobs({{"act", "identity"}}));
  Array copy({1, 1, 2, 2});
  copy.data = {1, 0, 0, 1};
  parameter(document, "kernel") = to_json(copy);
  parameter(document, "b") = to_json(Array({2}));
  const Array x = input(document, "x");  // [8 9 2]
  CHECK(near(run_json(document).outputs.at("output"), x));
  document["mechanism"]["stride"] = 3;
  const Array skipped = run_json(document).outputs.at("output");
  REQUIRE(skipped.shape == Shape{3, 3, 2});
  CHECK(std::abs(skipped(2, 1, 1) - x(6, 3, 1)) < tolerance);
  document["mechanism"]["stride"] = 1;
  document["mechanism"]["pool"] = 4;
  const Ran pooled = run_json(document);
  REQUIRE(pooled.outputs.at("output").shape == Shape{2, 2, 2});
  CHECK(pooled.outputs.at("rows").shape == Shape{4, 2});
  double largest = -1e300;
  for (std::size_t i = 4; i < 8; ++i)
    for (std::size_t j = 0; j < 4; ++j) largest = std::max(largest, x(i, j, 1));
  CHECK(std::abs(pooled.outputs.at("output")(1, 0, 1) - largest) < tolerance);
  document["mechanism"]["pool"] = 9;
  CHECK_THROWS_WITH_AS((void)run_json(document), doctest::Contains("larger than"), Error);
}

TEST_CASE("modules for images read one pixel, grey ones, and refuse what is no image") {
  for (const char* id : gates) {
    CAPTURE(id);
    Json document = example_document(*find_mechanism(Kind::structure, id));
    document["inputs"]["image"] = to_json(Array({1, 1, 2}, .5));
    CHECK(run_json(document).outputs.at("output").shape == Shape{1, 1, 2});
    document["inputs"]["image"] = to_json(Array({3, 4}, .5));
    CHECK(run_json(document).outputs.at("output").shape == Shape{3, 4, 1});
    document["inputs"]["image"] = to_json(Array({4}, .5));
    CHECK_THROWS_AS((void)run_json(document), Error);
  }
}

TEST_CASE("object queries: other order, other order of answers") {
  Json document = structure("detr-queries");
  const Ran before = run_json(document);
  parameter(document, "q") = to_json(rotated_rows(before.parameters.at("structure.q"), 1));
  CHECK(near(run_json(document).outputs.at("context"),
             rotated_rows(before.outputs.at("context"), 1)));
}

TEST_CASE("a glimpse as large as the image, at its middle, is the image") {
  Json document = structure("ram-glimpse", knobs({{"k", 1}, {"g", 6}}));
  document["inputs"]["image"] = to_json(Array({6, 6}, .25));
  Array image({6, 6});
  for (std::size_t i = 0; i < 36; ++i) image.data[i] = static_cast<double>(i);
  document["inputs"]["image"] = to_json(image);
  Array location({2});
  location.data = {.2, .2};  // (.2 + 1) / 2 * 5 = 3: the crop begins at 0
  parameter(document, "location") = to_json(location);
  CHECK(near(reshaped(run_json(document).outputs.at("output"), {6, 6}), image));
}

TEST_CASE("four terms: each switched on alone, with all parameters given, adds up to all of them") {
  const Json all = structure("spatial-generalized");
  Array sum({12, 12});
  for (std::size_t term = 0; term < 4; ++term) {
    Json one = all;
    Json terms = {false, false, false, false};
    terms[term] = true;
    one["mechanism"]["terms"] = terms;
    const Array scores = run_json(one).outputs.at("scores");
    for (std::size_t i = 0; i < sum.data.size(); ++i) sum.data[i] += scores.data[i];
  }
  CHECK(near(run_json(all).outputs.at("scores"), sum));
  Json wrong = all;
  wrong["mechanism"]["terms"] = {true, false};
  CHECK_THROWS_WITH_AS((void)run_json(wrong), doctest::Contains("four switches"), Error);
  wrong["mechanism"]["terms"] = {false, false, false, false};
  CHECK_THROWS_WITH_AS((void)run_json(wrong), doctest::Contains("at least one"), Error);
}

}  // namespace attend::testing::vision_test
