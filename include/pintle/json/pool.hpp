// SPDX-License-Identifier: Apache-2.0
// Pool: the storage of the parts that documents share. This reduces the memory of a cache of similar objects to a
// fraction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <pintle/base/annotations.hpp>
#include <pintle/base/mutex.hpp>

namespace pintle::json {

/// The parts that a pool stores once. Each level includes the levels before it.
enum class Sharing {
  keys,      ///< the names of members
  shapes,    ///< lists of member names, which the objects of one kind share
  strings,   ///< strings that several objects contain
  subtrees,  ///< objects and arrays that are equal
};

struct PoolOptions {
  Sharing sharing = Sharing::subtrees;
};

struct PoolStats {
  std::size_t documents = 0;  ///< in use, or released and not yet freed
  std::size_t texts = 0;
  std::size_t shapes = 0;
  std::size_t subtrees = 0;
  std::size_t bytes = 0;  ///< memory of the shared parts, without the documents
};

class SharedParts;

/// A document of a pool refers to shared parts by number. The release of a document takes no lock: it only adds the
/// document to a list. The next construction of a document, or collect(), frees the documents of that list, and the
/// parts that no other document uses. Documents may outlive their pool; the shared parts then live until the last
/// document is freed. Reads and comparisons do not depend on the pool of a document. Thread-safe; a lock serialises the
/// construction of its documents.
class PINTLE_EXPORT Pool {
 public:
  explicit Pool(Executor& executor, PoolOptions options = {});
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Frees released documents and their unused parts. Call it when no documents are constructed for some time.
  void collect();
  [[nodiscard]] PoolStats stats() const;

 private:
  friend class Builder;
  friend class Document;
  struct Closing {
    void operator()(SharedParts* parts) const;
  };

  const std::uint64_t seed_;  // for hashes
  mutable Mutex mutex_;
  const std::unique_ptr<SharedParts, Closing> parts_ PINTLE_PT_GUARDED_BY(mutex_);
};

}  // namespace pintle::json
