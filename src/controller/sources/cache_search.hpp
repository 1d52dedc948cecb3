// SPDX-License-Identifier: Apache-2.0
// Searches a cache by selectors and indexes.
#pragma once

#include <pintle/cache/cache_list_options.hpp>
#include <pintle/cache/informer.hpp>

namespace pintle {

// Returns the objects in the cache of an informer that the options select and, unless `owner` is empty, that this index
// of owners selects. Error: invalid for a malformed selector, and for an index that the cache does not have.
[[nodiscard]] Result<ObjectRange> search_cache(const Informer& informer, const CacheListOptions& options,
                                               const IndexQuery& owner = {});

// Selects objects that are not in a cache. `indexed` has the declared indexes of the kind; its cache is not read.
// Error: invalid for an index that it does not have either.
[[nodiscard]] Result<ObjectRange> select_by_index(const GroupVersionKind& kind, ObjectRange range,
                                                  const IndexQuery& query, const Informer* indexed);

}  // namespace pintle
