// ReconcileCause: one reason why a pass runs.
#pragma once

#include <string>
#include <string_view>

#include <pintle/object/kind.hpp>

namespace pintle {

// A plain value.
struct ReconcileCause {
  enum class Source {
    initial,  // the object was there when the operator began
    change,   // the object itself
    owned,    // an object it owns
    retry,    // the pass before failed, or asked for another with back-off
    timer,    // the pass before named a time
  };
  enum class Verb { none, added, updated, deleted };

  Source source = Source::change;
  Verb verb = Verb::none;
  GroupVersionKind kind{};  // of the object that changed
  ObjectKey object{};
  std::string resource_version{};  // of the object that changed
  unsigned retry = 0;              // the n-th in a row, for Source::retry

  // "owned v1 ConfigMap default/a deleted (version 7)".
  [[nodiscard]] std::string to_string() const;
};

[[nodiscard]] std::string_view to_string(ReconcileCause::Source source) noexcept;
[[nodiscard]] std::string_view to_string(ReconcileCause::Verb verb) noexcept;

}  // namespace pintle
