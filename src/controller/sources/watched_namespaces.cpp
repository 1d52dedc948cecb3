// SPDX-License-Identifier: Apache-2.0
#include "watched_namespaces.hpp"

#include <set>

#include <pintle/object/names.hpp>

namespace pintle {

WatchedNamespaces narrowed(const WatchedNamespaces& home, const WatchedNamespaces& own) {
  if (own.empty()) return home;
  if (own.selector.empty() || home.selector.empty()) return own;
  return {.selector = home.selector + "," + own.selector};
}

std::optional<Error> validate_namespaces(const std::vector<std::string>& names) {
  std::set<std::string> known;
  for (const std::string& name : names) {
    if (name.empty()) {
      return make_error(ErrorCode::invalid,
                        "the name of a namespace is empty; remove it, or name no namespace to watch all");
    }
    if (auto wrong = names::validate_dns1123_label(name)) {
      return make_error(ErrorCode::invalid, "\"" + name + "\" is not the name of a namespace: it " + *wrong);
    }
    if (!known.insert(name).second) {
      return make_error(ErrorCode::invalid, "namespace " + name + " is there twice; remove one");
    }
  }
  return std::nullopt;
}

}  // namespace pintle
