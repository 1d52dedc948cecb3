// SPDX-License-Identifier: Apache-2.0
// Rules that fields() declares beyond names and types: their schema, and their errors.
#include <gtest/gtest.h>

#include <pintle/json/pointer.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/condition.hpp>
#include <pintle/object/int_or_string.hpp>
#include <pintle/object/schema/crd.hpp>
#include <pintle/object/schema/structural.hpp>

#include "object/described_samples.hpp"

namespace pintle {
namespace {

using samples::Limits;
using samples::Mode;

struct Port {
  std::int32_t number = 0;
  std::string protocol = "TCP";
  std::optional<std::string> name{};
  static constexpr auto fields() {
    return pintle::fields(field("port", &Port::number).required(), field("protocol", &Port::protocol),
                          field("name", &Port::name));
  }
};

struct Gate {
  static constexpr Type type{"demo.pintle.dev/v1", "Gate"};
  static constexpr std::array columns{PrinterColumn{.name = "First", .path = ".spec.ports[0].port", .type = "integer"}};
  static constexpr ScaleSubresource scale{.label_selector = ".status.selector"};
  static constexpr std::array rules{rule("self.metadata.name.size() < 20", "needs a short name")};
  struct Spec {
    std::int32_t replicas = 0;
    std::optional<std::int32_t> low{};
    std::optional<std::int32_t> high{};
    std::optional<bool> on{};
    std::optional<Mode> mode{};
    std::string zone{};
    std::optional<IntOrString> share{};
    std::vector<std::string> tags{};
    std::vector<std::string> args{};
    std::vector<Port> ports{};
    std::map<std::string, std::int32_t> weights{};
    std::map<std::string, std::string> selector{};
    Limits limits{};
    std::optional<std::string> namespace_{};
    static constexpr auto fields() {
      return pintle::fields(
          field("replicas", &Spec::replicas)
              .default_value(0)
              .minimum(0)
              .multiple_of(2)
              .column({.name = "Replicas", .format = "int32", .description = "How many.", .priority = 1}),
          field("low", &Spec::low).default_value(-1), field("high", &Spec::high).nullable(),
          field("on", &Spec::on).default_value(false), field("mode", &Spec::mode).default_value(Mode::slow),
          field("zone", &Spec::zone).required().immutable().one_of({"a", "b"}).rule("self != 'b'", "is not there yet"),
          field("share", &Spec::share).default_value("25%"),
          field("tags", &Spec::tags).list_set().min_items(1).max_items(5).items([](auto tag) {
            return tag.min_length(1).max_length(63).pattern("^[a-z]+$");
          }),
          field("args", &Spec::args).atomic().default_json(R"(["-v"])"),
          field("ports", &Spec::ports).list_map("port", "protocol"),
          field("weights", &Spec::weights).max_items(3).items([](auto weight) { return weight.minimum(0); }),
          field("selector", &Spec::selector).atomic(), field("limits", &Spec::limits).atomic(),
          field("namespace", &Spec::namespace_).immutable(),
          pintle::rule("!has(self.low) || !has(self.high) || self.low <= self.high", "low is at most high"),
          CelRule{
              .rule = "self.replicas > 0 || self.zone == 'a'", .reason = "FieldValueForbidden", .field_path = ".zone"});
    }
  };
  struct Status {
    std::int32_t replicas = 0;
    std::string selector{};
    std::vector<StatusCondition> conditions{};
    static constexpr auto fields() {
      return pintle::fields(field("replicas", &Status::replicas), field("selector", &Status::selector),
                            field("conditions", &Status::conditions).column("Ready"));
    }
  };
  Metadata metadata{};
  Spec spec{};
  Status status{};
};

std::string text_at(const json::Value& value, std::string_view pointer) {
  const json::Value* found = json::find(value, pointer);
  return found == nullptr ? "missing" : json::print(*found);
}

TEST(Rules, AreInTheSchema) {
  const json::Value schema = schema_of<Gate>();
  const struct {
    const char* field;
    const char* schema;
  } cases[] = {
      {"replicas", R"({"type":"integer","format":"int32","minimum":0,"multipleOf":2,"default":0})"},
      {"low", R"({"type":"integer","format":"int32","default":-1})"},
      {"high", R"({"type":"integer","format":"int32","nullable":true})"},
      {"on", R"({"type":"boolean","default":false})"},
      {"mode", R"({"type":"string","enum":["Fast","Slow"],"default":"Slow"})"},
      {"zone", R"({"type":"string","x-kubernetes-validations":[{"rule":"self != 'b'","message":"is not there yet"},)"
               R"({"rule":"self == oldSelf","message":"must not change"}],"enum":["a","b"]})"},
      {"share", R"({"x-kubernetes-int-or-string":true,"default":"25%"})"},
      {"tags", R"({"type":"array","items":{"type":"string","minLength":1,"maxLength":63,"pattern":"^[a-z]+$"},)"
               R"("minItems":1,"maxItems":5,"x-kubernetes-list-type":"set"})"},
      {"args", R"({"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"atomic","default":["-v"]})"},
      {"weights", R"({"type":"object","additionalProperties":{"type":"integer","format":"int32","minimum":0},)"
                  R"("maxProperties":3})"},
      {"selector", R"({"type":"object","additionalProperties":{"type":"string"},"x-kubernetes-map-type":"atomic"})"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(text_at(schema, "/properties/spec/properties/" + std::string(one.field)), one.schema);
  }
  EXPECT_EQ(text_at(schema, "/properties/spec/properties/ports/x-kubernetes-list-type"), "\"map\"");
  EXPECT_EQ(text_at(schema, "/properties/spec/properties/ports/x-kubernetes-list-map-keys"), R"(["port","protocol"])");
  EXPECT_EQ(text_at(schema, "/properties/spec/properties/limits/x-kubernetes-map-type"), "\"atomic\"");
  EXPECT_EQ(
      text_at(schema, "/properties/spec/x-kubernetes-validations"),
      R"x([{"rule":"!has(oldSelf.__namespace__) || has(self.__namespace__)","message":"must not be removed","fieldPath":".namespace"},)x"
      R"x({"rule":"!has(self.low) || !has(self.high) || self.low <= self.high","message":"low is at most high"},)x"
      R"x({"rule":"self.replicas > 0 || self.zone == 'a'","reason":"FieldValueForbidden","fieldPath":".zone"}])x");
  EXPECT_EQ(text_at(schema, "/x-kubernetes-validations"),
            R"([{"rule":"self.metadata.name.size() < 20","message":"needs a short name"}])");
}

TEST(Rules, AreInTheCrd) {
  const json::Value crd = crd_of<Gate>();
  EXPECT_EQ(text_at(crd, "/spec/versions/0/subresources"),
            R"({"status":{},"scale":{"specReplicasPath":".spec.replicas","statusReplicasPath":".status.replicas",)"
            R"("labelSelectorPath":".status.selector"}})");
  EXPECT_EQ(
      text_at(crd, "/spec/versions/0/additionalPrinterColumns"),
      R"([{"name":"Replicas","type":"integer","jsonPath":".spec.replicas","format":"int32","description":"How many.","priority":1},)"
      R"({"name":"Ready","type":"string","jsonPath":".status.conditions[?(@.type==\"Ready\")].status"},)"
      R"({"name":"First","type":"integer","jsonPath":".spec.ports[0].port"},)"
      R"({"name":"Age","type":"date","jsonPath":".metadata.creationTimestamp"}])");
  const auto sound = validate_crd(crd);
  EXPECT_TRUE(sound) << sound.error().message;
}

// ---- unions

struct EmptyFolder {
  std::string medium{};
  static constexpr auto fields() { return pintle::fields(field("medium", &EmptyFolder::medium)); }
};

struct Volume {
  std::string name{};
  std::variant<EmptyFolder, std::string> source{};
  std::variant<std::monostate, std::int32_t, Duration> kept{};
  static constexpr auto fields() {
    return pintle::fields(field("name", &Volume::name).required(),
                          union_of(&Volume::source, {{"emptyDir", "A folder."}, {"hostPath", "A path of the node."}}),
                          union_of(&Volume::kept, {{"keepCount"}, {"keepFor"}}));
  }
};

struct Depot {
  static constexpr Type type{"demo.pintle.dev/v1", "Depot"};
  struct Spec {
    std::vector<Volume> volumes{};
    static constexpr auto fields() { return pintle::fields(field("volumes", &Spec::volumes)); }
  };
  Metadata metadata{};
  Spec spec{};
};

Result<Depot> depot_of(std::string_view volume) {
  return decode<Depot>(*Object::parse(R"({"spec":{"volumes":[)" + std::string(volume) + "]}}"));
}

TEST(Unions, AreReadAndWritten) {
  for (const char* volume :
       {R"({"name":"a","emptyDir":{"medium":"m"}})", R"({"name":"a","hostPath":"/x","keepFor":"1m0s"})",
        R"({"name":"a","hostPath":"","keepCount":3})"}) {
    const auto depot = depot_of(volume);
    ASSERT_TRUE(depot) << depot.error().message;
    EXPECT_EQ(text_at(encode(*depot), "/spec/volumes/0"), volume);
  }
  EXPECT_EQ(std::get<std::string>(depot_of(R"({"emptyDir":null,"hostPath":"/x"})")->spec.volumes[0].source), "/x");
}

TEST(Unions, HaveExactlyOneMember) {
  const struct {
    const char* volume;
    const char* message;
  } cases[] = {
      {R"({"name":"a"})", "spec.volumes[0]: one of emptyDir, hostPath must be set"},
      {R"({"emptyDir":{},"hostPath":"/x"})", "spec.volumes[0]: only one of emptyDir and hostPath may be set"},
      {R"({"emptyDir":{},"keepFor":"1s","keepCount":1})",
       "spec.volumes[0]: only one of keepCount and keepFor may be set"},
      {R"({"emptyDir":{"medium":1}})", "spec.volumes[0].emptyDir.medium: expected a string, got an integer"},
  };
  for (const auto& one : cases) {
    const auto depot = depot_of(one.volume);
    ASSERT_FALSE(depot) << one.volume;
    EXPECT_EQ(depot.error().message, one.message);
  }
}

TEST(Unions, AreCheckedByTheServer) {
  const json::Document schema(schema_of<Depot>());
  const auto structural = StructuralSchema::parse(schema.root());
  ASSERT_TRUE(structural) << structural.error().message;
  EXPECT_EQ(schema.root()["/properties/spec/properties/volumes/items/properties/emptyDir/description"], "A folder.");
  const struct {
    const char* volume;
    bool is_fine;
  } cases[] = {{R"({"name":"a","emptyDir":{}})", true},
               {R"({"name":"a","hostPath":"/"})", true},
               {R"({"name":"a","hostPath":"/","keepCount":1})", true},
               {R"({"name":"a"})", false},
               {R"({"name":"a","emptyDir":{},"hostPath":"/"})", false},
               {R"({"name":"a","emptyDir":{},"keepFor":"1s","keepCount":1})", false}};
  for (const auto& one : cases) {
    const json::Document object =
        *json::Document::parse(R"({"metadata":{},"spec":{"volumes":[)" + std::string(one.volume) + "]}}");
    EXPECT_EQ(structural->validate(object.root()).empty(), one.is_fine) << one.volume;
  }
}

struct Shelf {
  std::variant<std::int32_t, std::string> place = "left";
  std::vector<StatusCondition> conditions{};
  static constexpr auto fields() {
    return pintle::fields(union_of(&Shelf::place, {{"number"}, {"side"}}),
                          field("conditions", &Shelf::conditions).atomic());
  }
};

// The server would add the default beside another alternative.
TEST(Unions, HaveNoDefault) { EXPECT_EQ(text_at(schema_of<Shelf>(), "/properties/side"), R"({"type":"string"})"); }

TEST(Rules, AnAtomicListMapHasNoKeys) {
  EXPECT_EQ(text_at(schema_of<Shelf>(), "/properties/conditions/x-kubernetes-list-type"), "\"atomic\"");
  EXPECT_EQ(text_at(schema_of<Shelf>(), "/properties/conditions/x-kubernetes-list-map-keys"), "missing");
}

// ---- updates

// server-facts 9: an invalid field that an update does not change is accepted.
TEST(SchemaUpdates, CheckOnlyWhatHasChanged) {
  const json::Document schema = json::Document::parse(R"({"type":"object","properties":{
      "a":{"type":"integer","maximum":5},"b":{"type":"string"},
      "o":{"type":"object","required":["r"],"properties":{"q":{"type":"integer"},"r":{"type":"integer"}}},
      "m":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],
           "items":{"type":"object","required":["k"],"properties":{"k":{"type":"string"},"v":{"type":"integer","maximum":5}}}},
      "l":{"type":"array","items":{"type":"integer","maximum":5}},
      "s":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"integer"}}}})")
                                    .value();
  const auto structural = StructuralSchema::parse(schema.root()).value();
  const json::Document old =
      json::Document::parse(R"({"a":9,"b":"x","o":{"q":1},"m":[{"k":"1","v":9}],"l":[9],"s":[1,1]})").value();
  const auto errors = [&](const char* text) {
    std::string out;
    for (const FieldError& error : structural.validate_update(json::Document::parse(text).value().root(), old.root())) {
      out += (out.empty() ? "" : " ") + error.field;
    }
    return out;
  };

  EXPECT_EQ(errors(R"({"a":9,"b":"y","o":{"q":1},"m":[{"k":"1","v":9}],"l":[9],"s":[1,1]})"), "");
  EXPECT_EQ(errors(R"({"a":8})"), "a");
  EXPECT_EQ(errors(R"({"o":{"q":2}})"), "o.r");
  EXPECT_EQ(errors(R"({"m":[{"k":"2","v":1},{"k":"1","v":9}]})"), "");
  EXPECT_EQ(errors(R"({"m":[{"k":"2","v":9}]})"), "m[0].v");
  EXPECT_EQ(errors(R"({"l":[9,1]})"), "l[0]");
  EXPECT_EQ(errors(R"({"s":[1,1,2]})"), "");
}

