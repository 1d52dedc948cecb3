// SPDX-License-Identifier: Apache-2.0
// Selection: the objects that a list, watch or delete selects, and its read options.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/object/selector.hpp>

#include "../storage/storage.hpp"
#include "apiserver/call/call.hpp"
#include "apiserver/objects/write.hpp"

namespace pintle::apiserver {

// A requirement on one field.
struct FieldSelection {
  std::string pointer{};   // a JSON pointer into the stored object
  std::string fallback{};  // the value if nothing is stored
  std::string value{};
  bool equal = true;
  std::string other_pointer{};  // as in SelectableField
};

// A selection by labels and fields. A plain value, valid as long as its resource.
class Selection {
 public:
  // Reads ?labelSelector and ?fieldSelector. 400: malformed, or a field that the kind does not offer.
  [[nodiscard]] static StatusOr<Selection> of(const Call& call);

  [[nodiscard]] bool matches(const Object& stored) const;
  [[nodiscard]] bool everything() const noexcept { return labels_.empty() && fields_.empty(); }

 private:
  LabelSelector labels_;
  std::vector<FieldSelection> fields_;
};

// The query parameters ?resourceVersion, ?resourceVersionMatch, ?continue, ?limit, ?timeoutSeconds and
// ?sendInitialEvents.
struct ReadOptions {
  enum class Match { unset, exact, not_older_than } match = Match::unset;
  std::string version{};
  std::string next{};  // ?continue
  std::size_t limit = 0;
  std::optional<std::int64_t> timeout{};  // seconds; only a watch ends after it
  bool sends_initial_events = false;
  bool wants_initial_events = false;  // ?sendInitialEvents is set, to any value

  // 400: a number cannot be read. 422: an invalid combination.
  [[nodiscard]] static StatusOr<ReadOptions> of(const Call& call, bool watches);
};

// The content of a continue token.
struct PageToken {
  Version version = 0;  // 0: the newest, after the version of the first page has expired
  std::string after{};
  std::size_t seen = 0;  // number of objects in the earlier pages

  [[nodiscard]] std::string encode() const;
  [[nodiscard]] static std::optional<PageToken> decode(std::string_view text);
};

// The messages of kube-apiserver about query parameters that are no version and no continue token.
[[nodiscard]] std::string version_error(std::string_view text);
[[nodiscard]] std::string token_error(std::string_view text);

}  // namespace pintle::apiserver
