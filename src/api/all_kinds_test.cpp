// SPDX-License-Identifier: Apache-2.0
// Every kind keeps all of its members when an object is decoded and encoded again.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/api/admissionregistration/v1.hpp>
#include <pintle/api/apiextensions/v1.hpp>
#include <pintle/api/apiregistration/v1.hpp>
#include <pintle/api/apps/v1.hpp>
#include <pintle/api/authentication/v1.hpp>
#include <pintle/api/authorization/v1.hpp>
#include <pintle/api/autoscaling/v1.hpp>
#include <pintle/api/autoscaling/v2.hpp>
#include <pintle/api/batch/v1.hpp>
#include <pintle/api/certificates/v1.hpp>
#include <pintle/api/coordination/v1.hpp>
#include <pintle/api/core/v1.hpp>
#include <pintle/api/discovery/v1.hpp>
#include <pintle/api/events/v1.hpp>
#include <pintle/api/flowcontrol/v1.hpp>
#include <pintle/api/meta/v1.hpp>
#include <pintle/api/networking/v1.hpp>
#include <pintle/api/node/v1.hpp>
#include <pintle/api/policy/v1.hpp>
#include <pintle/api/rbac/v1.hpp>
#include <pintle/api/resource/v1.hpp>
#include <pintle/api/scheduling/v1.hpp>
#include <pintle/api/storage/v1.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/protobuf.hpp>
#include <pintle/object/schema/schema.hpp>
#include <pintle/testing/random_object.hpp>
#include <pintle/testing/seeds.hpp>

