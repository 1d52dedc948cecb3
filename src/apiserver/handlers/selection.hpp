// Selection: which objects of a resource a list, watch or delete is about, and how it is asked to read.
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

// What a field must be or must not be.
struct FieldSelection {
  std::string pointer{};   // into the stored object
  std::string fallback{};  // what counts where nothing is stored
  std::string value{};
  bool equal = true;
};

// By labels and fields. A plain value; valid while its resource is.
class Selection {
 public:
  // From ?labelSelector and ?fieldSelector. 400 for one that is malformed or names a field the kind does not have.
  [[nodiscard]] static Answer<Selection> of(const Call& call);

  [[nodiscard]] bool matches(const Object& stored) const;
  [[nodiscard]] bool everything() const noexcept { return labels_.empty() && fields_.empty(); }

 private:
  LabelSelector labels_;
  std::vector<FieldSelection> fields_;
};

// What ?resourceVersion and its companions say.
struct ReadOptions {
  enum class Match { unset, exact, not_older_than } match = Match::unset;
  std::string version{};
  std::string next{};  // ?continue
  std::size_t limit = 0;
  bool sends_initial_events = false;
  bool wants_initial_events = false;  // whether ?sendInitialEvents was said at all

  // 422 for a combination that makes no sense.
  [[nodiscard]] static Answer<ReadOptions> of(const Call& call, bool watches);
};

// A continue token, taken apart.
struct PageToken {
  Version version = 0;  // 0: of the newest version, after the one it began with has expired
  std::string after{};
  std::size_t seen = 0;  // how many objects the pages before had

  [[nodiscard]] std::string encode() const;
  [[nodiscard]] static std::optional<PageToken> decode(std::string_view text);
};

}  // namespace pintle::apiserver
