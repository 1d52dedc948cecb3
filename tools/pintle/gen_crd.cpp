// SPDX-License-Identifier: Apache-2.0
#include "gen_crd.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <pintle/base/text.hpp>
#include <pintle/object/schema/crd.hpp>

#include "gen_names.hpp"
#include "gen_schema.hpp"

namespace pintle::tools {
namespace {

auto wrong(const Place& place, const std::string& what) {
  return fail(ErrorCode::invalid, place.to_string() + ": " + what);
}

void add_list(KindFacts& facts, Header& header, std::string_view name, json::View texts) {
  if (texts.empty()) return;
  std::string all;
  for (const json::View text : texts.elements()) all += (all.empty() ? "" : ", ") + literal(text.text());
  header.includes.insert({"array", "string_view"});
  facts.facts.push_back(fmt::format("std::array<std::string_view, {}> {}{{{}}}", texts.size(), name, all));
}

// Returns the facts of a kind that do not follow from the API conventions.
KindFacts facts_of(json::View crd, json::View version, Header& header) {
  const json::View names = crd["/spec/names"];
  KindFacts facts{.api_version = fmt::format("{}/{}", crd["/spec/group"].text(), version.member("name").text()),
                  .kind = std::string(names.member("kind").text())};
  const auto add_text = [&](std::string_view name, std::string_view text, const std::string& usual) {
    if (text.empty() || text == usual) return;
    header.includes.insert("string_view");
    facts.facts.push_back(fmt::format("std::string_view {} = {}", name, literal(text)));
  };
  add_text("plural", names.member("plural").text(), default_plural(facts.kind));
  add_text("singular", names.member("singular").text(), to_lower_ascii(facts.kind));
  add_list(facts, header, "short_names", names.member("shortNames"));
  add_list(facts, header, "categories", names.member("categories"));
  if (CrdView(crd).scope() == Scope::cluster) {
    header.includes.insert("pintle/object/schema/crd.hpp");
    facts.facts.emplace_back("pintle::Scope scope = pintle::Scope::cluster");
  }
  facts.facts.emplace_back(foreign_fact);
  return facts;
}

Result<void> read_version(json::View crd, json::View version, const Place& place, Headers& headers,
                          std::vector<std::string>& warnings) {
  const json::View schema = version["/schema/openAPIV3Schema"];
  const Place at = place.at("schema").at("openAPIV3Schema");
  if (schema.member("type") != "object") {
    return wrong(
        at, "is missing or not of type object; a CRD of apiextensions.k8s.io/v1 must have a schema for each version");
  }
  const std::string_view group = crd["/spec/group"].text();
  const HeaderName name{snake_case(group.substr(0, group.find('.'))), snake_case(version.member("name").text())};
  Header& header = headers[name];
  header.includes.insert("pintle/object/metadata.hpp");

  StructType kind{.kind = facts_of(crd, version, header)};
  kind.name = pascal_case(kind.kind->kind);
  for (const auto [property, its_schema] : schema.member("properties").members()) {
    const bool is_usual = property == "apiVersion" || property == "kind" || property == "metadata" ||
                          property == "spec" || property == "status";
    kind.kind->has_own_fields = kind.kind->has_own_fields || !is_usual;
  }
  SchemaReader reader(
      {.prefix = "pintle::",
       .resolve = [](std::string_view ref, StructType&, const Place& where) -> Result<SchemaType> {
         return wrong(where,
                      fmt::format("{} is a reference, which a CRD cannot contain; write the schema instead", ref));
       }},
      header, warnings);
  if (auto read = reader.read_members(schema, kind, at); !read) return read;
  reader.warn_of_whole(schema, at);
  for (const MemberType& member : kind.members) {
    // Without fields(), spec and status have no rules of their own; those of their structs are in the structs.
    const auto is_cel = [](const std::string& rule) { return rule.starts_with("rule("); };
    if (kind.kind->has_own_fields || std::none_of(member.rules.begin(), member.rules.end(), is_cel)) continue;
    warnings.push_back(at.at("properties").at(member.json).at("x-kubernetes-validations").to_string() +
                       ": is not carried over; declare it in `static constexpr std::array rules` of the kind");
  }
  if (schema.member("x-kubernetes-validations")) {
    warnings.push_back(at.at("x-kubernetes-validations").to_string() +
                       ": is not carried over; declare it in `static constexpr std::array rules` of the kind");
  }
  if (!header.structs.emplace(kind.name, kind).second) {
    return wrong(place,
                 fmt::format("{} is defined twice in {}/{}; remove one of them", kind.name, name.folder, name.version));
  }
  return {};
}

}  // namespace

bool is_crd(json::View object) {
  return object.member("kind") == "CustomResourceDefinition" &&
         object.member("apiVersion").text().starts_with("apiextensions.k8s.io/");
}

Result<void> read_crd(json::View crd, const Place& place, Headers& headers, std::vector<std::string>& warnings) {
  if (crd.member("apiVersion") != "apiextensions.k8s.io/v1") {
    return wrong(place.at("apiVersion"),
                 quote(crd.member("apiVersion").text()) +
                     " is not supported; `kubectl get crd NAME -o yaml` prints the CRD as apiextensions.k8s.io/v1");
  }
  const json::View spec = crd.member("spec");
  for (const char* pointer : {"/group", "/names/kind"}) {
    if (spec[pointer].text().empty()) return wrong({place.file, place.pointer + "/spec" + pointer}, "is missing");
  }
  std::size_t index = 0;
  for (const json::View version : spec.member("versions").elements()) {
    const Place at = place.at("spec").at("versions").at(std::to_string(index++));
    if (version.member("served") == false) continue;
    if (auto read = read_version(crd, version, at, headers, warnings); !read) return read;
  }
  if (index == 0) return wrong(place.at("spec").at("versions"), "is missing or empty, so there is nothing to generate");
  return {};
}

}  // namespace pintle::tools
