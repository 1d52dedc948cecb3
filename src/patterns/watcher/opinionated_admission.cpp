// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/watcher/opinionated_admission.hpp>

#include <optional>
#include <string>

#include <pintle/json/pointer.hpp>

namespace pintle::watcher {
namespace {

// Sets the members of the metadata of an object.
class MetadataEdit {
 public:
  explicit MetadataEdit(const Object& object) : value_(object.to_value()) {}

  MetadataEdit& label(std::string_view name, std::string_view text) { return set("/metadata/labels/", name, text); }
  MetadataEdit& annotation(std::string_view name, std::string_view text) {
    return set("/metadata/annotations/", name, text);
  }
  // Error: invalid, if the metadata is malformed.
  [[nodiscard]] Result<Object> done() const {
    if (!result_) return fail(result_.error());
    return Object(value_);
  }

 private:
  MetadataEdit& set(const std::string& place, std::string_view name, std::string_view text) {
    if (result_) result_ = json::set(value_, place + json::escape_token(name), json::Value(text));
    return *this;
  }

  json::Value value_;
  Result<void> result_{};
};

// Returns the annotation whose value a new object must not have.
std::optional<std::string_view> annotation_denied_on_create(const Object& object, std::string_view user) {
  for (const std::string_view one : {created_by_annotation, updated_by_annotation}) {
    const std::string_view value = object.annotation(one);
    if (!value.empty() && value != user) return one;
  }
  if (!object.annotation(update_timestamp_annotation).empty()) return update_timestamp_annotation;
  return std::nullopt;
}

// Returns the annotation whose change is not allowed.
std::optional<std::string_view> annotation_denied_on_update(const Object& old, const Object& object,
                                                            std::string_view user, bool may_change_time) {
  const auto is_changed = [&](std::string_view one) { return object.annotation(one) != old.annotation(one); };
  const bool is_by_user = object.annotation(updated_by_annotation) == user;
  if (is_changed(created_by_annotation)) return created_by_annotation;
  if (is_changed(updated_by_annotation) && !is_by_user) return updated_by_annotation;
  if (is_changed(update_timestamp_annotation) && !(may_change_time && is_by_user)) return update_timestamp_annotation;
  return std::nullopt;
}

}  // namespace

Result<MutatingResponse> OpinionatedMutatingAdmissionController::mutate(const Object& object,
                                                                        const AdmissionContext& context) {
  MutatingResponse response;
  if (underlying_ != nullptr) {
    auto made = underlying_->mutate(object, context);
    if (!made || !made->verdict.is_admitted) return made;
    response = std::move(*made);
  }
  const bool is_update = context.operation() == AdmissionOperation::update;
  if (context.operation() != AdmissionOperation::create && !is_update) return response;

  MetadataEdit edit(response.updated_object ? response.updated_object : object);
  edit.label(version_label, context.request().kind.version);
  if (is_update) {
    edit.annotation(updated_by_annotation, context.user().name);
    edit.annotation(update_timestamp_annotation, format_time(clock_.wall_now()));
  } else {
    edit.annotation(created_by_annotation, context.user().name);
  }
  auto changed = edit.done();
  if (!changed) return fail(std::move(changed.error()));
  response.updated_object = std::move(*changed);
  return response;
}

Result<AdmissionVerdict> OpinionatedValidatingAdmissionController::validate(const Object& object,
                                                                            const AdmissionContext& context) {
  const std::string_view user = context.user().name;
  std::optional<std::string_view> wrong;
  if (context.operation() == AdmissionOperation::create) {
    wrong = annotation_denied_on_create(object, user);
  } else if (context.operation() == AdmissionOperation::update) {
    wrong = annotation_denied_on_update(context.old_object(), object, user, options_.with_opinionated_mutation);
  }
  if (wrong) {
    return denied("cannot set /metadata/annotations/" + std::string(*wrong), 400,
                  std::string(field_not_allowed_reason));
  }
  return underlying_ == nullptr ? admitted() : underlying_->validate(object, context);
}

}  // namespace pintle::watcher
