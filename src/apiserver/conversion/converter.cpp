// SPDX-License-Identifier: Apache-2.0
#include "converter.hpp"

#include <memory>
#include <utility>

#include <pintle/json/pointer.hpp>

#include "apiserver/registry/values.hpp"
#include "apiserver/registry/webhook_conversion.hpp"
#include "apiserver/storage/uid.hpp"
#include "forms.hpp"
#include "read_form.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::chrono::seconds conversion_timeout{30};
constexpr std::chrono::seconds preparation_timeout{1};

// Sets the defaults of the version in which an object is stored, as kube-apiserver does when it reads one.
Value read_with_defaults(const Resource& resource, const Object& stored) {
  Value value = stored.to_value();
  const std::string_view api_version = stored.api_version();
  const auto found = resource.conversion->versions.find(api_version.substr(api_version.find('/') + 1));
  if (found != resource.conversion->versions.end() && found->second.schema) {
    found->second.schema->apply_defaults(value);
  }
  return value;
}

void prune(const WebhookConversion& conversion, std::string_view version, Value& object) {
  const auto found = conversion.versions.find(version);
  if (found == conversion.versions.end() || !found->second.schema || found->second.keeps_unknown) return;
  (void)found->second.schema->prune(object);
}

WebhookClient::Call call_of(const ConversionTask& task, const WebhookTarget& target, std::chrono::seconds timeout) {
  return {.target = target,
          .type = {.group = "apiextensions.k8s.io", .version = task.review_version, .kind = "ConversionReview"},
          .timeout = timeout};
}

// Reads the response to a task.
StatusOr<std::vector<Value>> finish(const ConversionTask& task, const WebhookConversion& conversion,
                                    const Result<Value>& review) {
  if (!review) return refuse(conversion_failed(task, review.error().message));
  auto out = converted_objects(task, *review);
  if (!out) return out;
  const std::string& wanted = task.desired_api_version;
  for (Value& object : *out) prune(conversion, std::string_view(wanted).substr(wanted.find('/') + 1), object);
  return out;
}

// The objects of a list and those of them that must be converted.
struct Mixture {
  std::vector<Value> all;
  std::vector<Value> foreign;
  std::vector<std::size_t> places;  // of `foreign` in `all`

  Mixture(const Resource& resource, const std::vector<Object>& stored) {
    const std::string wanted = resource.api_version();
    for (const Object& object : stored) {
      all.push_back(read_with_defaults(resource, object));
      if (object.api_version() == wanted) continue;
      places.push_back(all.size() - 1);
      foreign.push_back(std::move(all.back()));
    }
  }
  std::vector<Object> with(std::vector<Value> converted) {
    for (std::size_t i = 0; i < places.size(); ++i) all[places[i]] = std::move(converted[i]);
    return {all.begin(), all.end()};
  }
};

}  // namespace

StatusOr<Object> Converter::presentable(const Resource& resource, const Object& stored) {
  if (resource.conversion == nullptr) return with_read_defaults(resource, stored);
  auto out = presentable(resource, std::vector{stored});
  if (!out) return refuse(std::move(out.error()));
  return std::move(out->front());
}

StatusOr<std::vector<Object>> Converter::presentable(const Resource& resource, std::vector<Object> stored) {
  if (resource.conversion == nullptr) {
    if (resource.read_defaults == nullptr) return stored;
    for (Object& object : stored) object = with_read_defaults(resource, object);
    return stored;
  }
  note_use(resource);
  Mixture mixture(resource, stored);
  auto converted = convert(resource, std::move(mixture.foreign), conversion_timeout);
  if (!converted) return refuse(std::move(converted.error()));
  return mixture.with(std::move(*converted));
}

void Converter::start(const ResourcePtr& resource, std::vector<Object> stored, Done done) {
  if (resource->conversion == nullptr) return done(std::move(stored));
  note_use(*resource);
  const auto mixture = std::make_shared<Mixture>(*resource, stored);
  if (mixture->foreign.empty()) return done(mixture->with({}));
  auto task = std::make_shared<const ConversionTask>(task_for(*resource, std::move(mixture->foreign)));
  const WebhookTarget target = webhook_target(resource->conversion->client_config.root());
  client_.start(call_of(*task, target, conversion_timeout), conversion_review(*task),
                [this, resource, stored = std::move(stored), mixture, task, done](const Result<Value>& review) {
                  auto converted = finish(*task, *resource->conversion, review);
                  if (!converted) return done(refuse(std::move(converted.error())));
                  auto objects = mixture->with(std::move(*converted));
                  for (std::size_t i = 0; i < objects.size(); ++i) cache_.keep(*resource, stored[i], objects[i]);
                  done(std::move(objects));
                });
}

