// SPDX-License-Identifier: Apache-2.0
// SubHandlers: independent parts of one reconcile, each with its own progress and retries.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/backoff.hpp>
#include <pintle/controller/context.hpp>
#include <pintle/controller/outcome.hpp>

namespace pintle {

struct SubHandlerOptions {
  Backoff backoff{.base = std::chrono::seconds(1), .factor = 2, .cap = std::chrono::minutes(5), .jitter = 0.2};
  std::optional<unsigned> max_retries{};  ///< after this many retries, a failure is permanent; default: no limit
  Duration timeout{};                     ///< from the first call; a failure after it is permanent; 0: none
};

struct SubHandlersOptions {
  /// Distinguishes several sets of one controller, for example "delete" in `finalize`. Letters, digits, "-", "_", ".".
  std::string name{};
  /// Identifies the input of the sub-handlers. With another version, all of them run again. Default:
  /// metadata.generation or, for kinds without it, a hash of the object without metadata and status.
  std::string version{};
};

/// Runs functions that a reconcile function chooses at run time, such as one for each user in a list. While
/// SubHandlersOptions::version is the same, a function that has succeeded is not called again, neither in a retry nor
/// after a restart of the operator. Only those that failed are retried, each with its own back-off. The reconcile is
/// done when all of them are.
///   SubHandlers users(ctx);
///   for (const std::string& user : database.spec.users) users.add(user, [&](Context&) { return create_user(user); });
///   return users.run();
///
/// The progress is an annotation of the reconciled object, "pintle.dev/progress.<manager>.<controller>". It is written
/// at the end of run(). If a second has passed since the last write, it is also written before the next function is
/// called. A function whose progress was not written, because the process ended or the write failed, is called once
/// more. This requires the permission to patch the object.
///
/// A failure of one function does not prevent the calls of the others. Exceptions count as failures. A terminal error
/// is permanent. A plain value for one reconcile; not thread-safe.
class PINTLE_EXPORT SubHandlers {
 public:
  static constexpr std::size_t max_count = 500;
  static constexpr std::size_t max_id_length = 100;

  /// `done`: it is not called again. A failure or `requeue`: called again after the back-off of the sub-handler, and
  /// not before Error::retry_after. A delay: called again after that time; this is not counted as a retry.
  using Function = std::function<Outcome(Context&)>;

  /// The context must outlive this object.
  explicit SubHandlers(Context& context, SubHandlersOptions options = {});

  /// The functions are called in the order in which they were added. `id` must be unique in the set and the same in
  /// each reconcile.
  void add(std::string id, Function function, SubHandlerOptions options = {});

  /// Calls the functions that are due, and writes the progress. Returns `done` if all have succeeded. Otherwise, if a
  /// function waits for its next call, returns the delay until then. Otherwise returns a terminal failure with the
  /// messages of all functions that have failed permanently. Errors: invalid and terminal, if an id is empty, too long
  /// or not unique, if a function is empty, or if there are too many; `cancelled`, if a stop ended a call; those of the
  /// write.
  [[nodiscard]] Outcome run();

 private:
  struct Handler {
    std::string id{};
    Function function{};
    SubHandlerOptions options{};
  };
  struct Waiting {
    unsigned failures = 0;
    WallTime since{};  // the first call
    WallTime due{};
    Duration delay{};  // before `due`; limits the wait after the clock was set back
    std::string error{};
  };
  // By id.
  struct Progress {
    std::map<std::string, bool> done{};  // the value is always true
    std::map<std::string, std::string> failed{};
    std::map<std::string, Waiting> waiting{};
  };

  [[nodiscard]] Result<void> check() const;
  void load();
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] Result<void> save();
  // The time until a sub-handler may be called; 0 or less: now.
  [[nodiscard]] Duration remaining(const Waiting& waiting) const;
  [[nodiscard]] bool is_due(const std::string& id) const;
  void call(const Handler& handler);
  void note_failure(const Handler& handler, Waiting waiting, const Error& error);
  void drop_removed();
  [[nodiscard]] Outcome outcome() const;

  Context& context_;
  const std::string annotation_;
  const std::string version_;
  std::vector<Handler> handlers_;
  Progress progress_;
  bool is_changed_ = false;
  std::optional<Error> cancelled_;  // the call that the stop of the operator ended
};

}  // namespace pintle