// ---- unknown fields

struct Plugin {
  std::string name{};
  json::object settings{};
  static constexpr auto fields() {
    return pintle::fields(field("name", &Plugin::name), unknown_fields(&Plugin::settings));
  }
};

struct Host {
  static constexpr Type type{"demo.pintle.dev/v1", "Host"};
  Metadata metadata{};
  Plugin plugin{};
  json::object others{};
  static constexpr auto fields() {
    return pintle::fields(field("plugin", &Host::plugin), unknown_fields(&Host::others));
  }
};

TEST(UnknownFields, AreKept) {
  const Object object = *Object::parse(
      R"({"apiVersion":"demo.pintle.dev/v1","kind":"Host","metadata":{"name":"a"},"plugin":{"name":"p","x":[1],"y":null},"z":true})");
  const auto host = decode<Host>(object);
  ASSERT_TRUE(host) << host.error().message;
  EXPECT_EQ(json::print(host->plugin.settings), R"({"x":[1],"y":null})");
  EXPECT_EQ(json::print(host->others), R"({"z":true})");
  EXPECT_EQ(json::print(encode(*host)), object.root().print());

  Host changed = *host;
  changed.plugin.settings["name"] = "not this";
  EXPECT_EQ(text_at(encode(changed), "/plugin/name"), "\"p\"");
}