StatusOr<Value> Converter::editable(const Resource& resource, const Object& stored, json::Arena& memory) {
  if (resource.conversion == nullptr) return shown(resource, with_read_defaults(resource, stored), memory);
  if (const Object form = cache_.find(resource, stored)) return json::to_value(form.root(), memory);
  auto object = presentable(resource, stored);
  if (!object) return refuse(std::move(object.error()));
  return json::to_value(object->root(), memory);
}

StatusOr<Value> Converter::storable(const Resource& resource, Value shown) {
  if (resource.conversion == nullptr || resource.api_version() == resource.stored_api_version) {
    return stored(resource, std::move(shown));
  }
  std::vector<Value> objects;
  objects.push_back(std::move(shown));
  ConversionTask task = task_for(resource, std::move(objects));
  task.desired_api_version = resource.stored_api_version;
  const WebhookTarget target = webhook_target(resource.conversion->client_config.root());
  const auto review = client_.call(call_of(task, target, conversion_timeout), conversion_review(task));
  auto converted = finish(task, *resource.conversion, review);
  if (!converted) return refuse(std::move(converted.error()));
  return std::move(converted->front());
}

StatusOr<Value> Converter::between(const Resource& from, const Resource& to, Value object) {
  if (from.api_version() == to.api_version()) return object;
  if (to.conversion == nullptr) return shown(to, Object(stored(from, std::move(object))));
  std::vector<Value> objects;
  objects.push_back(std::move(object));
  auto converted = convert(to, std::move(objects), conversion_timeout);
  if (!converted) return refuse(std::move(converted.error()));
  return std::move(converted->front());
}

ManagedVersions Converter::managed_versions(const Resource& resource) {
  if (resource.conversion == nullptr) return {};
  return {.convert = [this, &resource, catalog = registry_.catalog()](
                         const Value& object, const std::string& api_version) -> std::optional<ManagedVersions::Form> {
    const std::string_view version = std::string_view(api_version).substr(api_version.find('/') + 1);
    const ResourcePtr other = catalog->find(resource.group, version, resource.plural);
    const json::object* members = object.if_object();
    if (other == nullptr || members == nullptr || !members->contains("metadata")) return std::nullopt;
    auto converted = between(resource, *other, Value(object, {}));
    if (!converted) return std::nullopt;
    return ManagedVersions::Form{.object = std::move(*converted), .schema = other->strategy->schema()};
  }};
}

void Converter::prepare(const Resource& resource, const Object& stored) {
  if (resource.conversion == nullptr) return;
  std::set<std::pair<std::string, std::string>> used;
  {
    const MutexLock lock(mutex_);
    used = used_;
  }
  const auto catalog = registry_.catalog();
  for (const auto& [collection, version] : used) {
    if (collection != resource.collection) continue;
    const ResourcePtr other = catalog->find(resource.group, version, resource.plural);
    if (other == nullptr || other->conversion == nullptr || other->api_version() == stored.api_version()) continue;
    std::vector<Value> objects;
    objects.push_back(read_with_defaults(*other, stored));
    auto converted = convert(*other, std::move(objects), preparation_timeout);
    if (converted) {
      cache_.keep(*other, stored, Object(converted->front()));
    } else {
      // Until a client reads the version again, so that a webhook that does not respond delays one write only.
      const MutexLock lock(mutex_);
      used_.erase({collection, version});
    }
  }
}

Object Converter::prepared(const Resource& resource, const Object& stored) const {
  return resource.conversion == nullptr ? stored : cache_.find(resource, stored);
}

ConversionTask Converter::task_for(const Resource& wanted, std::vector<Value> objects) {
  return {.uid = make_uid(executor_),
          .review_version = wanted.conversion->review_version,
          .desired_api_version = wanted.api_version(),
          .kind = wanted.kind,
          .objects = std::move(objects)};
}

StatusOr<std::vector<Value>> Converter::convert(const Resource& wanted, std::vector<Value> objects,
                                                std::chrono::seconds timeout) {
  if (objects.empty()) return objects;
  const ConversionTask task = task_for(wanted, std::move(objects));
  const WebhookTarget target = webhook_target(wanted.conversion->client_config.root());
  const auto review = client_.call(call_of(task, target, timeout), conversion_review(task));
  return finish(task, *wanted.conversion, review);
}

void Converter::note_use(const Resource& resource) {
  const MutexLock lock(mutex_);
  used_.emplace(resource.collection, resource.version);
}

}  // namespace pintle::apiserver
