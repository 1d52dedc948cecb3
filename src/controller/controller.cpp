// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/controller.hpp>

#include <set>
#include <string>
#include <utility>

#include <pintle/base/schedule.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/object/schema/crd.hpp>
#include <pintle/object/selector.hpp>

#include "controller/sources/watched_namespaces.hpp"

namespace pintle {

namespace {

// Collects the errors of one declaration.
class Check {
 public:
  explicit Check(const AnyController& spec) : spec_(spec) {}

  std::vector<Error> validate() {
    for (const Error& error : spec_.errors) add(error);
    if (spec_.workers && *spec_.workers < 1) {
      wrong("has " + std::to_string(*spec_.workers) + " workers; set .workers to at least 1");
    }
    if (spec_.watch.kind.kind.empty() || spec_.watch.kind.version.empty()) wrong("has no kind to watch; set .watch");
    if (!spec_.reconcile) wrong("has no reconcile function; set .reconcile");
    if (spec_.get_object) check_members_of_watch();
    check_definition(spec_.crd);
    if (auto error = validate_namespaces(spec_.namespaces)) add(std::move(*error), ".namespaces");
    check_namespace_selector();
    check_selectors("", spec_.label_selector, spec_.field_selector);
    check_sources();
    check_finalizer_options();
    const Duration zero = Duration::zero();
    if (spec_.timeout.value_or(zero) < zero || spec_.resync_period.value_or(zero) < zero) {
      wrong("has a negative .timeout or .resync_period; set a positive time or omit it");
    }
    for (const RbacRule& need : spec_.rbac_rules) {
      if (need.resource.empty() || need.verbs.empty())
        wrong("has a rule in .rbac_rules without a resource or without verbs; set both");
    }
    if (!spec_.schedule.empty()) {
      if (auto schedule = Schedule::parse(spec_.schedule, spec_.time_zone); !schedule) add(std::move(schedule.error()));
    } else if (!spec_.time_zone.empty()) {
      wrong("has .time_zone without .schedule; set .schedule, or remove .time_zone");
    }
    return std::move(errors_);
  }

 private:
  void wrong(const std::string& what) {
    errors_.push_back(make_error(ErrorCode::invalid, "controller " + spec_.name + " " + what));
  }
  void add(Error error, const std::string& where = {}) {
    errors_.push_back(
        std::move(error).with_operation("controller " + spec_.name + (where.empty() ? "" : ": " + where)));
  }

  // Without a watch, these members would have no effect.
  void check_members_of_watch() {
    const std::pair<const char*, bool> members[] = {{".namespaces", !spec_.namespaces.empty()},
                                                    {".namespace_selector", !spec_.namespace_selector.empty()},
                                                    {".label_selector", !spec_.label_selector.empty()},
                                                    {".field_selector", !spec_.field_selector.empty()},
                                                    {".predicate", spec_.predicate.is_set()},
                                                    {".owns", !spec_.owns.empty()},
                                                    {".watches", !spec_.watches.empty()},
                                                    {".indexes", !spec_.indexes.empty()},
                                                    {".gone", static_cast<bool>(spec_.gone)},
                                                    {".on_change", static_cast<bool>(spec_.on_change)},
                                                    {".ignore_own_writes", spec_.ignore_own_writes},
                                                    {".on_watch_end", static_cast<bool>(spec_.on_watch_end)}};
    for (const auto& [member, is_set] : members) {
      if (is_set) wrong(std::string("has .get_object, so it cannot have ") + member + "; remove one of the two");
    }
  }

  void check_namespace_selector() {
    if (spec_.namespace_selector.empty()) return;
    if (auto labels = LabelSelector::parse(spec_.namespace_selector); !labels) {
      add(std::move(labels.error()), ".namespace_selector");
    }
    if (!spec_.namespaces.empty()) wrong("has .namespaces and .namespace_selector; remove one of the two");
    for (const Owns& owned : spec_.owns) {
      if (owned.options.active_when) {
        wrong("has .namespace_selector, so it cannot have .active_when for " + owned.kind.to_string() +
              "; remove one of the two");
      }
    }
  }

  void check_selectors(const std::string& where, const std::string& labels, const std::string& fields) {
    if (auto selector = LabelSelector::parse(labels); !selector) {
      add(std::move(selector.error()), where + "label_selector \"" + labels + "\"");
    }
    if (auto selector = FieldSelector::parse(fields); !selector) {
      add(std::move(selector.error()), where + "field_selector \"" + fields + "\"");
    }
  }

