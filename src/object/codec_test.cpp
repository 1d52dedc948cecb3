// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/codec.hpp>

#include <gtest/gtest.h>

#include <pintle/json/pointer.hpp>
#include <pintle/object/owner.hpp>

#include "described_samples.hpp"

namespace pintle {
namespace {

using samples::Mode;
using samples::Planet;
using samples::Rule;
using samples::Widget;

Object object(std::string_view spec, std::string_view metadata = R"({"name":"a"})") {
  return *Object::parse(R"({"apiVersion":"demo.pintle.dev/v1","kind":"Widget","metadata":)" + std::string(metadata) +
                        R"(,"spec":)" + std::string(spec) + "}");
}

std::string rule_error(std::string_view spec, std::string_view metadata = R"({"name":"a"})") {
  const auto widget = decode<Widget>(object(spec, metadata));
  return widget ? "" : widget.error().message;
}

TEST(Decode, ReadsEveryMember) {
  const auto widget =
      decode<Widget>(object(R"({"on":false,"replicas":3,"percent":7,"huge":18446744073709551615,"ratio":2,"image":"i",
      "note":"n","rules":[{"host":"h","port":80},{"host":"g"}],"labels":{"a":"b"},"limits":{"cpu":2},"mode":"Fast","blob":"Zm9v",
      "extra":{"any":[1]},"unknown":true})"));
  ASSERT_TRUE(widget) << widget.error().message;
  const Widget::Spec& spec = widget->spec;
  EXPECT_FALSE(spec.on);
  EXPECT_EQ(spec.replicas, 3);
  EXPECT_EQ(spec.percent, 7);
  EXPECT_EQ(spec.huge, 18446744073709551615U);
  EXPECT_EQ(spec.ratio, 2.0);
  EXPECT_EQ(spec.image, "i");
  EXPECT_EQ(spec.note, "n");
  ASSERT_EQ(spec.rules.size(), 2U);
  EXPECT_EQ(spec.rules[0].port, 80);
  EXPECT_EQ(spec.rules[1].host, "g");
  EXPECT_EQ(spec.labels.at("a"), "b");
  EXPECT_EQ(spec.limits.cpu, 2);
  EXPECT_EQ(spec.mode, Mode::fast);
  EXPECT_EQ(spec.blob.data, "foo");
  EXPECT_EQ(json::print(spec.extra), R"({"any":[1]})");
}

TEST(Decode, KeepsTheInitializerOfMissingOrNullMembers) {
  for (const char* spec :
       {"{}", R"({"on":null,"image":null,"note":null,"rules":null,"limits":null,"wide":null,"mode":null})"}) {
    const auto widget = decode<Widget>(object(spec));
    ASSERT_TRUE(widget) << widget.error().message;
    EXPECT_TRUE(widget->spec.on);
    EXPECT_EQ(widget->spec.image, "nginx");
    EXPECT_EQ(widget->spec.note, std::nullopt);
    EXPECT_EQ(widget->spec.wide.cpu, 4);
    EXPECT_EQ(widget->spec.mode, Mode::slow);
  }
  EXPECT_TRUE(decode<Widget>(*Object::parse(R"({"metadata":{"name":"a"}})")));
}

TEST(Decode, NamesThePathOfAnError) {
  const struct {
    const char* spec;
    const char* message;
  } cases[] = {
      {R"({"replicas":"three"})", "spec.replicas: expected an integer, got a string"},
      {R"({"replicas":1.5})", "spec.replicas: expected an integer, got a number with a fraction"},
      {R"({"replicas":3000000000})", "spec.replicas: 3000000000 is not between -2147483648 and 2147483647"},
      {R"({"replicas":18446744073709551615})",
       "spec.replicas: 18446744073709551615 is not between -2147483648 and 2147483647"},
      {R"({"percent":-1})", "spec.percent: -1 is not between 0 and 255"},
      {R"({"percent":256})", "spec.percent: 256 is not between 0 and 255"},
      {R"({"on":"yes"})", "spec.on: expected a boolean, got a string"},
      {R"({"ratio":true})", "spec.ratio: expected a number, got a boolean"},
      {R"({"image":5})", "spec.image: expected a string, got an integer"},
      {R"({"rules":{}})", "spec.rules: expected a list, got an object"},
      {R"({"rules":[{"host":"a"},{"port":"x"}]})", "spec.rules[1].port: expected an integer, got a string"},
      {R"({"rules":[null]})", "spec.rules[0]: expected an object, got null"},
      {R"({"labels":{"a":1}})", "spec.labels.a: expected a string, got an integer"},
      {R"({"labels":[]})", "spec.labels: expected an object, got a list"},
      {R"({"limits":{"cpu":"1"}})", "spec.limits.cpu: expected an integer, got a string"},
      {R"({"mode":"Quick"})", "spec.mode: \"Quick\" is not one of Fast, Slow"},
      {R"({"blob":"?"})", "spec.blob: not valid base64"},
      {R"("x")", "spec: expected an object, got a string"},
  };
  for (const auto& one : cases) EXPECT_EQ(rule_error(one.spec), one.message);
  EXPECT_EQ(decode<Widget>(object(R"({"on":1})")).error().code, ErrorCode::invalid);
  EXPECT_EQ(rule_error("{}", R"({"name":1})"), "metadata.name: expected a string, got an integer");
  EXPECT_EQ(rule_error("{}", R"({"labels":{"a":{}}})"), "metadata.labels.a: expected a string, got an object");
  EXPECT_EQ(rule_error("{}", R"({"ownerReferences":["a"]})"),
            "metadata.ownerReferences[0]: expected an object, got a string");
  EXPECT_EQ(rule_error("{}", R"({"creationTimestamp":"now"})").rfind("metadata.creationTimestamp: ", 0), 0U);
}

TEST(Decode, RefusesAnotherKind) {
  const auto planet = decode<Planet>(object("{}"));
  ASSERT_FALSE(planet);
  EXPECT_EQ(planet.error().message, "expected space.pintle.dev/v1alpha1 Planet, got demo.pintle.dev/v1 Widget");
  EXPECT_FALSE(decode<Planet>(Object()));
}

TEST(Decode, ReadsMetadataAndKeepsTheObject) {
  const Object source =
      object(R"({"unknown":1})", R"({"name":"a","namespace":"n","uid":"u","resourceVersion":"7","generation":2,
      "creationTimestamp":"2026-01-02T03:04:05Z","deletionTimestamp":null,"labels":{"l":"m"},"annotations":{"x":"y"},
      "finalizers":["f/g"],"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"q","controller":true}]})");
  const Metadata metadata = decode<Widget>(source)->metadata;
  EXPECT_EQ(metadata.key(), (ObjectKey{"n", "a"}));
  EXPECT_EQ(metadata.uid, "u");
  EXPECT_EQ(metadata.resource_version, "7");
  EXPECT_EQ(metadata.generation, 2);
  EXPECT_EQ(format_time(*metadata.creation_timestamp), "2026-01-02T03:04:05Z");
  EXPECT_FALSE(metadata.is_deleting());
  EXPECT_EQ(metadata.labels.at("l"), "m");
  EXPECT_EQ(metadata.finalizers, std::vector<std::string>{"f/g"});
  EXPECT_EQ(metadata.owner_references[0],
            (OwnerReference{.api_version = "v1", .kind = "Pod", .name = "p", .uid = "q", .controller = true}));
  EXPECT_TRUE(metadata.snapshot().is_same_document(source));
  EXPECT_FALSE(Widget{}.metadata.snapshot().exists());
}

TEST(Encode, LeavesOutOnlyEmptyMembers) {
  EXPECT_EQ(
      json::print(encode(Widget{})),
      R"({"apiVersion":"demo.pintle.dev/v1","kind":"Widget","metadata":{},"spec":{"on":true,"replicas":0,"percent":50,"huge":0,)"
      R"("ratio":0.5,"image":"nginx","limits":{"cpu":1,"memory":0},"wide":{"cpu":4,"memory":0},"mode":"Slow","blob":""},)"
      R"("status":{"observedGeneration":0,"phase":""}})");
}

TEST(Encode, RoundTrips) {
  Widget widget{
      .metadata = {.name = "a", .namespace_ = "n", .uid = "u", .labels = {{"l", "m"}}, .finalizers = {"f/g"}}};
  widget.metadata.owner_references.push_back(
      {.api_version = "v1", .kind = "Pod", .name = "p", .uid = "q", .controller = true});
  widget.metadata.creation_timestamp = *parse_time("2026-01-02T03:04:05Z");
  widget.spec.rules = {{.host = "h", .port = 1}, {.host = "g"}};
  widget.spec.labels = {{"b", "1"}, {"a", "2"}};
  widget.spec.extra = *json::parse(R"([{"a":null}])");
  widget.status.last_seen = *parse_time("2026-01-02T03:04:06Z");
  const json::Value value = encode(widget);
  const auto back = decode<Widget>(Object(value));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(json::print(encode(*back)), json::print(value));
}

TEST(Encode, ForApplyContainsOnlyOwnedFields) {
  Planet planet{
      .metadata = {.name = "a", .uid = "u", .resource_version = "5", .generation = 3, .labels = {{"l", "m"}}}};
  planet.metadata.creation_timestamp = *parse_time("2026-01-02T03:04:05Z");
  planet.metadata.deletion_timestamp = *parse_time("2026-01-02T03:04:05Z");
  EXPECT_EQ(json::print(encode_for_apply(planet)), R"({"apiVersion":"space.pintle.dev/v1alpha1","kind":"Planet",)"
                                                   R"("metadata":{"name":"a","labels":{"l":"m"}},"spec":{"star":""}})");
  EXPECT_EQ(json::find(encode_for_apply(Widget{}), "/status"), nullptr);
}

// Returns the spec after the patch that `update` would send, or the error of that patch.
std::string updated(std::string_view spec, void (*edit)(Widget&)) {
  const Object source = object(spec, R"({"name":"a","resourceVersion":"7"})");
  const Widget before = *decode<Widget>(source);
  Widget after = before;
  edit(after);
  const json::Patch patch = changes(before, after);
  json::Value value = source.to_value();
  const auto done = json::apply_patch(value, patch.operations);
  if (!done) return done.error().message;
  EXPECT_EQ(json::print(patch.operations.at(0)), R"({"op":"test","path":"/metadata/resourceVersion","value":"7"})");
  return json::print(*json::find(value, "/spec"));
}

TEST(Changes, KeepUnknownMembers) {
  EXPECT_EQ(updated(R"({"replicas":1,"unknown":{"a":1},"limits":{"cpu":2,"gpu":3}})",
                    [](Widget& widget) {
                      widget.spec.replicas = 2;
                      widget.spec.limits.cpu = 5;
                    }),
            R"({"replicas":2,"unknown":{"a":1},"limits":{"cpu":5,"gpu":3}})");
}

TEST(Changes, KeepUnknownMembersInLists) {
  constexpr std::string_view spec = R"({"rules":[{"host":"a","x":1},{"host":"b","x":2},{"host":"c","x":3}]})";
  EXPECT_EQ(updated(spec, [](Widget& widget) { widget.spec.rules[1].port = 5; }),
            R"({"rules":[{"host":"a","x":1},{"host":"b","x":2,"port":5},{"host":"c","x":3}]})");
  EXPECT_EQ(updated(spec, [](Widget& widget) { widget.spec.rules.erase(widget.spec.rules.begin()); }),
            R"({"rules":[{"host":"b","x":2},{"host":"c","x":3}]})");
  EXPECT_EQ(
      updated(spec, [](Widget& widget) { widget.spec.rules.insert(widget.spec.rules.begin(), Rule{.host = "z"}); }),
      R"({"rules":[{"host":"z"},{"host":"a","x":1},{"host":"b","x":2},{"host":"c","x":3}]})");
}

TEST(Changes, SendNoUnchangedDefaults) {
  EXPECT_EQ(updated("{}", [](Widget& widget) { widget.spec.image = "i"; }), R"({"image":"i"})");
  EXPECT_EQ(updated("{}", [](Widget& widget) { widget.spec.limits.memory = 9; }), R"({"limits":{"cpu":1,"memory":9}})");
  const Widget same = *decode<Widget>(object("{}"));
  EXPECT_TRUE(changes(same, same).empty());
}

TEST(Changes, SendZerosAndRemovals) {
  EXPECT_EQ(updated(R"({"replicas":3,"note":"n","labels":{"a":"1","b":"2"}})",
                    [](Widget& widget) {
                      widget.spec.replicas = 0;
                      widget.spec.note.reset();
                      widget.spec.labels.erase("a");
                    }),
            R"({"replicas":0,"labels":{"b":"2"}})");
}

TEST(EnumToString, ReturnsTheJsonNameOfAValue) {
  EXPECT_EQ(to_string(Mode::fast), "Fast");
  EXPECT_EQ(to_string(Mode::slow), "Slow");
  EXPECT_EQ(to_string(static_cast<Mode>(7)), "") << "a value without a name";
}

TEST(OwnedBy, MakesAChildOfAnOwner) {
  const Widget owner{.metadata = {.name = "a", .namespace_ = "n", .uid = "u"}};
  const Metadata child = owned_by(owner);
  EXPECT_EQ(child.key(), (ObjectKey{"n", "a"}));
  EXPECT_EQ(child.owner_references[0], (OwnerReference{.api_version = "demo.pintle.dev/v1",
                                                       .kind = "Widget",
                                                       .name = "a",
                                                       .uid = "u",
                                                       .controller = true,
                                                       .block_owner_deletion = true}));
  EXPECT_EQ(owned_by(Object(encode(owner))).owner_references, child.owner_references);
  EXPECT_EQ(owned_by(Planet{.metadata = {.name = "p"}}).namespace_, "");
  EXPECT_EQ(owned_by(owner, "moon").name, owner.metadata.name + "-moon");

  const auto controller = controller_of(Object(encode(Widget{.metadata = child})));
  ASSERT_TRUE(controller);
  EXPECT_EQ(*controller, child.owner_references[0]);
  EXPECT_EQ(controller_of(Object(encode(owner))), std::nullopt);
}

TEST(OwnedBy, AddsAControllerToOneThatHasNone) {
  const OwnerReference a{.api_version = "v1", .kind = "Pod", .name = "a", .uid = "u", .controller = true};
  const OwnerReference b{.api_version = "v1", .kind = "Pod", .name = "b", .uid = "v", .controller = true};
  json::Value object = with_controller_reference(json::object{{"kind", "ConfigMap"}}, a);
  EXPECT_EQ(controller_of(Object(object)), a);
  EXPECT_EQ(with_controller_reference(object, b), object) << "two controllers are refused by the server";
  const json::Value also = json::object{{"metadata", json::object{{"ownerReferences", json::array{json::object()}}}}};
  EXPECT_EQ(Object(with_controller_reference(also, a)).owner_references().size(), 2U) << "other owners stay";
}

// Declarations that must not compile.
struct Twice {
  std::string a{};
  static constexpr auto fields() { return pintle::fields(field("a", &Twice::a), field("a", &Twice::a)); }
};
static_assert(!internal::has_unique_names(internal::members_of<Twice>));
static_assert(internal::has_unique_names(internal::members_of<Widget::Spec>));

template <class T>
concept TakesMinimum = requires(T one) { one.minimum(1); };
template <class T>
concept TakesPattern = requires(T one) { one.pattern("a"); };
static_assert(TakesMinimum<decltype(field("a", &Widget::Spec::replicas))>);
static_assert(TakesMinimum<decltype(field("a", &Rule::port))>);
static_assert(!TakesMinimum<decltype(field("a", &Widget::Spec::image))>);
static_assert(!TakesMinimum<decltype(field("a", &Widget::Spec::on))>);
static_assert(TakesPattern<decltype(field("a", &Widget::Spec::note))>);
static_assert(!TakesPattern<decltype(field("a", &Widget::Spec::rules))>);

struct NoType {
  Metadata metadata{};
  Widget::Spec spec{};
};
struct NoMembers {
  static constexpr Type type{"v1", "NoMembers"};
  Metadata metadata{};
};
static_assert(Described<Widget> && Described<Planet>);
static_assert(!Described<NoType> && !Described<NoMembers> && !Described<Object> && !Described<Widget::Spec>);

}  // namespace
}  // namespace pintle
