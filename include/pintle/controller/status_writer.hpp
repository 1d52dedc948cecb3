// SPDX-License-Identifier: Apache-2.0
// StatusDraft and StatusWriter: the status changes of one reconcile are collected while it runs and written once when
// it ends.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/client/client.hpp>
#include <pintle/controller/outcome.hpp>
#include <pintle/object/condition.hpp>
#include <pintle/object/described.hpp>

namespace pintle {

/// The status changes of one reconcile, relative to the status that the object had. Only these changes are written: all
/// other members and conditions on the server stay as they are. If a change is invalid, flush() returns its error, and
/// the other changes are still written. Nothing is sent before flush(). Not thread-safe; a draft belongs to one
/// reconcile.
class PINTLE_EXPORT StatusDraft {
 public:
  /// `clock` must outlive the draft.
  StatusDraft(Object object, const Clock& clock);

  /// Sets the status to the value of a struct. Members that differ are changed. Members that the struct type declares
  /// and the value leaves out are removed; members that the type does not declare stay. Conditions that differ are set;
  /// no condition is removed.
  template <HasFields S>
  void set(const S& status) {
    const S known = readable<S>();
    set_known(internal::Operations<S>::write(&known), internal::Operations<S>::write(&status));
  }
  /// Sets one member by its JSON pointer below status: set("/phase", "Ready"). Null removes it. "/conditions" takes a
  /// list, which is handled like the conditions of a struct. A pointer below "/conditions" is invalid; use
  /// set_condition() instead.
  void set(std::string_view pointer, json::Value value);
  template <std::convertible_to<std::string_view> Text>
    requires(!std::same_as<Text, std::nullptr_t>)
  void set(std::string_view pointer, const Text& text) {
    set(pointer, json::Value(std::string_view(text)));
  }
  /// The value may have the type of any member of a described struct, such as an enumeration, a list or a struct.
  template <class Member>
    requires(!std::constructible_from<json::Value, const Member&> && !std::convertible_to<Member, std::string_view>)
  void set(std::string_view pointer, const Member& value) {
    set(pointer, internal::Operations<Member>::write(&value));
  }
  /// Calls the function with the status as a struct, and sets the status to the result. If the status cannot be
  /// decoded, the function is not called, and flush() returns the error.
  ///
  ///   context.status().edit<Status>([](auto& status) { ++status.restarts; });
  template <HasFields S, std::invocable<S&> Function>
  void edit(Function&& function) {
    Result<S> status = as<S>();
    if (!status) return keep(std::move(status.error()));
    std::forward<Function>(function)(*status);
    set(*status);
  }
  void remove(std::string_view pointer) { set(pointer, nullptr); }
  /// Sets one condition. lastTransitionTime changes only if the status of the condition changes, see
  /// pintle::set_condition(). observedGeneration is set to generation().
  void set_condition(StatusCondition condition);
  /// Sets a condition of a custom type: a struct with a member `type`, which is its list_map_key, and a member
  /// `status`. Members that the value leaves out are removed. The values are not checked before the write; the server
  /// checks them against the schema of the kind.
  template <HasFields C>
    requires(C::list_map_key == std::string_view("type"))
  void set_condition(const C& condition) {
    json::object value = internal::Operations<C>::write(&condition).as_object();
    for (const internal::Member& member : internal::members_of<C>) value.emplace(member.name, nullptr);
    set_condition_value(std::move(value));
  }
  void remove_condition(std::string_view type);

  /// metadata.generation of the version that the reconcile works on. Conditions get it as observedGeneration.
  [[nodiscard]] std::int64_t generation() const noexcept { return generation_; }
  /// Returns the status with the changes; null if there is no status.
  [[nodiscard]] json::Value value() const;
  /// Returns the status with the changes as a struct. Error: invalid, if it cannot be decoded.
  template <HasFields S>
  [[nodiscard]] Result<S> as() const {
    S status{};
    internal::Reading reading;
    if (!read(internal::ValueTypeOf<S>::value, &status, reading)) return fail(reading.error());
    return status;
  }
  /// The newest known version of the object, to which the changes will be applied.
  [[nodiscard]] const Object& object() const noexcept { return base_; }
  /// Returns whether a flush found that the object no longer exists, or that another object has its name.
  [[nodiscard]] bool is_gone() const noexcept { return is_gone_; }
  /// The error of the first invalid change, which flush() returns.
  [[nodiscard]] const std::optional<Error>& error() const noexcept { return error_; }
  /// Returns whether there is neither a change to write nor an error to return.
  [[nodiscard]] bool empty() const noexcept { return changes_.empty() && !error_; }

