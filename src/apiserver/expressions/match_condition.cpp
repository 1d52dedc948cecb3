// SPDX-License-Identifier: Apache-2.0
#include "match_condition.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "authorizer.hpp"

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

Type request_type() {
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
                                                    {.name = "deletionTimestamp", .type = Type::timestamp()},
                                                    {.name = "resourceVersion", .type = Type::string()},
                                                    {.name = "generation", .type = Type::integer()}});
  const Type spec =
      Type::object("kubernetes.NamespaceSpec", {{.name = "finalizers", .type = Type::list(Type::string())}});
  const Type status = texts("kubernetes.NamespaceStatus", {"phase"});
  return Type::object(
      "kubernetes.Namespace",
      {{.name = "metadata", .type = metadata}, {.name = "spec", .type = spec}, {.name = "status", .type = status}});
}

}  // namespace

Result<cel::Program> compile_match_condition(std::string_view expression) {
  auto environment = cel::Environment::create({.variables = {{.name = "object", .type = Type::dyn()},
                                                             {.name = "oldObject", .type = Type::dyn()},
                                                             {.name = "request", .type = request_type()},
                                                             {.name = "namespaceObject", .type = namespace_type()}},
                                               .libraries = {authorizer_library()}});
  if (!environment) return fail(std::move(environment.error()));
  auto program = cel::compile(*environment, expression);
  if (!program) {
    program.error().message.insert(0, "compilation failed: ");
    return fail(std::move(program.error()));
  }
  const std::array accepted{Type::boolean()};
  if (auto fits = cel::require_result_type(*program, accepted); !fits) return fail(std::move(fits.error()));
  return program;
}

}  // namespace pintle::apiserver
