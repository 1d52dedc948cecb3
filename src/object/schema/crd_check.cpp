// SPDX-License-Identifier: Apache-2.0
// Checks a CRD by the rules of the API server.
#include <algorithm>
#include <iterator>

#include <pintle/base/text.hpp>
#include <pintle/object/schema/crd.hpp>
#include <pintle/object/schema/structural.hpp>

namespace pintle {
namespace {

class CrdCheck {
 public:
  explicit CrdCheck(json::View crd) : versions_(crd["/spec/versions"]), crd_(crd) {}

  std::vector<StatusCause> run() {
    std::size_t stored = 0;
    for (std::size_t i = 0; i < versions_.size(); ++i) {
      const json::View version = versions_.element(i);
      if (version.member("storage") == true) ++stored;
      check_version(version, "spec.versions[" + std::to_string(i) + "]");
    }
    if (stored != 1)
      wrong("spec.versions", "must have exactly one version marked as storage version, not " + std::to_string(stored));
    const json::View strategy = crd_["/spec/conversion/strategy"];
    if (stored == 1 && (!strategy.exists() || strategy == "None")) check_same_fields();
    if (strategy == "Webhook" && !crd_["/spec/conversion/webhook/clientConfig"].exists()) {
      causes_.push_back({"FieldValueRequired", "Required value: set the address of the conversion webhook",
                         "spec.conversion.webhook.clientConfig"});
    }
    return std::move(causes_);
  }

 private:
  void wrong(std::string field, std::string message) {
    causes_.push_back({"FieldValueInvalid", "Invalid value: " + std::move(message), std::move(field)});
  }

  void check_version(json::View version, const std::string& at) {
    const json::View schema = version["/schema/openAPIV3Schema"];
    if (auto parsed = StructuralSchema::parse(schema, at + ".schema.openAPIV3Schema"); !parsed) {
      for (StatusCause& cause : parsed.error().causes) causes_.push_back(std::move(cause));
    }
    check_rules(schema, true, at + ".schema.openAPIV3Schema");
    check_warning(version, at);
    std::size_t i = 0;
    for (const json::View column : version.member("additionalPrinterColumns").elements()) {
      check_path(schema, column.member("jsonPath").text(), "",
                 at + ".additionalPrinterColumns[" + std::to_string(i++) + "].jsonPath");
    }
    const json::View scale = version["/subresources/scale"];
    if (!scale.exists()) return;
    for (const auto& [name, below] : {std::pair("specReplicasPath", ".spec."),
                                      {"statusReplicasPath", ".status."},
                                      {"labelSelectorPath", ".status."}}) {
      const json::View path = scale.member(name);
      if (path.exists()) check_path(schema, path.text(), below, at + ".subresources.scale." + name);
    }
  }

  // A rule with oldSelf requires a previous value of the same field. Elements of a list have one only in a list map,
  // where keys identify them, and members of an atomic value have none.
  void check_rules(json::View schema, bool has_before, const std::string& at) {
    static constexpr std::string_view reasons[] = {"", "FieldValueRequired", "FieldValueInvalid", "FieldValueForbidden",
                                                   "FieldValueDuplicate"};
    std::size_t i = 0;
    for (const json::View rule : schema.member("x-kubernetes-validations").elements()) {
      const std::string place = at + ".x-kubernetes-validations[" + std::to_string(i++) + "]";
      const std::string_view text = rule.member("rule").text();
      if (text.empty()) wrong(place + ".rule", "must not be empty");
      if (!has_before && text.find("oldSelf") != std::string_view::npos) {
        wrong(place + ".rule",
              quote(text) + ": oldSelf cannot be used below a list that is not a list map, or below an atomic value");
      }
      const std::string_view reason = rule.member("reason").text();
      if (std::find(std::begin(reasons), std::end(reasons), reason) == std::end(reasons)) {
        wrong(place + ".reason", quote(reason) +
                                     ": must be FieldValueInvalid, FieldValueForbidden, FieldValueRequired "
                                     "or FieldValueDuplicate");
      }
    }
    const bool is_whole = schema.member("x-kubernetes-map-type") == "atomic";
    for (const auto [name, property] : schema.member("properties").members()) {
      check_rules(property, has_before && !is_whole, at + ".properties[" + std::string(name) + "]");
    }
    if (const json::View entries = schema.member("additionalProperties"); entries.is_object()) {
      check_rules(entries, has_before && !is_whole, at + ".additionalProperties");
    }
    if (const json::View items = schema.member("items"); items.is_object()) {
      check_rules(items, has_before && schema.member("x-kubernetes-list-type") == "map", at + ".items");
    }
  }

