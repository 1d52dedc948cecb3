// SPDX-License-Identifier: Apache-2.0
// RecentTexts: documents that were read a moment ago and are expected again with the same text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <pintle/base/mutex.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/reader.hpp>

namespace pintle::json {

// Describes a projection: documents of equal texts are equal only if their projections are.
[[nodiscard]] inline std::string form_of(const Projection& projection) {
  std::string form;
  for (const std::string& path : projection.keep) form.append("+").append(path).append("\n");
  for (const std::string& path : projection.drop) form.append("-").append(path).append("\n");
  return form;
}

// Keeps the last 64 documents, with at most 128 KiB of text, each until it is taken. Thread-safe.
class RecentTexts {
 public:
  // `text`: one JSON object, without a blank around it.
  void add(std::string_view text, const std::string& form, const Document& document) {
    if (text.size() > max_size || !text.starts_with('{') || !text.ends_with('}')) return;
    const MutexLock lock(mutex_);
    recent_.push_back({std::string(text), form, document});
    size_ += text.size();
    while (recent_.size() > most || size_ > max_size) erase(recent_.begin());
  }

  struct Found {
    std::size_t size = 0;  // of the text
    Document document{};
  };
  // Takes the document with whose text these bytes begin. The end of an object is the same whatever follows. Searches
  // the oldest first, because the texts are expected in the order in which they were read.
  [[nodiscard]] std::optional<Found> take(std::string_view bytes, const std::string& form) {
    const MutexLock lock(mutex_);
    const auto found = std::find_if(recent_.begin(), recent_.end(), [&](const Recent& one) {
      const std::size_t size = one.text.size();
      return size <= bytes.size() && bytes[size - 1] == '}' && std::memcmp(bytes.data(), one.text.data(), size) == 0 &&
             one.form == form;
    });
    if (found == recent_.end()) return {};
    Found taken{found->text.size(), std::move(found->document)};
    erase(found);
    return taken;
  }
  void clear() {
    const MutexLock lock(mutex_);
    recent_.clear();
    size_ = 0;
  }

 private:
  struct Recent {
    std::string text{};
    std::string form{};
    Document document{};
  };
  static constexpr std::size_t most = 64;
  static constexpr std::size_t max_size = std::size_t{128} << 10U;  // bytes of all texts

  void erase(std::deque<Recent>::iterator at) PINTLE_REQUIRES(mutex_) {
    size_ -= at->text.size();
    recent_.erase(at);
  }

  Mutex mutex_;  // not the lock of the pool, which is held while documents are built
  std::deque<Recent> recent_ PINTLE_GUARDED_BY(mutex_);
  std::size_t size_ PINTLE_GUARDED_BY(mutex_) = 0;
};

}  // namespace pintle::json