namespace pintle::api {
namespace {

struct KindRow {
  Type type;
  json::Value schema;
  Result<json::Value> (*read_and_write)(const Object&);
};

template <class T>
KindRow row() {
  return {T::type, schema_of<T>(), [](const Object& object) -> Result<json::Value> {
            auto read = decode<T>(object);
            if (!read) return fail(std::move(read.error()));
            return encode(*read);
          }};
}

std::vector<KindRow> all_kinds() {
  return {
      row<admissionregistration::v1::MutatingAdmissionPolicy>(),
      row<admissionregistration::v1::MutatingAdmissionPolicyBinding>(),
      row<admissionregistration::v1::MutatingWebhookConfiguration>(),
      row<admissionregistration::v1::ValidatingAdmissionPolicy>(),
      row<admissionregistration::v1::ValidatingAdmissionPolicyBinding>(),
      row<admissionregistration::v1::ValidatingWebhookConfiguration>(),
      row<apiextensions::v1::CustomResourceDefinition>(),
      row<apiregistration::v1::APIService>(),
      row<apps::v1::ControllerRevision>(),
      row<apps::v1::DaemonSet>(),
      row<apps::v1::Deployment>(),
      row<apps::v1::ReplicaSet>(),
      row<apps::v1::StatefulSet>(),
      row<authentication::v1::SelfSubjectReview>(),
      row<authentication::v1::TokenRequest>(),
      row<authentication::v1::TokenReview>(),
      row<authorization::v1::LocalSubjectAccessReview>(),
      row<authorization::v1::SelfSubjectAccessReview>(),
      row<authorization::v1::SelfSubjectRulesReview>(),
      row<authorization::v1::SubjectAccessReview>(),
      row<autoscaling::v1::HorizontalPodAutoscaler>(),
      row<autoscaling::v1::Scale>(),
      row<autoscaling::v2::HorizontalPodAutoscaler>(),
      row<batch::v1::CronJob>(),
      row<batch::v1::Job>(),
      row<certificates::v1::CertificateSigningRequest>(),
      row<coordination::v1::Lease>(),
      row<core::v1::Binding>(),
      row<core::v1::ComponentStatus>(),
      row<core::v1::ConfigMap>(),
      row<core::v1::Endpoints>(),
      row<core::v1::Event>(),
      row<core::v1::LimitRange>(),
      row<core::v1::Namespace>(),
      row<core::v1::Node>(),
      row<core::v1::PersistentVolume>(),
      row<core::v1::PersistentVolumeClaim>(),
      row<core::v1::Pod>(),
      row<core::v1::PodTemplate>(),
      row<core::v1::ReplicationController>(),
      row<core::v1::ResourceQuota>(),
      row<core::v1::Secret>(),
      row<core::v1::Service>(),
      row<core::v1::ServiceAccount>(),
      row<discovery::v1::EndpointSlice>(),
      row<events::v1::Event>(),
      row<flowcontrol::v1::FlowSchema>(),
      row<flowcontrol::v1::PriorityLevelConfiguration>(),
      row<networking::v1::IPAddress>(),
      row<networking::v1::Ingress>(),
      row<networking::v1::IngressClass>(),
      row<networking::v1::NetworkPolicy>(),
      row<networking::v1::ServiceCIDR>(),
      row<node::v1::RuntimeClass>(),
      row<policy::v1::Eviction>(),
      row<policy::v1::PodDisruptionBudget>(),
      row<rbac::v1::ClusterRole>(),
      row<rbac::v1::ClusterRoleBinding>(),
      row<rbac::v1::Role>(),
      row<rbac::v1::RoleBinding>(),
      row<resource::v1::DeviceClass>(),
      row<resource::v1::ResourceClaim>(),
      row<resource::v1::ResourceClaimTemplate>(),
      row<resource::v1::ResourceSlice>(),
      row<scheduling::v1::PriorityClass>(),
      row<storage::v1::CSIDriver>(),
      row<storage::v1::CSINode>(),
      row<storage::v1::CSIStorageCapacity>(),
      row<storage::v1::StorageClass>(),
      row<storage::v1::VolumeAttachment>(),
      row<storage::v1::VolumeAttributesClass>(),
  };
}

// Returns a value that the schema allows, with a member for each property and an entry in each list and map.
json::Value sample(const json::Value& schema, std::string_view name) {
  const auto text_of = [&](const char* pointer) {
    const json::Value* found = json::find(schema, pointer);
    return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string();
  };
  const std::string type = text_of("/type");
  const std::string format = text_of("/format");
  if (const json::Value* choices = json::find(schema, "/enum")) return choices->as_array().back();
  if (const json::Value* items = json::find(schema, "/items")) return json::array{sample(*items, name)};
  if (const json::Value* entry = json::find(schema, "/additionalProperties")) {
    return json::object{{"key", sample(*entry, name)}};
  }
  if (name == "metadata") return json::object{{"name", "a"}, {"labels", json::object{{"app", "b"}}}};
  if (json::find(schema, "/x-kubernetes-int-or-string") != nullptr) return "12";
  if (const json::Value* properties = json::find(schema, "/properties")) {
    json::object all;
    for (const auto& property : properties->as_object()) all[property.key()] = sample(property.value(), property.key());
    return all;
  }
  // Values for a kind that is nested in another one: the volume claims of a StatefulSet.
  if (name == "apiVersion") return "v1";
  if (name == "kind") return "PersistentVolumeClaim";
  if (type == "boolean") return true;
  if (type == "integer") return 7;
  if (type == "number") return 1.5;
  if (format == "byte") return "AAEC";
  if (format == "date-time") return "2026-01-02T03:04:05Z";
  if (type == "string") return json::Value("text of " + std::string(name));
  return json::object{};
}

// Compares times by value, because a `MicroTime` is always encoded with six decimal places.
bool is_same_time(const json::Value& a, const json::Value& b) {
  if (!a.is_string() || !b.is_string()) return false;
  const auto first = parse_time(std::string(a.as_string()));
  const auto second = parse_time(std::string(b.as_string()));
  return first && second && *first == *second;
}

// Succeeds if `whole` contains every member of `part`; it may have more members.
::testing::AssertionResult is_in(const json::Value& part, const json::Value& whole, const std::string& place) {
  const auto differs = [&] {
    return ::testing::AssertionFailure() << place << ": " << json::print(part) << " became " << json::print(whole);
  };
  if (part.is_object() && whole.is_object()) {
    for (const auto& member : part.as_object()) {
      const std::string at = place + "/" + std::string(member.key());
      const json::Value* found = whole.as_object().if_contains(member.key());
      if (found == nullptr) return ::testing::AssertionFailure() << at << " is lost";
      if (auto inside = is_in(member.value(), *found, at); !inside) return inside;
    }
    return ::testing::AssertionSuccess();
  }
  if (part.is_array() && whole.is_array() && part.as_array().size() == whole.as_array().size()) {
    for (std::size_t i = 0; i < part.as_array().size(); ++i) {
      if (auto inside = is_in(part.as_array()[i], whole.as_array()[i], place + "/" + std::to_string(i)); !inside) {
        return inside;
      }
    }
    return ::testing::AssertionSuccess();
  }
  return part == whole || is_same_time(part, whole) ? ::testing::AssertionSuccess() : differs();
}

std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(AllKinds, MatchTheHeaders) {
  std::set<std::string> listed;
  for (const KindRow& kind : all_kinds()) listed.insert(GroupVersionKind(kind.type).to_string());

  std::set<std::string> declared;
  const std::string mark = "static constexpr Type type{\"";
  for (const auto& entry : std::filesystem::recursive_directory_iterator("include/pintle/api")) {
    const std::string text = entry.is_regular_file() ? text_of_file(entry.path()) : "";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
      const std::size_t start = at + mark.size();
      std::string names = text.substr(start, text.find("\"}", start) - start);  // for example: apps/v1", "Deployment
      declared.insert(names.replace(names.find("\", \""), 4, " "));
    }
  }
  EXPECT_EQ(listed, declared);
}

TEST(AllKinds, KeepEveryMemberInARoundTrip) {
  for (const KindRow& kind : all_kinds()) {
    SCOPED_TRACE(GroupVersionKind(kind.type).to_string());
    json::Value full = sample(kind.schema, "");
    full.as_object()["apiVersion"] = kind.type.api_version;
    full.as_object()["kind"] = kind.type.kind;

    const auto written = kind.read_and_write(Object(full));

    ASSERT_TRUE(written) << written.error().message;
    EXPECT_TRUE(is_in(full, *written, ""));
    const auto again = kind.read_and_write(Object(*written));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, *written);
  }
}