  /// Call it after another write of the same reconcile, with the result of that write. The flush then starts from this
  /// version and does not conflict with that write. An object with another uid is ignored.
  void rebase(const Object& newer);
  /// Like rebase(), and the reconcile continues with this version: conditions that are not written yet get its
  /// generation as observedGeneration.
  void set_observed_object(const Object& newer);

 private:
  friend class StatusWriter;

  struct Change {
    enum class Kind { set, remove, condition, remove_condition };
    Kind kind;
    std::string where;  // a JSON pointer, or the type of a condition
    json::Value value{};
  };

  template <HasFields S>
  [[nodiscard]] S readable() const {
    S status{};
    internal::Reading reading;
    (void)read(internal::ValueTypeOf<S>::value, &status, reading);
    return status;
  }
  bool read(const internal::ValueType& type, void* to, internal::Reading& reading) const;
  void set_known(const json::Value& known, const json::Value& wanted);
  void differ(const std::string& at, json::View there, const json::Value* known, const json::Value& wanted);
  void set_conditions(const json::array& wanted);
  void set_condition_value(json::object condition);
  void record(Change change);
  void keep(Error error);

  [[nodiscard]] Result<json::Value> applied_to(const Object& object) const;
  static Result<void> apply(json::Value& status, const Change& change, std::int64_t generation);

  Object base_;
  const Clock* clock_;
  std::int64_t generation_;
  std::vector<Change> changes_;
  std::optional<Error> error_;
  bool is_gone_ = false;
};

/// Returns an error if the changes of a draft are not valid for the newest version of the object. The error ends the
/// flush.
using StillValid = std::function<Result<void>(const Object& newest)>;

/// Writes drafts to the status subresource. No other part of a controller writes the status. Thread-safe.
class PINTLE_EXPORT StatusWriter {
 public:
  /// If `field_manager` is empty, the field manager of the client is used.
  explicit StatusWriter(Client& client, std::string field_manager = {});

  /// Sends the differences as one merge patch. The patch contains the resourceVersion of the version from which it was
  /// computed. If the object has changed since, it is read again, and `still_valid` is called with the newest version
  /// (default: the changes stay valid). Unless it returns an error, the changes are applied to that version. At most 5
  /// attempts are made (then error: conflict). If nothing differs, nothing is sent. Returns the newest known version of
  /// the object, also if it no longer exists or another object has its name. flush() may be called again; it then
  /// writes later changes only. Errors: that of the first invalid change (invalid); unsupported and terminal, if the
  /// kind has no status subresource; that of `still_valid`; those of the client.
  Result<Object> flush(StatusDraft& draft, const std::stop_token& stop, const StillValid& still_valid = {});
  /// Ends a reconcile: calls flush(), even if the reconcile failed, and returns the combined outcome, see join().
  Outcome finish(Outcome outcome, StatusDraft& draft, const std::stop_token& stop);

 private:
  Result<Object> write(StatusDraft& draft, const std::stop_token& stop, const StillValid& still_valid);
  Result<bool> read_again(StatusDraft& draft, const std::stop_token& stop);

  Client& client_;
  const std::string field_manager_;
};

/// Returns the outcome of a reconcile whose status was flushed with this result. A failure takes precedence; two
/// failures are combined into one with both messages. A cancelled flush adds nothing to the failure of the reconcile.
[[nodiscard]] PINTLE_EXPORT Outcome join(Outcome outcome, const Result<Object>& flushed);

}  // namespace pintle
