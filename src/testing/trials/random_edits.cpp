// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <pintle/json/pointer.hpp>

#include "plan.hpp"
#include "plausible.hpp"

namespace pintle::testkit {
namespace {

Result<void> without_value(const auto& result) { return result ? Result<void>() : Result<void>(fail(result.error())); }

struct Primary {
  json::Value object;
  GroupVersionKind kind;
  ObjectKey key;
  std::string name;  // for messages
};

Primary primary_of(const json::Value& object) {
  const Object seen{object};
  return {.object = object, .kind = seen.group_version_kind(), .key = seen.key(), .name = seen.describe()};
}

// A merge patch that sets one field; null removes it, so that its default applies.
json::Value patch_of(const std::string& pointer, const json::Value* value) {
  json::Value patch = json::object();
  (void)json::set(patch, pointer, value == nullptr ? json::Value() : *value);
  return patch;
}

Event change_of(const Primary& of, Duration at, const std::string& pointer, const json::Value* value) {
  const std::string what = value == nullptr ? "removes " + pointer + " of " + of.name
                                            : "sets " + pointer + " of " + of.name + " to " + json::print(*value);
  return {.at = at, .what = what, .act = [of, what, patch = patch_of(pointer, value)](Run& run) {
            run.edit(what, [of, patch](Client& user) { return without_value(user.patch(of.kind, of.key, patch)); });
          }};
}

// A disturbance like a fault: the operator must create the child again, so the run without faults leaves it out.
Event removal_of(const Object& child, Duration at) {
  const std::string what = "a user deletes " + child.describe();
  return {.at = at,
          .what = what,
          .kind = "deleted-child",
          .act = [what, kind = child.group_version_kind(), key = child.key()](Run& run) {
            run.edit(what, [kind, key](Client& user) { return without_value(user.remove(kind, key)); });
          }};
}

// The finalizer stays for a while, so that deletions meet it.
Event mark_of(const Object& object, Duration at, Duration hold) {
  const std::string what = "another program sets a label, an annotation and, for " + format_duration(hold) +
                           ", a finalizer of " + object.describe();
  return {
      .at = at,
      .what = what,
      .kind = "foreign-metadata",
      .act = [kind = object.group_version_kind(), key = object.key(), hold](Run& run) { run.mark(kind, key, hold); }};
}

}  // namespace

Event recreation_of(const json::Value& object, Duration at, bool waits) {
  const Primary of = primary_of(object);
  const std::string what = "deletes " + of.name + (waits ? ", and later creates it again" : " and creates it again");
  return {.at = at, .what = what, .act = [of, what, waits](Run& run) {
            run.edit("deletes " + of.name, [of](Client& user) { return without_value(user.remove(of.kind, of.key)); });
            run.wait_until_gone(of.kind, of.key);
            const auto create = [of, &run] {
              run.edit("creates " + of.name, [of](Client& user) { return without_value(user.create(of.object)); });
            };
            if (waits) {
              run.fleet().edit_later(std::chrono::seconds(2), create);
            } else {
              create();
            }
          }};
}

void add_marks(std::vector<Event>& events, Duration active, const Survey& survey, Random& random) {
  if (survey.objects.empty() || random.below(4) != 0) return;
  const std::uint64_t drawn = random.below(survey.objects.size() + survey.children.size());
  const Object object =
      drawn < survey.objects.size() ? Object{survey.objects[drawn]} : survey.children[drawn - survey.objects.size()];
  constexpr Duration begin = std::chrono::seconds(2);  // the children exist
  const Duration time = std::max<Duration>(active - std::chrono::seconds(40), Duration::zero());
  const auto at = begin + std::chrono::duration_cast<Duration>(random.unit() * time);
  events.push_back(mark_of(object, at, std::chrono::milliseconds(1'000 + random.below(20'000))));
}

void add_random_edits(std::vector<Event>& events, std::size_t count, Duration active, const Survey& survey,
                      Random& random) {
  if (survey.objects.empty()) return;
  // The last seconds are left for edits that follow others.
  const auto time = [&] {
    constexpr Duration soon = std::chrono::seconds(2);
    const Duration latest = std::max<Duration>(active - std::chrono::seconds(20), soon);
    return std::chrono::duration_cast<Duration>(random.unit() * (random.below(5) == 0 ? soon : latest));
  };
  for (std::size_t i = 0; i < count; ++i) {
    const json::Value& object = survey.objects[random.below(survey.objects.size())];
    const Primary primary = primary_of(object);
    const auto schema = survey.schemas.find(primary.kind);
    const auto fields = schema == survey.schemas.end() ? std::vector<Field>()
                                                       : changeable_fields(json::Document(schema->second).root());
    const std::uint64_t draw = random.below(100);
    if (draw < 15 && !survey.children.empty()) {
      events.push_back(removal_of(survey.children[random.below(survey.children.size())], time()));
    } else if (draw < 30 || fields.empty()) {
      events.push_back(recreation_of(object, time(), random.below(2) == 0));
    } else {
      const Field& field = fields[random.below(fields.size())];
      const json::Value value = plausible_value(json::Document(field.schema).root(), random);
      const Duration at = time();
      events.push_back(change_of(primary, at, field.pointer, &value));
      if (draw < 50) {  // and back
        const json::Value* before = json::find(object, field.pointer);
        events.push_back(
            change_of(primary, at + std::chrono::milliseconds(random.below(15'000)), field.pointer, before));
      }
    }
  }
}

}  // namespace pintle::testkit
