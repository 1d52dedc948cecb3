// Pool: what documents share, so that a cache of alike objects takes a fraction of the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <pintle/base/mutex.hpp>

namespace pintle::json {

// What is kept once; each level has those before it.
enum class Sharing {
  keys,      // the names of members
  shapes,    // lists of names, as objects of one kind have them
  strings,   // texts that several objects have
  subtrees,  // objects and lists that are equal
};

struct PoolOptions {
  Sharing sharing = Sharing::subtrees;
};

struct PoolStats {
  std::size_t documents = 0;  // alive, or released and not yet taken in
  std::size_t texts = 0;
  std::size_t shapes = 0;
  std::size_t subtrees = 0;
  std::size_t bytes = 0;  // of what is shared, without the documents
};

class SharedParts;

// Documents built in a pool hold numbers in place of what others hold as well. What no document uses any more is given
// back: documents that were released are put on a list without a lock, and the next one that is built, or collect(),
// takes them in. Documents may outlive their pool; what they share lives as long as the last of them. Equality and all
// reads are the same whatever the pool. Thread-safe; one document is built at a time.
class Pool {
 public:
  explicit Pool(Runtime& runtime, PoolOptions options = {});
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Gives back what released documents held. For a time when nothing is built.
  void collect();
  [[nodiscard]] PoolStats stats() const;

 private:
  friend class Builder;
  friend class Document;
  struct Closing {
    void operator()(SharedParts* parts) const;
  };

  const std::uint64_t seed_;  // of hashes
  mutable Mutex mutex_;
  const std::unique_ptr<SharedParts, Closing> parts_ PINTLE_PT_GUARDED_BY(mutex_);
};

}  // namespace pintle::json