TEST(UnknownFields, AreKeptByTheServer) {
  const json::Document schema(schema_of<Host>());
  EXPECT_EQ(schema.root()["/x-kubernetes-preserve-unknown-fields"], true);
  EXPECT_EQ(schema.root()["/properties/plugin/x-kubernetes-preserve-unknown-fields"], true);
  EXPECT_TRUE(validate_crd(crd_of<Host>()));
}

// ---- errors

// Rules that do not suit the type of their member do not compile.
constexpr auto number_field = field("n", &Port::number);
constexpr auto text_field = field("t", &Port::protocol);
constexpr auto list_field = field("l", &Gate::Spec::tags);
template <class F>
concept TakesRange = requires(F f) { f.minimum(1); };
template <class F>
concept TakesLength = requires(F f) { f.min_length(1); };
template <class F>
concept TakesChoices = requires(F f) { f.one_of({"a"}); };
template <class F>
concept TakesCount = requires(F f) { f.max_items(1); };
template <class F>
concept TakesListSet = requires(F f) { f.list_set(); };
template <class F>
concept TakesKeys = requires(F f) { f.list_map("a"); };
static_assert(TakesRange<decltype(number_field)> && !TakesRange<decltype(text_field)> &&
              !TakesRange<decltype(list_field)>);
