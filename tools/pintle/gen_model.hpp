// SPDX-License-Identifier: Apache-2.0
// The types of `pintle gen types`: the result of reading schemas, and the input of writing C++.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace pintle::tools {

// A place in the input, for errors and warnings.
struct Place {
  std::string file{};
  std::string pointer{};  // RFC 6901

  [[nodiscard]] Place at(std::string_view token) const;
  [[nodiscard]] std::string to_string() const;  // "crd.yaml: /spec/names"
};

struct EnumType {
  std::string name{};
  bool is_open = false;                                       // unknown values are read as `unset`
  std::vector<std::pair<std::string, std::string>> values{};  // enumerator, text
};

struct MemberType {
  std::string json{};
  std::string name{};
  std::string type{};
  std::string initial = "{}";  // "{}" or " = 3"
  std::string description{};
  bool is_required = false;
  std::string merge_strategy{};      // "", "atomic", "set" or "map"
  std::vector<std::string> keys{};   // keys of a "map"
  std::vector<std::string> rules{};  // other rules, such as "minimum(1)"
};

// The facts about a kind in addition to its members.
struct KindFacts {
  std::string api_version{};
  std::string kind{};
  std::vector<std::string> facts{};  // "std::string_view plural = \"mice\""
  bool has_own_fields = false;       // there are members other than spec and status
};

// The fact of a kind whose CRD belongs to another operator. An operator that uses the type never installs the CRD.
inline constexpr const char* foreign_fact = "bool foreign = true";

struct StructType {
  std::string name{};
  std::string description{};
  std::vector<std::string> rules{};  // rules for several members: "rule(…)"
  std::optional<KindFacts> kind{};
  std::vector<EnumType> enums{};
  std::vector<StructType> structs{};
  std::vector<MemberType> members{};
  std::set<std::string> uses{};  // structs of the same header that must precede this one
};

// The group and the version of a header. `part` is empty, or the name of a header with a part of the types.
struct HeaderName {
  std::string folder{};   // "core"
  std::string version{};  // "v1"
  std::string part{};     // "small_kinds"

  [[nodiscard]] bool has_namespace_of(const HeaderName& other) const {
    return folder == other.folder && version == other.version;
  }
  // "core/v1.hpp" or "core/v1/small_kinds.hpp"
  [[nodiscard]] std::string path() const { return folder + "/" + version + (part.empty() ? "" : "/" + part) + ".hpp"; }

  friend auto operator<=>(const HeaderName&, const HeaderName&) = default;
};

struct Header {
  std::set<HeaderName> headers{};    // other generated headers that it uses
  std::set<std::string> includes{};  // "vector", "pintle/object/bytes.hpp"
  std::set<std::string> forwards{};  // structs with a forward declaration
  std::map<std::string, StructType> structs{};
};

using Headers = std::map<HeaderName, Header>;

}  // namespace pintle::tools