  void check_warning(json::View version, const std::string& at) {
    constexpr std::size_t longest = 256;
    const std::string_view warning = version.member("deprecationWarning").text();
    if (warning.size() > longest) wrong(at + ".deprecationWarning", "is longer than 256 bytes");
  }

  // Follows a path while it consists of plain members, and checks that the schema has them.
  void check_path(json::View schema, std::string_view path, std::string_view below, const std::string& at) {
    if (!path.starts_with('.')) return wrong(at, quote(path) + ": must begin with a dot, such as .spec.replicas");
    if (!path.starts_with(below))
      return wrong(at, quote(path) + ": must be below " + std::string(below.substr(0, below.size() - 1)));
    for (std::string_view rest = path; rest.starts_with('.');) {
      rest.remove_prefix(1);
      const std::string_view name = rest.substr(0, rest.find_first_of(".["));
      rest.remove_prefix(name.size());
      if (name == "metadata" || schema.member("properties").size() == 0) return;
      schema = schema.member("properties").member(name);
      if (!schema.exists())
        return wrong(at, quote(path) + ": the schema has no field " + quote(name) + " at this place");
    }
  }

  // Without a conversion webhook, the server changes only apiVersion, and prunes the fields that the other version does
  // not have.
  void check_same_fields() {
    json::View stored;
    for (const json::View version : versions_.elements()) {
      if (version.member("storage") == true) stored = version;
    }
    for (std::size_t i = 0; i < versions_.size(); ++i) {
      const json::View version = versions_.element(i);
      const std::string at = "spec.versions[" + std::to_string(i) + "].schema.openAPIV3Schema";
      other_ = stored.member("name").text();
      check_same(version["/schema/openAPIV3Schema"], stored["/schema/openAPIV3Schema"], at);
      other_ = version.member("name").text();
      check_same(stored["/schema/openAPIV3Schema"], version["/schema/openAPIV3Schema"], at);
    }
  }

  void check_same(json::View here, json::View there, const std::string& at) {
    if (there.member("x-kubernetes-preserve-unknown-fields") == true && !there.member("properties").exists()) return;
    if (here.member("type").text() != there.member("type").text()) {
      return wrong(at, "version " + std::string(other_) + " has type " + quote(there.member("type").text()) +
                           " instead of " + quote(here.member("type").text()) +
                           "; use the same type in all versions, or add a conversion webhook");
    }
    for (const auto [name, schema] : here.member("properties").members()) {
      const json::View same = there.member("properties").member(name);
      const std::string place = at + ".properties[" + std::string(name) + "]";
      if (same.exists()) {
        check_same(schema, same, place);
      } else if (there.member("x-kubernetes-preserve-unknown-fields") != true) {
        wrong(place,
              "version " + std::string(other_) + " does not have this field; add it, or add a conversion webhook");
      }
    }
    for (const char* name : {"items", "additionalProperties"}) {
      if (here.member(name).is_object() && there.member(name).is_object()) {
        check_same(here.member(name), there.member(name), at + "." + name);
      }
    }
  }

  json::View versions_;
  json::View crd_;
  std::string_view other_;
  std::vector<StatusCause> causes_;
};

}  // namespace

Result<void> validate_crd(const json::Value& crd) {
  const json::Document document(crd);
  std::vector<StatusCause> causes = CrdCheck(document.root()).run();
  if (causes.empty()) return {};
  Error error = make_error(ErrorCode::invalid, "the CRD " + std::string(CrdView(document.root()).name()) +
                                                   " is not valid: " + describe(causes));
  error.causes = std::move(causes);
  return error;
}

}  // namespace pintle
