// SPDX-License-Identifier: Apache-2.0
#include "admission_types.hpp"

#include <string>
#include <utility>
#include <vector>

namespace pintle::apiserver {
namespace {

using cel::Field;
using cel::Type;

Type texts(std::string name, const std::vector<const char*>& fields) {
  std::vector<Field> out;
  out.reserve(fields.size());
  for (const char* field : fields) out.push_back({.name = field, .type = Type::string()});
  return Type::object(std::move(name), std::move(out));
}

}  // namespace

Type admission_request_type() {
  const Type kind = texts("kubernetes.GroupVersionKind", {"group", "version", "kind"});
  const Type resource = texts("kubernetes.GroupVersionResource", {"group", "version", "resource"});
  const Type user = Type::object("kubernetes.UserInfo",
                                 {{.name = "username", .type = Type::string()},
                                  {.name = "uid", .type = Type::string()},
                                  {.name = "groups", .type = Type::list(Type::string())},
                                  {.name = "extra", .type = Type::map(Type::string(), Type::list(Type::string()))}});
  return Type::object("kubernetes.AdmissionRequest", {{.name = "kind", .type = kind},
                                                      {.name = "resource", .type = resource},
                                                      {.name = "subResource", .type = Type::string()},
                                                      {.name = "requestKind", .type = kind},
                                                      {.name = "requestResource", .type = resource},
                                                      {.name = "requestSubResource", .type = Type::string()},
                                                      {.name = "name", .type = Type::string()},
                                                      {.name = "namespace", .type = Type::string()},
                                                      {.name = "operation", .type = Type::string()},
                                                      {.name = "userInfo", .type = user},
                                                      {.name = "dryRun", .type = Type::boolean()},
                                                      {.name = "options", .type = Type::dyn()}});
}

Type namespace_type() {
  const Type text_map = Type::map(Type::string(), Type::string());
  const Type metadata =
      Type::object("kubernetes.NamespaceMetadata", {{.name = "name", .type = Type::string()},
                                                    {.name = "generateName", .type = Type::string()},
                                                    {.name = "namespace", .type = Type::string()},
                                                    {.name = "labels", .type = text_map},
                                                    {.name = "annotations", .type = text_map},
                                                    {.name = "UID", .type = Type::string()},
                                                    {.name = "creationTimestamp", .type = Type::timestamp()},
                                                    {.name = "deletionGracePeriodSeconds", .type = Type::integer()},
                                                    {.name = "deletionTimestamp", .type = Type::timestamp()},
                                                    {.name = "resourceVersion", .type = Type::string()},
                                                    {.name = "generation", .type = Type::integer()},
                                                    {.name = "finalizers", .type = Type::list(Type::string())}});
  const Type condition =
      Type::object("kubernetes.NamespaceCondition", {{.name = "type", .type = Type::string()},
                                                     {.name = "status", .type = Type::string()},
                                                     {.name = "lastTransitionTime", .type = Type::timestamp()},
                                                     {.name = "reason", .type = Type::string()},
                                                     {.name = "message", .type = Type::string()}});
  const Type spec =
      Type::object("kubernetes.NamespaceSpec", {{.name = "finalizers", .type = Type::list(Type::string())}});
  const Type status =
      Type::object("kubernetes.NamespaceStatus",
                   {{.name = "phase", .type = Type::string()}, {.name = "conditions", .type = Type::list(condition)}});
  return Type::object(
      "kubernetes.Namespace",
      {{.name = "metadata", .type = metadata}, {.name = "spec", .type = spec}, {.name = "status", .type = status}});
}

}  // namespace pintle::apiserver
