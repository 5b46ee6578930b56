// SPDX-License-Identifier: Apache-2.0
// What the commands say with the catalogue's words, which the page's module does without: a file of
// its own, so that the module takes nothing of it.
#include "evaluation/measure.h"
#include "experiment/describing/describe.h"
#include "experiment/describing/systems.h"
#include "experiment/exporting/modules.h"
#include "experiment/exporting/programs.h"
#include "experiment/measuring/measuring.h"
#include "experiment/service.h"
#include "experiment/text/words.h"

namespace attend {

std::string catalogue_text() { return describe_catalogue().dump(); }

std::string taxonomy_text(std::string_view document) {
  const Document read = read_document(document);
  return Json{{"coordinates", worded_coordinates(read)}, {"systems", systems_like(read)}}.dump();
}

std::string document_of(const std::string& id) {
  for (const Json& system : all_systems()) {
    if (system["id"] == id) return system["document"].dump();
  }
  return example_text(id);
}

Heading heading_of(const Mechanism& mechanism) {
  const Json& words = words_of(mechanism.id);
  const Json source = source_of(words);
  std::string text = source.at("authors").get<std::string>() + " " + source.at("year").dump();
  for (const char* const name : {"where", "link"}) {
    const auto part = source.at(name).get<std::string>();
    if (!part.empty()) text += ", " + part;
  }
  return {words.at("title").get<std::string>(), words.at("formula").get<std::string>(), text};
}

Heading worded_heading(const std::string& id) {
  for (const Mechanism* one : all_mechanisms())
    if (one->id == id) return heading_of(*one);
  return {};
}

std::string export_document(std::string_view document, const std::string& format) {
  const Compiled compiled = compile(read_document(document));
  // A model of named modules is none of them.
  if (!compiled.document().modules.front().name.empty())
    return export_program(compiled, format, {});
  const Choice& whole = compiled.document().mechanism();
  // The general module is called after its core; a layer that holds one has a name of its own.
  const Choice* core = whole.mechanism == &general_module() ? whole.in("core") : nullptr;
  const Mechanism& heading = *(core == nullptr ? whole : *core).mechanism;
  return export_program(compiled, format, heading_of(heading));
}

std::string measure_text(std::string_view measurement) {
  Json answer = answer_measurement(parse_json(measurement));
  const auto add_words = [](Json& one) {
    const Json& words = words_of_measure(find_measure(one["measure"].get<std::string>())->id);
    one["title"] = words.at("title");
    one["tells"] = words.at("tells");
  };
  if (answer.is_array()) {
    for (Json& one : answer) add_words(one);
  } else {
    add_words(answer);
  }
  return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace attend