static_assert(!TakesLength<decltype(number_field)> && TakesLength<decltype(text_field)> &&
              !TakesLength<decltype(list_field)>);
static_assert(!TakesChoices<decltype(number_field)> && TakesChoices<decltype(text_field)> &&
              !TakesChoices<decltype(list_field)>);
static_assert(!TakesCount<decltype(number_field)> && !TakesCount<decltype(text_field)> &&
              TakesCount<decltype(list_field)>);
static_assert(!TakesListSet<decltype(text_field)> && TakesListSet<decltype(list_field)> &&
              TakesKeys<decltype(list_field)>);

// Rules that contradict each other do not compile either: each of these errors is a static_assert where fields()
// becomes a table.
template <class T, class F>
constexpr internal::RuleError rule_error(const F& field) {
  return internal::rule_error(field.rules, field.choices, internal::limits_of<T>());
}
using internal::RuleError;
static_assert(rule_error<std::int32_t>(number_field.minimum(1).maximum(1)) == RuleError::none);
static_assert(rule_error<std::int32_t>(number_field.minimum(2).maximum(1)) == RuleError::range);
static_assert(rule_error<std::int32_t>(number_field.minimum(1.5).maximum(1)) == RuleError::range);
static_assert(rule_error<std::string>(text_field.min_length(2).max_length(1)) == RuleError::range);
static_assert(rule_error<void>(list_field.min_items(2).max_items(1)) == RuleError::range);
static_assert(rule_error<void>(list_field.items([](auto item) { return item.min_length(2).max_length(1); })) ==
              RuleError::range);

