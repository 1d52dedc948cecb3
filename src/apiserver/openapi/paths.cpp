// SPDX-License-Identifier: Apache-2.0
#include "paths.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "../registry/words.hpp"

namespace pintle::apiserver {
namespace {

using json::array;
using json::object;
using json::Value;

// An operation: its verb in discovery, its HTTP method, and its name in a document.
struct Action {
  std::string_view verb;
  std::string_view method;
  std::string_view name;
};
constexpr Action on_collection[] = {
    {"list", "get", "list"}, {"create", "post", "post"}, {"deletecollection", "delete", "deletecollection"}};
constexpr Action on_object[] = {
    {"get", "get", "get"}, {"update", "put", "put"}, {"patch", "patch", "patch"}, {"delete", "delete", "delete"}};
// A subresource can be read, written or created.
constexpr Action on_part[] = {
    {"get", "get", "get"}, {"create", "post", "post"}, {"update", "put", "put"}, {"patch", "patch", "patch"}};

struct Query {
  std::string_view name;
  std::string_view type;
  std::string_view verbs;
};
constexpr Query queries[] = {
    {"allowWatchBookmarks", "boolean", "list"},
    {"continue", "string", "list"},
    {"dryRun", "string", "create update patch delete deletecollection"},
    {"fieldManager", "string", "create update patch"},
    {"fieldSelector", "string", "list deletecollection"},
    {"fieldValidation", "string", "create update patch"},
    {"force", "boolean", "patch"},
    {"gracePeriodSeconds", "integer", "delete deletecollection"},
    {"labelSelector", "string", "list deletecollection"},
    {"limit", "integer", "list"},
    {"orphanDependents", "boolean", "delete deletecollection"},
    {"propagationPolicy", "string", "delete deletecollection"},
    {"resourceVersion", "string", "get list"},
    {"resourceVersionMatch", "string", "list"},
    {"sendInitialEvents", "boolean", "list"},
    {"timeoutSeconds", "integer", "list"},
    {"watch", "boolean", "list"},
};

object parameter(Dialect dialect, std::string_view name, std::string_view in, std::string_view type) {
  object out{{"name", name}, {"in", in}};
  if (in == "path") out["required"] = true;
  if (dialect == Dialect::v2) {
    out["type"] = type;
  } else {
    out["schema"] = object{{"type", type}};
  }
  return out;
}

array patch_media_types(const Resource& resource) {
  array out{"application/json-patch+json", "application/merge-patch+json"};
  if (resource.takes_strategic_patch) out.emplace_back("application/strategic-merge-patch+json");
  out.emplace_back("application/apply-patch+yaml");
  return out;
}

bool has(std::string_view words, std::string_view word) {
  const auto all = split(words, ' ');
  return std::find(all.begin(), all.end(), word) != all.end();
}

// Describes one resource or one subresource.
class Describer {
 public:
  Describer(const Resource& resource, Components& components)
      : resource_(resource), components_(components), dialect_(components.dialect()) {}

  void set_part(const Subresource& part) {
    part_ = &part;
    group_ = part.group.empty() ? resource_.group : part.group;
    version_ = part.group.empty() ? resource_.version : part.version;
    kind_ = part.kind;
  }

  // Returns an empty object if no action is supported.
  template <std::size_t Size>
  object path(const Action (&actions)[Size], std::string_view parts) {
    object out;
    for (const Action& action : actions) {
      if (takes(action.verb)) out[action.method] = operation(action);
    }
    if (out.empty()) return out;
    array parameters;
    for (const std::string_view part : split(parts, ' '))
      parameters.emplace_back(parameter(dialect_, part, "path", "string"));
    if (!parameters.empty()) out["parameters"] = std::move(parameters);
    return out;
  }

 private:
  [[nodiscard]] bool takes(std::string_view verb) const {
    if (part_ == nullptr) return resource_.takes(verb);
    return std::find(part_->verbs.begin(), part_->verbs.end(), verb) != part_->verbs.end();
  }

  object operation(const Action& action) {
    object out{{"x-kubernetes-action", action.name},
               {"x-kubernetes-group-version-kind", object{{"group", group_}, {"kind", kind_}, {"version", version_}}}};
    array parameters;
    for (const Query& query : queries) {
      if (has(query.verbs, action.verb)) parameters.emplace_back(parameter(dialect_, query.name, "query", query.type));
    }
    add_body(out, parameters, action.verb);
    if (!parameters.empty()) out["parameters"] = std::move(parameters);
    out["responses"] = object{{action.verb == "create" ? "201" : "200", response(action.verb)}};
    return out;
  }

  void add_body(object& out, array& parameters, std::string_view verb) {
    if (verb == "get" || verb == "list") return;
    const bool is_patch = verb == "patch";
    object schema = verb.starts_with("delete") ? components_.refer("meta.v1.DeleteOptions") : itself();
    if (is_patch) schema = {{"type", "object"}};
    const array types = is_patch ? patch_media_types(resource_) : array{"application/json", "application/yaml"};
    if (dialect_ == Dialect::v2) {
      if (is_patch) out["consumes"] = types;
      parameters.emplace_back(object{{"name", "body"}, {"in", "body"}, {"schema", std::move(schema)}});
      return;
    }
    object content;
    for (const Value& type : types) content[type.get_string()] = object{{"schema", schema}};
    out["requestBody"] = object{{"content", std::move(content)}};
  }

  object response(std::string_view verb) {
    object schema = itself();
    if (verb == "list") schema = components_.refer_list(resource_);
    if (verb.starts_with("delete")) schema = components_.refer("meta.v1.Status");
    object out{{"description", "OK"}};
    if (dialect_ == Dialect::v2) {
      out["schema"] = std::move(schema);
    } else {
      out["content"] = object{{"application/json", object{{"schema", std::move(schema)}}}};
    }
    return out;
  }

  object itself() { return part_ == nullptr ? components_.refer(resource_) : components_.refer(resource_, *part_); }

  const Resource& resource_;
  Components& components_;
  const Dialect dialect_;
  const Subresource* part_ = nullptr;
  std::string_view group_ = resource_.group;
  std::string_view version_ = resource_.version;
  std::string_view kind_ = resource_.kind;
};

}  // namespace

void add_paths(json::object& paths, const Resource& resource, Components& components) {
  const auto add = [&](std::string_view path, object item) {
    if (!item.empty()) paths.emplace(path, std::move(item));
  };
  const std::string root = fmt::format("/{}/{}", resource.group.empty() ? "api" : "apis", resource.api_version());
  const std::string all = fmt::format("{}/{}", root, resource.plural);
  const std::string in =
      resource.namespaced ? fmt::format("{}/namespaces/{{namespace}}/{}", root, resource.plural) : all;
  const std::string_view namespace_ = resource.namespaced ? "namespace" : "";
  const std::string_view name = resource.namespaced ? "name namespace" : "name";

  Describer whole(resource, components);
  if (resource.namespaced) add(all, whole.path({on_collection[0]}, ""));
  add(in, whole.path(on_collection, namespace_));
  const std::string one = in + "/{name}";
  add(one, whole.path(on_object, name));
  for (const Subresource& part : resource.subresources) {
    if (components.refer(resource, part).empty()) continue;
    Describer describer(resource, components);
    describer.set_part(part);
    add(fmt::format("{}/{}", one, part.name), describer.path(on_part, name));
  }
}

}  // namespace pintle::apiserver
