// SPDX-License-Identifier: Apache-2.0
// ListMode: how a cache reads all objects.
#pragma once

namespace pintle {

/// How all objects are read, at first and when the cache has to be replaced.
enum class ListMode {
  paged,  ///< by a list in pages, then a watch from its version
  /// By a watch that begins with the existing objects (WatchList); if that fails, by a list in pages. If the server
  /// does not support such watches, only lists in pages are used for the next 24 hours.
  streaming,
};

}  // namespace pintle
