// Status: what a pass has to say about its object, collected while it runs and written once at its end.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/client/client.hpp>
#include <pintle/controller/outcome.hpp>
#include <pintle/object/condition.hpp>
#include <pintle/object/described.hpp>

namespace pintle {

// The changes one pass wants, on top of the status its object had. Only they are written: members and conditions that
// are not mentioned stay as they are on the server, whoever wrote them. What is wrong is kept, and the flush answers
// it; the rest is written all the same. Nothing is sent before the flush. Thread-safety: none; it belongs to one pass.
class StatusDraft {
 public:
  // `clock` outlives it.
  StatusDraft(Object object, const Clock& clock);

  // The whole status as a struct: the members that differ from what is there are changed, those the struct leaves out
  // are removed if it knows them, and those it does not know stay. Of its `conditions` those are taken that differ from
  // what was read; none is removed.
  template <HasFields S>
  void set(const S& status) {
    const S known = readable<S>();
    set_known(described::Operations<S>::write(&known), described::Operations<S>::write(&status));
  }
  // One member, by JSON pointer below status: set("/phase", "Ready"). Null removes it. "/conditions" takes a list as
  // the struct does; below it there is only condition().
  void set(std::string_view pointer, json::Value value);
  template <std::convertible_to<std::string_view> Text>
    requires(!std::same_as<Text, std::nullptr_t>)
  void set(std::string_view pointer, const Text& text) {
    set(pointer, json::Value(std::string_view(text)));
  }
  void remove(std::string_view pointer) { set(pointer, nullptr); }
  // One condition: the time of its last transition follows from what is there (set_condition), and observedGeneration
  // is that of the object the pass works on.
  void condition(StatusCondition condition);
  // The same of a vocabulary of one's own: a struct with a `type`, which is its list_map_key, and a `status`. Members
  // that it leaves out are removed; what it may hold is the business of the schema.
  template <HasFields C>
    requires(C::list_map_key == std::string_view("type"))
  void condition(const C& condition) {
    json::object value = described::Operations<C>::write(&condition).as_object();
    for (const described::Member& member : described::members_of<C>) value.emplace(member.name, nullptr);
    set_condition_value(std::move(value));
  }
  void remove_condition(std::string_view type);

  // metadata.generation of the object the pass works on, which conditions are given as observedGeneration.
  [[nodiscard]] std::int64_t generation() const noexcept { return generation_; }
  // The status as it stands with the changes; null when there is none.
  [[nodiscard]] json::Value value() const;
  // The same as a struct. Error: invalid, when it cannot be read as one.
  template <HasFields S>
  [[nodiscard]] Result<S> as() const {
    S status{};
    described::Reading reading;
    if (!read(described::ValueTypeOf<S>::value, &status, reading)) return fail(reading.error());
    return status;
  }
  // The newest version of the object that it knows, on top of which it will be written.
  [[nodiscard]] const Object& object() const noexcept { return base_; }
  // A flush found that the object is gone, or another is in its place.
  [[nodiscard]] bool is_gone() const noexcept { return is_gone_; }
  // The first thing that was wrong with what it was asked, which the flush will answer.
  [[nodiscard]] const std::optional<Error>& error() const noexcept { return error_; }
  // Nothing was asked of it since it was written.
  [[nodiscard]] bool is_empty() const noexcept { return changes_.empty() && !error_; }

  // The object as a write of this pass left it: the flush starts from there and meets no conflict with ourselves. One
  // of another uid is not taken.
  void saw(const Object& newer);
  // The same, and the pass goes on with this version: observedGeneration of what is not written yet is that of it.
  void works_on(const Object& newer);

 private:
  friend class StatusWriter;

  struct Change {
    enum class Kind { set, remove, condition, remove_condition };
    Kind kind;
    std::string where;  // a pointer, or the type of a condition
    json::Value value{};
  };

  template <HasFields S>
  [[nodiscard]] S readable() const {
    S status{};
    described::Reading reading;
    (void)read(described::ValueTypeOf<S>::value, &status, reading);
    return status;
  }
  bool read(const described::ValueType& type, void* to, described::Reading& reading) const;
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

// Whether the changes of a draft still hold for the object as it has become since it was read; its error ends the
// flush.
using StillRight = std::function<Result<void>(const Object& newest)>;

// Writes drafts to the status sub-resource; the only writer of status. Thread-safe.
class StatusWriter {
 public:
  // `field_manager` empty: that of the client.
  explicit StatusWriter(Client& client, std::string field_manager = {});

  // One merge patch of what differs, for the version it was made from alone; an object that has changed is read again
  // and the changes are made to that if they are `still_right` (default: they are), up to 5 times (then: conflict).
  // Sends nothing when nothing differs. Answers the object as far as it is known afterwards; one that is gone, or in
  // whose place there is another, is success. May be called again: only what was changed since is written. Errors: the
  // first thing that was wrong in the draft (invalid); unsupported and terminal for a kind without a status
  // sub-resource; that of `still_right`; those of the client.
  Result<Object> flush(StatusDraft& draft, const std::stop_token& stop, const StillRight& still_right = {});
  // The end of a pass: flushes, whatever it came to, and joins what comes of that.
  Outcome finish(Outcome outcome, StatusDraft& draft, const std::stop_token& stop);

 private:
  Result<Object> write(StatusDraft& draft, const std::stop_token& stop, const StillRight& still_right);
  Result<bool> read_again(StatusDraft& draft, const std::stop_token& stop);

  Client& client_;
  const std::string field_manager_;
};

// What a pass comes to when its status could not be written: a failure beats everything, and two are one that says
// both.
[[nodiscard]] Outcome join(Outcome outcome, const Result<Object>& flushed);

}  // namespace pintle