static_assert(rule_error<std::int32_t>(number_field.minimum(1).default_value(1)) == RuleError::none);
static_assert(rule_error<std::int32_t>(number_field.minimum(2).default_value(1)) == RuleError::default_range);
static_assert(rule_error<std::int32_t>(number_field.maximum(0).default_value(1)) == RuleError::default_range);
static_assert(rule_error<std::uint8_t>(number_field.default_value(256)) == RuleError::default_range);
static_assert(rule_error<std::uint8_t>(number_field.default_value(-1)) == RuleError::default_range);
static_assert(rule_error<std::string>(text_field.max_length(1).default_value("\u00e9")) == RuleError::none);
static_assert(rule_error<std::string>(text_field.max_length(1).default_value("ab")) == RuleError::default_range);
static_assert(rule_error<std::string>(text_field.min_length(3).default_value("ab")) == RuleError::default_range);

constexpr auto choice_field = text_field.one_of({"a", "b"});
static_assert(rule_error<std::string>(choice_field.default_value("b")) == RuleError::none);
static_assert(rule_error<std::string>(choice_field.default_value("c")) == RuleError::default_choice);

constexpr auto ports_field = field("p", &Gate::Spec::ports);
static_assert(internal::has_keys<Port>(ports_field.list_map("port", "protocol").rules.keys));
static_assert(!internal::has_keys<Port>(ports_field.list_map("name").rules.keys));            // is optional
static_assert(!internal::has_keys<Port>(ports_field.list_map("port", "colour").rules.keys));  // no such member
static_assert(!internal::has_keys<Gate::Spec>(ports_field.list_map("limits").rules.keys));    // is no scalar
static_assert(!internal::has_keys<std::string>(list_field.list_map("name").rules.keys));      // has no members

