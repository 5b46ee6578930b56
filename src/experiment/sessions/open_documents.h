// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "experiment/sessions/open_document.h"

namespace attend {

// The documents that are open, each by its handle. A handle is never given twice.
class OpenDocuments {
 public:
  using Handle = std::size_t;
  static constexpr std::size_t most = 64;

  // Throws Error for a document that is refused; then nothing is open.
  Handle open(std::string_view text);
  // Throws Error for a handle that is closed, or that was never given.
  OpenDocument& operator[](Handle handle);
  void close(Handle handle);
  // Has the listener hear how far every long evaluation of a document opened from now on is.
  void watch(Progress::Listener listener) { listener_ = std::move(listener); }

 private:
  std::map<Handle, std::unique_ptr<OpenDocument>> open_;
  Handle last_ = 0;
  Progress::Listener listener_;
};

}  // namespace attend
