// SPDX-License-Identifier: Apache-2.0
// Reader: parses documents from text that arrives in chunks.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/pool.hpp>
#include <pintle/json/projection.hpp>

namespace pintle::json {

struct ReaderOptions {
  Pool* pool = nullptr;
  bool strict = false;  ///< true: a duplicate member is an error; false: its last value is used
  /// Names a member of the root object: "items" for a list, "object" for a watch event. If this member is an array,
  /// each object or array in it becomes a separate document, called a part, and scalars in it are ignored. If it is an
  /// object, it becomes the only part. `pool`, `defaults`, `overrides` and `projection` then apply to the parts, and
  /// the member is an empty array or object in the root document. If `parts` is "", the whole text is one document.
  std::string parts{};
  std::function<void(Document)> on_part{};
  /// String members that are added to each part that does not have them.
  std::vector<std::pair<std::string, std::string>> defaults{};
  /// String members that are set in each part, whether or not it has them. Must not be combined with `strict`.
  std::vector<std::pair<std::string, std::string>> overrides{};
  Projection projection{};
  /// The maximum number of bytes since the start of the text, or since the end of the last part. If more bytes arrive,
  /// add() returns an error. Without this limit, a peer that never ends a document could exhaust the memory.
  std::size_t max_document_size = std::size_t{256} << 20U;
  /// If set, a text may also be Kubernetes protobuf (`application/vnd.kubernetes.protobuf`) with these messages, which
  /// must outlive the reader. The first byte distinguishes the two forms. The documents are the same as those from the
  /// JSON of these objects. Error: unsupported, if protobuf contains a kind or a member that is not among the messages.
  const MessageTypes* messages = nullptr;
};

/// Accepts chunks of any size, cut at any byte. A reader buffers at most one string, number or literal of the text, for
/// example if a chunk ends inside it. Not thread-safe.
class PINTLE_EXPORT Reader {
 public:
  explicit Reader(ReaderOptions options = {});
  ~Reader();
  Reader(Reader&&) noexcept;
  Reader& operator=(Reader&&) noexcept;

  /// Parses the next chunk and calls `on_part` for each complete part. Error: invalid, with the byte offset from the
  /// start of the text. After an error, the rest of the text is ignored until finish().
  [[nodiscard]] Result<void> add(std::string_view bytes);
  /// Ends the text and returns the root document. Error: invalid, if the text is incomplete or add() failed. The next
  /// add() begins a new text.
  [[nodiscard]] Result<Document> finish();

 private:
  class Inner;
  std::unique_ptr<Inner> inner_;
};

/// Returns the parts of a view that the projection keeps. Error: invalid, if a path is not a JSON pointer.
[[nodiscard]] PINTLE_EXPORT Result<Document> project(View view, const Projection& projection, Pool* pool = nullptr);

}  // namespace pintle::json
