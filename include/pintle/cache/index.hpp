// SPDX-License-Identifier: Apache-2.0
// Index: finds the cached objects of one kind by values that a function derives from them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

/// Returns the values under which an index lists an object: none, one or several. It must be a pure function: equal
/// objects give equal values. It must not block or call the client. It runs on the I/O thread, on threads that write,
/// and on threads that read by the index, so several threads may call it at the same time. If it throws, or if it
/// returns more than max_index_values, the object stays in the cache but not in the index; this is logged and counted
/// (pintle_index_errors_total).
using IndexFunction = std::function<std::vector<std::string>(const Object&)>;

inline constexpr std::size_t max_index_values = 1000;

/// The declaration of an index.
///   .indexes = {Index{.kind = Pod::type, .name = "node", .keys = [](const Object& pod) {
///     return std::vector{std::string(pod["/spec/nodeName"].text())}; }}}
struct Index {
  GroupVersionKind kind{};  ///< default: the kind that the controller watches
  std::string name{};       ///< unique among the indexes of the kind; must not begin with "pintle:"
  IndexFunction keys{};
};

/// Selects the objects that an index lists under a value. `name` is the name of a declared index. The functions below
/// select built-in indexes, which need no declaration; the cache builds them when they are first used.
struct IndexQuery {
  std::string name{};
  std::string value{};

  [[nodiscard]] bool empty() const noexcept { return name.empty(); }
};

/// The names of the built-in indexes. The name of the index of a label is label_index_prefix followed by the key of the
/// label.
inline constexpr std::string_view controller_index = "pintle:controller";
inline constexpr std::string_view owner_index = "pintle:owner";
inline constexpr std::string_view label_index_prefix = "pintle:label:";

/// The objects whose controller reference has this uid.
[[nodiscard]] inline IndexQuery by_controller(std::string_view uid) {
  return {std::string(controller_index), std::string(uid)};
}
/// The objects with any owner reference that has this uid.
[[nodiscard]] inline IndexQuery by_owner(std::string_view uid) { return {std::string(owner_index), std::string(uid)}; }
/// The objects whose label `key` has this value.
[[nodiscard]] inline IndexQuery by_label(std::string_view key, std::string_view value) {
  return {std::string(label_index_prefix).append(key), std::string(value)};
}

}  // namespace pintle
