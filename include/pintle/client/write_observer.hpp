// WriteObserver: is told what a client's writes came to, so that a local copy can show them before the watch does.
#pragma once

#include <optional>
#include <string_view>

#include <pintle/base/result.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// Called on the thread that writes, before the write is answered to its caller; must not wait. Several threads may call
// at once. Dry runs are not told.
class WriteObserver {
 public:
  virtual ~WriteObserver() = default;
  // The object in the answer to a write, read as the observer keeps it, where that is all of it but managedFields: then
  // the writer is answered with that. Asked only while there is no other observer of the kind. Nothing: it is read for
  // the writer alone. Error: invalid, for what is no object.
  virtual std::optional<Result<Object>> read(std::string_view answer) {
    (void)answer;
    return {};
  }
  // The object as the observer has it, asked before a write of it is sent. None: it does not have it.
  virtual Object known(const ObjectKey& key) const {
    (void)key;
    return {};
  }
  // The server holds this after a write. One that is being deleted and that nothing holds any more is gone. `from`: the
  // version that the write was for alone and made this of, "" for a create; none when something of others may lie
  // between (docs/internals/writing.md, "Only a write for one version excludes others"). `made_it`: the write made the
  // version of the answer. False for a deletion, and for a write that changed nothing, whose answer has the version of
  // an earlier write. A write that is for no version alone counts as one that changed nothing if what it sent was there
  // already when it was sent.
  virtual void on_written(const Object& answer, std::optional<std::string_view> from, bool made_it) = 0;
  // The object of this uid is gone, by a delete.
  virtual void on_removed(const ObjectKey& key, std::string_view uid) = 0;
  // A create whose name the server was to choose has no answer that says whether it was done.
  virtual void on_create_in_doubt() = 0;
  // Another copy of objects of this server has found that it was set back, or that it is another one.
  virtual void on_set_back() {}
};

}  // namespace pintle
