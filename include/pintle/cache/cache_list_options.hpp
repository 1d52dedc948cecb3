// SPDX-License-Identifier: Apache-2.0
// CacheListOptions: selects objects of a cache.
#pragma once

#include <string>

#include <pintle/cache/index.hpp>

namespace pintle {

/// An object is selected if all members select it.
struct CacheListOptions {
  std::string namespace_{};  ///< empty: all namespaces
  /// A requirement that a label equals one value uses an index; see Store::find(). If there are several, the index of
  /// the requirement that the fewest objects satisfy is used.
  std::string label_selector{};
  std::string field_selector{};
  IndexQuery index{};  ///< empty: any object
};

}  // namespace pintle