// Returns the value without members that Go programs print and encode differently from each other: null, "", 0, false,
// and empty lists and objects.
json::Value without_unset(const json::Value& value) {
  const auto is_unset = [](const json::Value& one) {
    const json::Value zeros[] = {nullptr, "", 0, false, json::array(), json::object()};
    return std::ranges::any_of(zeros, [&](const json::Value& zero) { return json::equal(one, zero); });
  };
  if (value.is_array()) {
    json::array elements;
    for (const json::Value& element : value.as_array()) elements.push_back(without_unset(element));
    return elements;
  }
  if (!value.is_object()) return value;
  json::object members;
  for (const auto& member : value.as_object()) {
    json::Value set = without_unset(member.value());
    if (!is_unset(set)) members[member.key()] = std::move(set);
  }
  return members;
}

const json::MessageTypes::Field* find_field(const json::MessageTypes::Message& message, std::string_view name) {
  for (const auto& field : message.fields) {
    const auto* const found = field.is_inline ? find_field(*field.message, name) : &field;
    if (found != nullptr && found->name == name) return found;
  }
  return nullptr;
}

// Removes the members that the messages do not have, because they are newer, and adds their names to `names`.
void remove_newer(json::Value& value, const json::MessageTypes::Message& message, bool has_kind,
                  std::set<std::string>& names) {
  json::object known;
  for (auto& member : value.as_object()) {
    const std::string_view name = member.key();
    const auto* const field = find_field(message, name);
    const bool is_kind = has_kind && (name == "apiVersion" || name == "kind");
    if (field == nullptr && !is_kind) {
      names.insert(std::string(message.name) + "." + std::string(name));
      continue;
    }
    json::Value& content = known[name] = std::move(member.value());
    if (field == nullptr || field->message == nullptr) continue;
    if (field->form == json::MessageTypes::Form::union_) continue;  // JSON does not contain the message
    if (field->is_list) {
      for (auto& element : content.as_array()) remove_newer(element, *field->message, field->has_kind, names);
    } else if (field->is_map) {
      for (auto& entry : content.as_object()) remove_newer(entry.value(), *field->message, false, names);
    } else {
      remove_newer(content, *field->message, false, names);
    }
  }
  value = std::move(known);
}

