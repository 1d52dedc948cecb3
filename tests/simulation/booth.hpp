// SPDX-License-Identifier: Apache-2.0
// The kind that all operators of these tests reconcile, and correct parts from which they are made.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <pintle/pintle.hpp>
#include <pintle/testing/simulate.hpp>

namespace pintle::wrong_operators {

struct Booth {
  static constexpr Type type{"fair.example.com/v1", "Booth"};
  struct Spec {
    std::string title = "plain";
    std::int64_t size = 2;
    std::optional<std::string> note{};
    static constexpr auto fields() {
      return pintle::fields(field("title", &Spec::title, "Text of the sign."),
                            field("size", &Spec::size, "Number of tables.").minimum(1).maximum(4),
                            field("note", &Spec::note, "Text below the sign."));
    }
  };
  struct Status {
    std::vector<StatusCondition> conditions{};
    std::optional<std::int64_t> observed_generation{};
    std::optional<std::string> phase{};
    std::optional<std::int64_t> count{};
    std::vector<std::string> history{};
    static constexpr auto fields() {
      return pintle::fields(field("conditions", &Status::conditions, "The current conditions."),
                            field("observedGeneration", &Status::observed_generation, "Of the last reconcile."),
                            field("phase", &Status::phase, "A word."), field("count", &Status::count, "A number."),
                            field("history", &Status::history, "Words."));
    }
  };
  Metadata metadata{};
  Spec spec{};
  std::optional<Status> status{};
};

using Reconcile = std::function<Outcome(const Booth&, Context&)>;

inline const GroupVersionKind card_kind{"v1", "ConfigMap"};
inline const GroupVersionKind booth_kind{"fair.example.com/v1", "Booth"};
inline constexpr const char* far_namespace = "warehouse";

// ---- declarations ----

// A controller that may do what the operators of these tests do, without a watch of ConfigMaps.
[[nodiscard]] Controller<Booth> controller_of(Reconcile reconcile);
// The same, which owns ConfigMaps.
[[nodiscard]] Controller<Booth> owner_of_cards(Reconcile reconcile);
// A setup with one controller, which `make` returns for each process. Values that `make` captures by value in the
// controller is the memory of the process.
[[nodiscard]] testkit::SubjectSetup with_controller(std::function<Controller<Booth>()> make);
// The same with owner_of_cards().
[[nodiscard]] testkit::SubjectSetup with_reconcile(Reconcile reconcile);

// ---- objects ----

// The ConfigMap of a booth, owned by it: {"title": …, "size": …}.
[[nodiscard]] json::Value card_of(const Booth& booth, const std::string& name);
[[nodiscard]] inline json::Value card_of(const Booth& booth) { return card_of(booth, booth.metadata.name); }
// The same in another namespace, so that the garbage collector does not delete it. The server chooses its name.
[[nodiscard]] json::Value far_card_of(const Booth& booth);
[[nodiscard]] json::Value without_owner(json::Value object);

// ---- correct steps ----

// Creates an object, or sets its data if they differ.
Result<Object> ensure(Context& ctx, const json::Value& wanted);
Result<std::vector<Object>> far_cards(Context& ctx, const Booth& booth);
// Creates a far card unless there is one.
Result<void> ensure_far_card(Context& ctx, const Booth& booth);
Result<void> remove_far_cards(Context& ctx, const Booth& booth);
Result<void> set_status(Context& ctx, const Booth& booth, const json::Value& changes);

[[nodiscard]] std::string number(std::int64_t value);

}  // namespace pintle::wrong_operators