  void check_definition(const std::optional<json::Value>& crd) {
    if (!crd) return;
    json::Value complete = *crd;
    // The manager adds the address of its webhooks.
    if (const json::Value* webhook = json::find(complete, "/spec/conversion/webhook");
        webhook != nullptr && webhook->is_object()) {
      (void)!json::set(complete, "/spec/conversion/webhook/clientConfig", json::object{});
    }
    if (auto sound = validate_crd(complete); !sound) add(std::move(sound.error()));
  }

  void check_presence(const std::string& what, bool required, bool if_served) {
    if (required && if_served) wrong(what + " with both .required and .if_served; remove one of them");
  }

  void check_sources() {
    for (const Owns& owned : spec_.owns) {
      check_presence("owns " + owned.kind.kind, owned.options.required, owned.options.if_served);
      check_selectors("owns " + owned.kind.kind + ": ", owned.options.label_selector, owned.options.field_selector);
      if (owned.options.active_when && owned.options.required)
        wrong("owns " + owned.kind.kind + " with both .required and .active_when; remove one of them");
    }
    for (const Watches& watched : spec_.watches) {
      const GroupVersionKind& kind = watched.kind.value();
      const std::string where = "watches " + kind.kind;
      if (kind.kind.empty() || kind.version.empty()) wrong("has a .watches without a kind; set .kind");
      const int maps = (watched.map ? 1 : 0) + (watched.map_with_cache ? 1 : 0) + (watched.references ? 1 : 0);
      if (watched.only_read && maps != 0) {
        wrong("has a .watches of " + kind.kind + " with .only_read and a map; remove one of the two");
      } else if (!watched.only_read && maps != 1) {
        wrong("has a .watches of " + kind.kind +
              "; set exactly one of its .map, .map_with_cache and .references, or .only_read");
      }
      check_presence("watches " + kind.kind, watched.required, watched.if_served);
      check_definition(watched.crd);
      if (auto error = validate_namespaces(watched.namespaces)) add(std::move(*error), where + ": .namespaces");
      check_selectors(where + ": ", watched.label_selector, watched.field_selector);
    }
    check_indexes();
    for (const auto& channel : spec_.channels) {
      if (channel == nullptr) wrong("has a null channel; create it with std::make_shared<ChannelSource>(executor)");
    }
    std::set<std::string> names;
    for (const Poll& poll : spec_.polls) {
      if (!poll.poll) wrong("has a poll \"" + poll.name + "\" without .poll; set it");
      if (poll.interval <= Duration::zero())
        wrong("has a poll \"" + poll.name + "\" whose .interval is not positive; set a positive time");
      if (!names.insert(poll.name).second)
        wrong("has two polls named \"" + poll.name + "\"; give each poll a unique .name");
    }
  }

  void check_indexes() {
    std::set<std::pair<GroupVersionKind, std::string>> known;
    for (const Index& index : spec_.indexes) {
      const std::string which = "has an index \"" + index.name + "\" ";
      if (index.name.empty()) wrong("has an index without a name; set its .name");
      if (index.name.starts_with("pintle:")) wrong(which + "with a reserved name; omit \"pintle:\"");
      if (!index.keys) wrong(which + "without .keys; set the function that returns the values of an object");
      const GroupVersionKind& kind = index.kind.empty() ? spec_.watch.kind : index.kind;
      if (!known.emplace(kind, index.name).second) wrong(which + "of " + kind.to_string() + " twice; remove one");
    }
  }

  void check_finalizer_options() {
    if (static_cast<bool>(spec_.finalize) && spec_.finalizer.empty()) {
      wrong("has .finalize without .finalizer; set a name such as \"example.com/cleanup\"");
    }
    if (spec_.on_finalizer_write && spec_.finalizer.empty()) {
      wrong("has .on_finalizer_write without .finalizer; set a name such as \"example.com/cleanup\"");
    }
    if (spec_.finalizer.empty()) return;
    if (!spec_.finalize)
      wrong("has the finalizer " + spec_.finalizer + " without .finalize; set the function that cleans up");
    if (auto good = validate_finalizer(spec_.finalizer, spec_.finalizer_policy); !good) add(std::move(good.error()));
  }

  const AnyController& spec_;
  std::vector<Error> errors_;
};

}  // namespace

std::vector<Error> validate(const AnyController& controller) { return Check(controller).validate(); }

}  // namespace pintle