// Errors that the compiler cannot detect are found when the CRD is made.
template <class Spec>
struct KindOf {
  static constexpr Type type{"demo.pintle.dev/v1", "Kind"};
  Metadata metadata{};
  Spec spec{};
};
template <class Spec>
std::string error_in() {
  const auto sound = validate_crd(crd_of<KindOf<Spec>>());
  return sound ? "" : describe(sound.error().causes);
}

struct InitializerAboveItsRange {
  std::int32_t count = 9;
  static constexpr auto fields() { return pintle::fields(field("count", &InitializerAboveItsRange::count).maximum(5)); }
};
struct PatternThatIsNone {
  std::string name{};
  static constexpr auto fields() { return pintle::fields(field("name", &PatternThatIsNone::name).pattern("[a-")); }
};
struct DefaultThatIsNoJson {
  std::vector<std::string> names{};
  static constexpr auto fields() {
    return pintle::fields(field("names", &DefaultThatIsNoJson::names).default_json("[\"a\""));
  }
};
struct KeyWithoutDefault {
  std::string key{};
  static constexpr auto fields() { return pintle::fields(field("key", &KeyWithoutDefault::key)); }
};
struct ListByKey {
  std::vector<KeyWithoutDefault> all{};
  static constexpr auto fields() { return pintle::fields(field("all", &ListByKey::all).list_map("key")); }
};

struct Fixed {
  std::string key{};
  std::string text{};
  static constexpr auto fields() {
    return pintle::fields(field("key", &Fixed::key).required(), field("text", &Fixed::text).immutable());
  }
};
struct FixedInAList {
  std::vector<Fixed> all{};
  static constexpr auto fields() { return pintle::fields(field("all", &FixedInAList::all)); }
};
struct FixedInAListMap {
  std::vector<Fixed> all{};
  std::map<std::string, Fixed> by_name{};
  static constexpr auto fields() {
    return pintle::fields(field("all", &FixedInAListMap::all).list_map("key"),
                          field("by-name", &FixedInAListMap::by_name).immutable());
  }
};
struct FixedInSomethingAtomic {
  Fixed all{};
  static constexpr auto fields() { return pintle::fields(field("all", &FixedInSomethingAtomic::all).atomic()); }
};
struct ReasonThatIsNone {
  std::string text{};
  static constexpr auto fields() {
    return pintle::fields(field("text", &ReasonThatIsNone::text).rule({.rule = "self != ''", .reason = "Empty"}));
  }
};

