// SPDX-License-Identifier: Apache-2.0
// MessageTypes: the protobuf messages of kinds, with which a Reader also parses Kubernetes protobuf.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result_fwd.hpp>
#include <pintle/json/fwd.hpp>

namespace pintle::json {

/// The members of a message, as text: one line for each, "number name type", in ascending order of the numbers. Marks
/// may follow: "omit" if JSON leaves out a zero or an empty text, "null" if JSON contains null for a member that the
/// message does not contain, "kind" if the member contains messages that have apiVersion and kind in JSON, and "union"
/// if JSON contains, instead of the message, the value of its last member that is set. The name "-" stands for a
/// message whose members are, in JSON, members of the surrounding message.
///
/// A type is string, int, bool, double, bytes, time, microtime, quantity, int-or-string, json, the name of another
/// message, []T for a list, or {}T for a map. The T of a map may be "list": a message that contains a list of texts.
struct MessageFacts {
  std::string_view name{};  ///< "apps.v1.DeploymentSpec"
  std::string_view fields{};
};

/// The messages of an API group: the message of a kind is "package.version.Kind".
struct MessagePackage {
  std::string_view group{};    ///< "rbac.authorization.k8s.io"; "" for the core group
  std::string_view package{};  ///< "rbac"
};

/// Immutable and thread-safe. The texts of the facts must outlive it.
class PINTLE_EXPORT MessageTypes {
 public:
  struct Message;
  enum class Form : std::uint8_t {
    message,
    string,
    integer,
    boolean,
    real,
    bytes,
    time,
    micro_time,
    quantity,
    int_or_string,
    json,
    texts,
    union_
  };
  struct Field {
    std::string_view name{};
    const Message* message = nullptr;  ///< of the forms message and union_
    std::uint32_t number = 0;
    Form form{};
    bool is_list = false;
    bool is_map = false;
    bool is_inline = false;
    bool omits_empty = false;
    bool is_null_if_absent = false;
    bool has_kind = false;
  };
  struct Message {
    std::string_view name{};
    std::string_view api_version{};  ///< "v1"; valid only for core kinds; written to JSON for a field with has_kind
    std::string_view kind{};
    std::span<const Field> fields{};  ///< in ascending order of the numbers
  };

  /// Members of an unknown type are left out, so that a message which contains them is reported as unsupported.
  MessageTypes(std::span<const MessageFacts> facts, std::span<const MessagePackage> packages);
  ~MessageTypes();
  MessageTypes(const MessageTypes&) = delete;
  MessageTypes& operator=(const MessageTypes&) = delete;

  /// Returns null if there is no such message.
  [[nodiscard]] const Message* find(std::string_view name) const noexcept;
  /// Returns the message of a kind: ("apps/v1", "Deployment"); null if there is none. Status, DeleteOptions and
  /// PartialObjectMetadata belong to all groups.
  [[nodiscard]] const Message* find_kind(std::string_view api_version, std::string_view kind) const;

 private:
  std::map<std::string_view, Message> messages_;
  std::vector<Field> fields_;
  std::span<const MessagePackage> packages_;
};

/// Parses an object or a list in Kubernetes protobuf as the JSON that it represents. Errors: unsupported for a kind or
/// a member that is not in `messages`, invalid for malformed bytes.
[[nodiscard]] PINTLE_EXPORT Result<Value> parse_protobuf(std::string_view bytes, const MessageTypes& messages);

}  // namespace pintle::json
