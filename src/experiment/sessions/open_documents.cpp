// SPDX-License-Identifier: Apache-2.0
#include "experiment/sessions/open_documents.h"

#include <string>

#include "ops/error.h"

namespace attend {

OpenDocuments::Handle OpenDocuments::open(std::string_view text) {
  if (open_.size() == most)
    refuse("there are " + std::to_string(most) +
           " open documents, the most allowed; close one that is no longer needed");
  auto document = std::make_unique<OpenDocument>(text);
  if (listener_) document->watch(listener_);
  open_.emplace(++last_, std::move(document));
  return last_;
}

OpenDocument& OpenDocuments::operator[](Handle handle) {
  const auto found = open_.find(handle);
  if (found != open_.end()) return *found->second;
  if (handle != 0 && handle <= last_)
    refuse("the document with the handle " + std::to_string(handle) +
           " is closed; open it again to get a new handle");
  refuse("no document has the handle " + std::to_string(handle) +
         "; open returns the handle of a document");
}

void OpenDocuments::close(Handle handle) {
  (void)(*this)[handle];
  open_.erase(handle);
}

}  // namespace attend