TEST(Rules, OfTransitionsNeedAnOldValue) {
  const std::string at = "spec.versions[0].schema.openAPIV3Schema.properties[spec].properties";
  const std::string why = ": oldSelf cannot be used below a list that is not a list map, or below an atomic value";
  EXPECT_EQ(
      error_in<FixedInAList>(),
      "[" + at +
          "[all].items.x-kubernetes-validations[0].rule: Invalid value: \"!has(oldSelf.text) || has(self.text)\"" +
          why + ", " + at +
          "[all].items.properties[text].x-kubernetes-validations[0].rule: Invalid value: \"self == oldSelf\"" + why +
          "]");
  EXPECT_EQ(error_in<FixedInAListMap>(), "");
  EXPECT_EQ(error_in<FixedInSomethingAtomic>(),
            at + "[all].properties[text].x-kubernetes-validations[0].rule: Invalid value: \"self == oldSelf\"" + why);
  EXPECT_EQ(error_in<ReasonThatIsNone>(),
            at + "[text].x-kubernetes-validations[0].reason: Invalid value: \"Empty\": must be FieldValueInvalid, "
                 "FieldValueForbidden, FieldValueRequired or FieldValueDuplicate");
  const json::Value schema = schema_of<FixedInAListMap>();
  EXPECT_EQ(text_at(schema, "/x-kubernetes-validations/0/fieldPath"), "\"['by-name']\"");
  EXPECT_EQ(text_at(schema, "/x-kubernetes-validations/0/rule"),
            R"x("!has(oldSelf.by__dash__name) || has(self.by__dash__name)")x");
}

TEST(Rules, InvalidOnesAreReported) {
  const std::string at = "spec.versions[0].schema.openAPIV3Schema.properties[spec].properties";
  EXPECT_EQ(error_in<InitializerAboveItsRange>(), at + "[count].default: Invalid value: 9: " + at +
                                                      "[count].default in body should be less than or equal to 5");
  EXPECT_EQ(
      error_in<PatternThatIsNone>(),
      at + "[name].pattern: Invalid value: \"[a-\": must be a valid regular expression, but isn't: missing ]: [a-");
  EXPECT_EQ(error_in<DefaultThatIsNoJson>(), at + "[names].default: Invalid value: \"string\": " + at +
                                                 "[names].default in body must be of type array: \"string\"");
  EXPECT_EQ(
      error_in<ListByKey>(),
      at + "[all].items.properties[key].default: Required value: this property is in x-kubernetes-list-map-keys, so it "
           "must have a default or be a required property");
  EXPECT_EQ(error_in<Gate::Spec>(), "");
}

struct Crooked {
  static constexpr Type type{"demo.pintle.dev/v1", "Crooked"};
  static constexpr std::array columns{PrinterColumn{.name = "A", .path = ".spec.colour", .type = "string"},
                                      PrinterColumn{.name = "B", .path = "spec.zone", .type = "string"}};
  static constexpr ScaleSubresource scale{.spec_replicas = ".status.replicas"};
  Metadata metadata{};
  Gate::Spec spec{};
};

TEST(Rules, RequireOneStoredVersion) {
  json::Value crd = crd_of<Gate>();
  crd.at("spec").at("versions").at(0).as_object()["storage"] = false;
  EXPECT_EQ(describe(validate_crd(crd).error().causes),
            "spec.versions: Invalid value: must have exactly one version marked as storage version, not 0");
}

TEST(Rules, OfAKindWithInvalidPathsAreReported) {
  const auto sound = validate_crd(crd_of<Crooked>());
  ASSERT_FALSE(sound);
  EXPECT_EQ(sound.error().code, ErrorCode::invalid);
  EXPECT_EQ(sound.error().message.substr(0, 53), "the CRD crookeds.demo.pintle.dev is not valid: [spec.");
  std::vector<std::string> errors;
  for (const StatusCause& cause : sound.error().causes) errors.push_back(cause.field + ": " + cause.message);
  EXPECT_EQ(errors,
            (std::vector<std::string>{
                "spec.versions[0].additionalPrinterColumns[1].jsonPath: Invalid value: \".spec.colour\": the schema "
                "has no field \"colour\" at this place",
                "spec.versions[0].additionalPrinterColumns[2].jsonPath: Invalid value: \"spec.zone\": must begin "
                "with a dot, such as .spec.replicas",
                "spec.versions[0].subresources.scale.specReplicasPath: Invalid value: \".status.replicas\": must be "
                "below .spec",
                "spec.versions[0].subresources.scale.statusReplicasPath: Invalid value: \".status.replicas\": the "
                "schema has no field \"status\" at this place"}));
}

}  // namespace
}  // namespace pintle
