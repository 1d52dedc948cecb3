// SPDX-License-Identifier: Apache-2.0
// Projector: a sink (see walk.hpp) that passes to a tape the events that a Projection keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/json/reader.hpp>

#include "tape.hpp"

namespace pintle::json {

class Projector {
 public:
  explicit Projector(Tape& tape) : tape_(tape) {}

  // Must be called before the first event. Error: invalid, if a path is not a JSON pointer.
  [[nodiscard]] Result<void> set(const Projection& projection);

  void restart() noexcept {
    levels_.clear();
    passing_ = skipping_ = 0;
  }

  // Returns whether everything is dropped until the end of the innermost open container.
  [[nodiscard]] bool leaves_out() const noexcept { return skipping_ != 0; }

  // Returns whether everything is kept until the end of the innermost open container.
  [[nodiscard]] bool keeps_all() const noexcept { return passing_ != 0; }

  void null() {
    if (enter(false)) tape_.null();
  }
  void boolean(bool flag) {
    if (enter(false)) tape_.boolean(flag);
  }
  void integer(std::int64_t number) {
    if (enter(false)) tape_.integer(number);
  }
  void unsigned_integer(std::uint64_t number) {
    if (enter(false)) tape_.unsigned_integer(number);
  }
  void real(double number) {
    if (enter(false)) tape_.real(number);
  }
  void written_number(std::string_view text) {
    if (enter(false)) tape_.written_number(text);
  }
  void string(std::string_view text) {
    if (enter(false)) tape_.string(text);
  }
  void key(std::string_view name) {
    if (passing_ != 0) {
      tape_.key(name);
    } else if (skipping_ == 0) {
      next_ = below(levels_.back().state, name);
      if (next_.mode == Mode::whole) tape_.key(name);
      if (next_.mode == Mode::path) key_ = name;
    }
  }
  void begin_object() {
    if (enter(true)) tape_.begin_object();
  }
  void end_object(std::size_t members) {
    if (const auto kept = leave(members)) tape_.end_object(*kept);
  }
  void begin_array() {
    if (enter(true, true)) tape_.begin_array();
  }
  void end_array(std::size_t elements) {
    if (const auto kept = leave(elements)) tape_.end_array(*kept);
  }

 private:
  // The rules of a place and of the places below it.
  struct Rule {
    std::string name{};
    bool keeps = false;
    bool drops = false;
    bool leads_to_kept = false;  // set by complete(): this place or one below it is kept
    std::vector<Rule> below{};
  };
  enum class Mode { skip, path, whole };  // path: keeps only members that lead to a kept path
  struct State {
    Mode mode = Mode::whole;
    const Rule* rule = nullptr;  // null: there are no rules below this place
  };
  struct Level {
    State state{};
    bool is_list = false;
    std::size_t kept = 0;
  };

  [[nodiscard]] Result<void> add(const std::string& path, bool Rule::*what);
  // Adds the rule for all names ("*") to the rules for single names beside it, because "*" also matches these names.
  // After this, one rule decides about each place.
  static void complete(Rule& rule);
  static void merge(Rule& into, const Rule& from);
  // Returns the rule for this name among the rules below a place; without one, the rule for all names ("*").
  [[nodiscard]] static const Rule* rule_for(const std::vector<Rule>& rules, std::string_view name) noexcept;
  [[nodiscard]] static State below(const State& state, std::string_view name);

  // Returns whether the next value is put on the tape. Its key is on the tape in this case.
  bool enter(bool is_container, bool is_list = false) {
    if (passing_ != 0) {
      if (is_container) ++passing_;
      return true;
    }
    if (skipping_ != 0) {
      if (is_container) ++skipping_;
      return false;
    }
    return enter_by_rule(is_container, is_list);
  }
  bool enter_by_rule(bool is_container, bool is_list);
  // Returns the number of members or elements that the ending container has on the tape; nothing if the container is
  // not on the tape.
  std::optional<std::size_t> leave(std::size_t all) {
    if (passing_ != 0) {
      --passing_;
      return all;
    }
    if (skipping_ != 0) {
      --skipping_;
      return {};
    }
    const std::size_t kept = levels_.back().kept;
    levels_.pop_back();
    return kept;
  }

  Tape& tape_;
  Rule root_rule_;
  State root_;
  State next_;       // the state of the member with the last key
  std::string key_;  // the last key in mode path; written when its value is a container
  std::vector<Level> levels_;
  std::size_t passing_ = 0;   // depth within a container that is kept completely
  std::size_t skipping_ = 0;  // depth within a dropped container
};

}  // namespace pintle::json