// Checks that an object in protobuf has the members of its JSON.
::testing::AssertionResult is_same_in_protobuf(const json::Value& object, const json::MessageTypes::Message& message) {
  const json::Document document(object);
  std::string bytes;
  if (auto encoded = append_message(document.root(), message, bytes); !encoded) {
    return ::testing::AssertionFailure() << encoded.error().message;
  }
  const std::string_view api_version = document.root().member("apiVersion").text();
  const std::string_view kind = document.root().member("kind").text();
  const auto decoded = json::parse_protobuf(protobuf_envelope(api_version, kind, bytes), protobuf_types());
  if (!decoded) return ::testing::AssertionFailure() << decoded.error().message;
  const json::Value before = without_unset(object);
  const json::Value after = without_unset(*decoded);
  if (json::equal(before, after)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << json::print(before) << "\nbecame\n" << json::print(after);
}

TEST(AllKinds, KeepEveryMemberInProtobuf) {
  std::set<std::string> json_only;
  std::set<std::string> newer;
  for (const KindRow& kind : all_kinds()) {
    const std::string name = GroupVersionKind(kind.type).to_string();
    const auto* const message = protobuf_types().find_kind(kind.type.api_version, kind.type.kind);
    if (message == nullptr) {
      json_only.insert(name);
      continue;
    }
    const json::Document schema(kind.schema);
    const auto check = [&](json::Value object) {
      object.as_object()["apiVersion"] = kind.type.api_version;
      object.as_object()["kind"] = kind.type.kind;
      auto written = kind.read_and_write(Object(object));
      ASSERT_TRUE(written) << name << ": " << written.error().message;
      remove_newer(*written, *message, true, newer);
      EXPECT_TRUE(is_same_in_protobuf(*written, *message)) << name;
    };
    // A list of booleans is a list of JSON values in the type, so that a sample of it is not in protobuf.
    if (name == "resource.k8s.io/v1 ResourceSlice") continue;
    check(sample(kind.schema, ""));
    // Random members of a schema are no schemas.
    if (name == "apiextensions.k8s.io/v1 CustomResourceDefinition") continue;
    for (const std::uint64_t seed : pintle::testkit::seeds({.usual = 10, .sanitized = 2, .long_run = 100})) {
      SCOPED_TRACE(seed);
      Random random(seed);
      json::Value object = pintle::testkit::random_value(schema.root(), random);
      object.as_object()["metadata"] = json::object{{"name", "random"}};
      check(std::move(object));
    }
  }
  EXPECT_EQ(json_only, std::set<std::string>());
  // The type of the options that an Eviction contains is not in protobuf.
  EXPECT_EQ(newer, (std::set<std::string>{"meta.v1.DeleteOptions.apiVersion", "meta.v1.DeleteOptions.kind"}));
}

// Merges the schemas of the OpenAPI documents of a cluster, in the same way as generate-api.
json::Value merged_schemas(const std::filesystem::path& folder) {
  json::object all;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto document = json::parse(text_of_file(entry.path()));
    if (!document) continue;
    const json::Value* schemas = json::find(*document, "/components/schemas");
    for (const auto& schema : schemas->as_object()) all[schema.key()] = schema.value();
  }
  return all;
}

// Replaces each reference by the schema that it names; a schema inside itself becomes an empty object.
json::Value resolved(const json::Value& schema, const json::object& all, std::set<std::string>& open) {
  if (const json::Value* ref = json::find(schema, "/$ref"); ref != nullptr && ref->is_string()) {
    const std::string name = std::string(ref->as_string()).substr(std::string("#/components/schemas/").size());
    if (name.ends_with(".Time") || name.ends_with(".MicroTime")) {
      return json::object{{"type", "string"}, {"format", "date-time"}};
    }
    if (name.ends_with(".Quantity") || name.ends_with(".IntOrString")) {
      return json::object{{"x-kubernetes-int-or-string", true}};
    }
    if (!open.insert(name).second) return json::object{};
    json::Value inside = resolved(all.at(name), all, open);
    open.erase(name);
    // The object layer allows only some values for the status of a condition; the documents allow any text.
    if (name.ends_with("meta.v1.Condition")) (void)json::set(inside, "/properties/status/enum", json::array{"True"});
    return inside;
  }
  if (const json::Value* only = json::find(schema, "/allOf/0")) return resolved(*only, all, open);
  if (schema.is_array()) {
    json::array out;
    for (const json::Value& element : schema.as_array()) out.push_back(resolved(element, all, open));
    return out;
  }
  if (!schema.is_object()) return schema;
  json::object out;
  for (const auto& member : schema.as_object()) out[member.key()] = resolved(member.value(), all, open);
  return out;
}

TEST(AllKinds, HaveEveryMemberOfTheOpenApiDocuments) {
  const json::Value schemas = merged_schemas("tests/data/k8s/openapi");
  std::size_t compared = 0;
  for (const KindRow& kind : all_kinds()) {
    SCOPED_TRACE(GroupVersionKind(kind.type).to_string());
    for (const auto& entry : schemas.as_object()) {
      const json::Value* names = json::find(entry.value(), "/x-kubernetes-group-version-kind/0");
      if (names == nullptr || !json::find(entry.value(), "/properties/metadata/allOf")) continue;
      GroupVersionKind wanted;
      wanted.group = names->at("group").as_string();
      wanted.version = names->at("version").as_string();
      wanted.kind = names->at("kind").as_string();
      if (wanted != GroupVersionKind(kind.type)) continue;
      std::set<std::string> open;
      json::Value full = sample(resolved(entry.value(), schemas.as_object(), open), "");
      full.as_object()["apiVersion"] = kind.type.api_version;
      full.as_object()["kind"] = kind.type.kind;
      const auto written = kind.read_and_write(Object(full));
      ASSERT_TRUE(written) << written.error().message;
      EXPECT_TRUE(is_in(full, *written, ""));
      ++compared;
    }
  }
  EXPECT_EQ(compared, all_kinds().size());
}

}  // namespace
}  // namespace pintle::api
