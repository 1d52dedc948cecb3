// SPDX-License-Identifier: Apache-2.0
// Admission: the declaration of webhooks that set defaults in, change and validate the objects of one kind before the
// API server stores them.
#pragma once

#include <chrono>
#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/json/patch.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/webhook/admission_request.hpp>
#include <pintle/webhook/fwd.hpp>
#include <pintle/webhook/verdict.hpp>

namespace pintle {

/// The kind of an admission. A described struct defines its kind; for plain objects the kind must be given.
template <class T>
struct AdmittedKind {
  GroupVersionKind kind{T::type};
};
template <>
struct AdmittedKind<Object> {
  AdmittedKind(std::string_view api_version, std::string_view name) : kind(api_version, name) {}
  AdmittedKind(Type type) : kind(type) {}                           // NOLINT(google-explicit-constructor)
  AdmittedKind(GroupVersionKind named) : kind(std::move(named)) {}  // NOLINT(google-explicit-constructor)
  GroupVersionKind kind;
};

/// The decision about a request if the admission fails: a function throws or exceeds the time limit, the object cannot
/// be decoded, or the API server receives no response.
enum class FailurePolicy {
  fail,    ///< the request is denied; with the code 422 if the object cannot be decoded
  ignore,  ///< the request is admitted, with a warning if this process can send one
};
/// Whether the admission has effects other than its response. Kubernetes sends a dry run only to webhooks that declare
/// one of these.
enum class SideEffects { none, none_on_dry_run };
/// Whether a request in another version of the kind, or in another group that serves the same objects, also matches.
enum class MatchPolicy { equivalent, exact };
/// Whether a mutating webhook is called again if a later one changes the object.
enum class Reinvocation { never, if_needed };
enum class AdmissionScope { any, cluster, namespaced };

/// A CEL expression over `object`, `oldObject`, `request` and `authorizer`. The API server calls the webhook only if
/// all are true.
struct MatchCondition {
  std::string name{};
  std::string expression{};
};

namespace internal {

template <class T>
struct AdmissionFunctions {
  using Draft = T;
};
/// A plain object is immutable; its draft is a JSON document.
template <>
struct AdmissionFunctions<Object> {
  using Draft = json::Value;
};

template <class T>
using AdmissionDraft = typename AdmissionFunctions<T>::Draft;

/// The default value of Admission::kind. An admission of plain objects (T = Object) has no default and must set it.
template <Admissible T>
AdmittedKind<T> default_kind() {
  static_assert(std::default_initializable<AdmittedKind<T>>, "Admission: .kind is missing; set it to the kind");
  return {};
}

}  // namespace internal

/// The declaration of up to two webhooks: a mutating one if `defaults` or `mutate` is set, and a validating one if
/// `validate` or `effect` is set. Designated initializers must follow the order of the members.
///
/// The functions are called on the threads of the webhooks, also concurrently. They may block until the deadline of
/// their context. If a function runs longer or throws, or if the object cannot be decoded as T, `failure_policy`
/// decides about the request. A function that runs longer still occupies its thread.
///
/// For a deletion, `defaults` and `mutate` are not called, and `validate` and `effect` receive the object that is to be
/// deleted. If that object cannot be decoded, the deletion is admitted with a warning, because nothing else could
/// remove the object. In all other cases they receive the new object. AdmissionContext contains everything else.
template <Admissible T>
struct Admission {
  /// Unique in the manager, a DNS label; part of the names and paths of the webhooks. Default: the kind in lower case.
  std::string name{};
  AdmittedKind<T> kind = internal::default_kind<T>();
  std::string resource{};  ///< plural; default: that of a regular noun, see default_plural()
  std::vector<AdmissionOperation> operations{AdmissionOperation::create, AdmissionOperation::update};
  /// Subresources that are also sent, such as "status". The object of some, such as "scale", has another kind, which
  /// only an Admission<Object> can read.
  std::vector<std::string> subresources{};
  bool only_subresources = false;  ///< changes of the object itself are not sent
  /// Sets members that the author of the object left out. Runs before `mutate`.
  std::function<void(internal::AdmissionDraft<T>&)> defaults{};
  /// Changes the object. The changes are sent as a JSON patch; members that T does not have stay unchanged. A member of
  /// T that still equals its value before the call, for example its initializer, is not part of the patch. The patch is
  /// not sent with a denial.
  std::function<AdmissionVerdict(internal::AdmissionDraft<T>&, const AdmissionContext&)> mutate{};
  std::function<AdmissionVerdict(const T&, const AdmissionContext&)> validate{};
  /// Called after `validate` has admitted the request, but never for a dry run. An error counts as a failure of the
  /// admission. Another webhook may still deny the request. Requires SideEffects::none_on_dry_run.
  std::function<Result<void>(const T&, const AdmissionContext&)> effect{};
  SideEffects side_effects = SideEffects::none;
  FailurePolicy failure_policy = FailurePolicy::fail;
  /// The maximum time until the API server receives a response: a whole number of seconds from 1 to 30.
  Duration timeout = std::chrono::seconds(10);
  MatchPolicy match_policy = MatchPolicy::equivalent;
  Reinvocation reinvocation = Reinvocation::never;
  AdmissionScope scope = AdmissionScope::any;
  std::string namespace_selector{};  ///< labels of the namespace, "team in (a,b)"; default: all namespaces
  std::string object_selector{};     ///< labels of the old or the new object; default: all objects
  /// By default, objects in the namespace of the operator (WebhookOptions::service_namespace) are not sent. Otherwise
  /// the webhook could prevent the start of the operator that serves it. With WebhookOptions::url and without
  /// `service_namespace`, the operator is in no namespace.
  bool include_own_namespace = false;
  std::vector<MatchCondition> match_conditions{};
  /// Validation errors of this declaration; returned by Manager::start().
  std::vector<Error> errors{};
};

namespace internal {

/// The result of a mutating admission.
struct Mutation {
  AdmissionVerdict verdict{};
  json::Patch patch{};
};

}  // namespace internal

/// An admission whose functions receive an Object, which is not decoded. See erase_type().
struct AnyAdmission {
  /// If the name is empty, the paths of the webhooks are "/mutate" and "/validate". A manager requires a name.
  std::string name{};
  GroupVersionKind kind{};
  std::string resource{};
  std::vector<AdmissionOperation> operations{};
  std::vector<std::string> subresources{};
  bool only_subresources = false;
  /// Called before the other functions, on the thread of the server, so it must not block or throw. An error refuses
  /// the request: the response has the status Error::http_status (default: 400) and the message of the error as text.
  /// The API server treats this as a failure of the webhook, not as a denial. Default: accepts each request.
  std::function<Result<void>(const AdmissionRequest&)> check{};
  std::function<Result<internal::Mutation>(const Object&, const AdmissionContext&)> mutate{};
  std::function<Result<AdmissionVerdict>(const Object&, const AdmissionContext&)> validate{};
  SideEffects side_effects = SideEffects::none;
  FailurePolicy failure_policy = FailurePolicy::fail;
  Duration timeout{};
  MatchPolicy match_policy = MatchPolicy::equivalent;
  Reinvocation reinvocation = Reinvocation::never;
  AdmissionScope scope = AdmissionScope::any;
  std::string namespace_selector{};
  std::string object_selector{};
  bool include_own_namespace = false;
  std::vector<MatchCondition> match_conditions{};
  std::vector<Error> errors{};
};

/// Returns all errors of the declaration, including AnyAdmission::errors. Each names the admission and the remedy.
[[nodiscard]] PINTLE_EXPORT std::vector<Error> validate(const AnyAdmission& admission);

namespace internal {

/// Error::reason if the object of a request cannot be decoded.
inline constexpr const char* undecodable_object = "UndecodableObject";

/// Converts an object to the argument of a function of the author. The error has the reason `undecodable_object`.
template <Admissible T>
[[nodiscard]] Result<T> admitted_object(const Object& object) {
  if constexpr (Described<T>) {
    Result<T> read = decode<T>(object);
    if (!read) read.error().reason = undecodable_object;
    return read;
  } else {
    return object;
  }
}

PINTLE_EXPORT json::Patch admission_changes(const Object& before, const json::Value& after);
PINTLE_EXPORT json::Patch without_tests(json::Patch patch);
PINTLE_EXPORT void set_admission_defaults(AnyAdmission& admission, bool has_effect);

/// Returns the function of the mutating webhook.
template <Admissible T>
[[nodiscard]] auto erased_mutation(const Admission<T>& admission) {
  return [defaults = admission.defaults, mutate = admission.mutate](
             const Object& object, const AdmissionContext& context) -> Result<Mutation> {
    const auto run = [&](AdmissionDraft<T>& draft) {
      if (defaults) defaults(draft);
      return mutate ? mutate(draft, context) : admitted();
    };
    Mutation mutation;
    if constexpr (Described<T>) {
      Result<T> before = admitted_object<T>(object);
      if (!before) return fail(std::move(before.error()));
      T draft = *before;
      mutation.verdict = run(draft);
      mutation.patch = without_tests(pintle::changes(*before, draft));
    } else {
      AdmissionDraft<T> draft = object.to_value();
      mutation.verdict = run(draft);
      mutation.patch = admission_changes(object, draft);
    }
    return mutation;
  };
}

/// Returns the function of the validating webhook.
template <Admissible T>
[[nodiscard]] auto erased_validation(const Admission<T>& admission) {
  return [validate = admission.validate, effect = admission.effect](
             const Object& object, const AdmissionContext& context) -> Result<AdmissionVerdict> {
    const Result<T> read = admitted_object<T>(object);
    if (!read) return fail(read.error());
    AdmissionVerdict verdict = validate ? validate(*read, context) : admitted();
    if (effect && verdict.is_admitted && !context.is_dry_run()) {
      if (auto done = effect(*read, context); !done) return fail(std::move(done.error()));
    }
    return verdict;
  };
}

}  // namespace internal

/// Returns the same admission for objects that are not decoded yet. An empty name or resource is replaced by
/// its default.
template <Admissible T>
[[nodiscard]] AnyAdmission erase_type(Admission<T> admission) {
  AnyAdmission any;
  if (admission.defaults || admission.mutate) any.mutate = internal::erased_mutation(admission);
  if (admission.validate || admission.effect) any.validate = internal::erased_validation(admission);
  any.name = std::move(admission.name);
  any.kind = std::move(admission.kind.kind);
  any.resource = std::move(admission.resource);
  any.operations = std::move(admission.operations);
  any.subresources = std::move(admission.subresources);
  any.only_subresources = admission.only_subresources;
  any.side_effects = admission.side_effects;
  any.failure_policy = admission.failure_policy;
  any.timeout = admission.timeout;
  any.match_policy = admission.match_policy;
  any.reinvocation = admission.reinvocation;
  any.scope = admission.scope;
  any.namespace_selector = std::move(admission.namespace_selector);
  any.object_selector = std::move(admission.object_selector);
  any.include_own_namespace = admission.include_own_namespace;
  any.match_conditions = std::move(admission.match_conditions);
  any.errors = std::move(admission.errors);
  internal::set_admission_defaults(any, static_cast<bool>(admission.effect));
  return any;
}

}  // namespace pintle
