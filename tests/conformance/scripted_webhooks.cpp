// SPDX-License-Identifier: Apache-2.0
#include "scripted_webhooks.hpp"

#include <chrono>
#include <utility>

#include <pintle/http/certificates.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/object/bytes.hpp>

namespace pintle::conformance {
namespace {

using json::Value;

std::vector<std::string> parts_of(std::string_view pointer) {
  std::vector<std::string> out;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    std::string part(pointer.substr(0, end));
    for (const auto& [escape, plain] : {std::pair("~1", "/"), std::pair("~0", "~")}) {
      for (std::size_t at = part.find(escape); at != std::string::npos; at = part.find(escape, at + 1)) {
        part.replace(at, 2, plain);
      }
    }
    out.push_back(std::move(part));
    pointer.remove_prefix(end);
  }
  return out;
}

// Removes and returns the value at a pointer; nothing if there is none.
std::optional<Value> take_at(Value& document, std::string_view pointer) {
  const std::size_t slash = pointer.rfind('/');
  Value* parent = json::find(document, pointer.substr(0, slash));
  json::object* object = parent == nullptr ? nullptr : parent->if_object();
  const std::string name = parts_of(pointer.substr(slash)).front();
  if (object == nullptr || !object->contains(name)) return std::nullopt;
  Value out = object->at(name);
  object->erase(name);
  return out;
}

// Sets a value; missing parents are created.
void put_at(Value& document, std::string_view pointer, const Value& value) {
  std::vector<std::string> parts = parts_of(pointer);
  const std::string last = std::move(parts.back());
  parts.pop_back();
  Value* at = &document;
  for (const std::string& part : parts) {
    Value& child = at->as_object()[part];
    if (child.is_null()) child.emplace_object();
    at = &child;
  }
  if (json::array* list = at->if_array()) {
    list->push_back(value);
  } else {
    at->as_object()[last] = value;
  }
}

std::string_view text(const Value& value, std::string_view name) {
  const Value* found = value.as_object().if_contains(name);
  return found != nullptr && found->is_string() ? std::string_view(found->get_string()) : std::string_view{};
}

// Performs one operation of a JSON patch. An operation on a missing place has no effect.
void edit(Value& document, const Value& operation) {
  const std::string_view op = text(operation, "op");
  const std::string_view path = text(operation, "path");
  if (op == "remove") {
    (void)take_at(document, path);
  } else if (op == "move") {
    if (const auto value = take_at(document, text(operation, "from"))) put_at(document, path, *value);
  } else {
    put_at(document, path, operation.at("value"));
  }
}

Value converted(Value object, const Value& answer, const std::string& wanted) {
  const Value* rules = answer.as_object().if_contains("convert");
  const Value* operations = rules == nullptr ? nullptr : rules->as_object().if_contains(wanted);
  if (operations != nullptr) {
    for (const Value& operation : operations->as_array()) edit(object, operation);
  }
  if (!answer.as_object().contains("keep_version")) object.as_object()["apiVersion"] = wanted;
  return object;
}

Value review(const Value& asked, const Value& answer) {
  const Value& request = asked.at("request");
  json::object response{{"uid", request.at("uid")}};
  if (text(asked, "kind") == "ConversionReview") {
    const std::string wanted(text(request, "desiredAPIVersion"));
    json::array objects;
    for (const Value& object : request.at("objects").as_array()) objects.push_back(converted(object, answer, wanted));
    response["result"] = {{"status", "Success"}};
    response["convertedObjects"] = std::move(objects);
  } else {
    const Value* allowed = answer.as_object().if_contains("allowed");
    response["allowed"] = allowed == nullptr ? Value(true) : *allowed;
    if (const Value* patch = answer.as_object().if_contains("patch")) {
      response["patchType"] = "JSONPatch";
      response["patch"] = Bytes(json::print(*patch)).to_base64();
    }
  }
  for (const char* name : {"status", "warnings", "auditAnnotations"}) {
    if (const Value* given = answer.as_object().if_contains(name)) response[name] = *given;
  }
  const auto merge = [&](json::object& to, const char* name) {
    const Value* given = answer.as_object().if_contains(name);
    if (given == nullptr) return;
    for (const auto& [key, value] : given->as_object()) to[key] = value;
  };
  merge(response, "response");
  json::object out{
      {"apiVersion", asked.at("apiVersion")}, {"kind", asked.at("kind")}, {"response", std::move(response)}};
  merge(out, "review");
  Value made(std::move(out));
  if (const Value* without = answer.as_object().if_contains("without")) {
    for (const Value& pointer : without->as_array()) (void)take_at(made, std::string_view(pointer.as_string()));
  }
  return made;
}

}  // namespace

ScriptedWebhooks::ScriptedWebhooks(Executor& executor, http::InProcessNetwork& network, std::string scenario)
    : scenario_(std::move(scenario)), mutex_(executor) {
  const auto validity = [&](std::vector<std::string> names) {
    return http::CertificateOptions{.common_name = "webhook",
                                    .names = std::move(names),
                                    .not_before = executor.wall_now() - std::chrono::hours(1),
                                    .not_after = executor.wall_now() + std::chrono::hours(48)};
  };
  const http::KeyPair authority = http::make_authority(validity({})).value();
  const http::KeyPair other = http::make_authority(validity({})).value();
  values_["ca"] = Bytes(authority.certificate).to_base64();
  values_["other-ca"] = Bytes(other.certificate).to_base64();
  for (const auto& [key, name] : {std::pair("url", "127.0.0.1"), std::pair("url-without-san", "elsewhere.example")}) {
    const http::KeyPair pair = http::make_server_certificate(authority, validity({name})).value();
    servers_.push_back(
        network.server_factory()(executor, *this, {.certificate = pair.certificate, .key = pair.key}).value());
    values_[key] = servers_.back()->url() + "/" + scenario_;
  }
  std::string by_name = values_["url"];
  by_name.replace(by_name.find("127.0.0.1"), 9, "localhost");
  values_["url-by-name"] = by_name;
  values_["url-refused"] = "https://127.0.0.1:9/" + scenario_;
}

std::string ScriptedWebhooks::value(std::string_view key) const {
  const auto found = values_.find(key);
  return found == values_.end() ? "(missing)" : found->second;
}

void ScriptedWebhooks::script(const std::string& path, const Value& answer) {
  const MutexLock lock(mutex_);
  auto& script = scripts_[path];
  script.clear();
  if (answer.is_array()) {
    script.insert(script.end(), answer.get_array().begin(), answer.get_array().end());
  } else {
    script.push_back(answer);
  }
}

json::array ScriptedWebhooks::take(std::string_view path) {
  const MutexLock lock(mutex_);
  json::array taken;
  json::array left;
  for (const Value& one : asked_) (path == "*" || text(one, "path") == path ? taken : left).push_back(one);
  asked_ = std::move(left);
  return taken;
}

Value ScriptedWebhooks::next_answer(const std::string& path) {
  auto& script = scripts_[path];
  if (script.empty()) return json::object();
  Value answer = script.front();
  if (script.size() > 1) script.pop_front();
  return answer;
}

http::Response ScriptedWebhooks::handle(const http::Request& request) {
  const std::size_t question = std::min(request.target.find('?'), request.target.size());
  const std::string prefix = "/" + scenario_;
  const std::string path = request.target.substr(prefix.size(), question - prefix.size());
  const Value body = json::parse(request.body).value();
  Value answer;
  {
    const MutexLock lock(mutex_);
    answer = next_answer(path);
    asked_.push_back({{"method", request.method},
                      {"path", path},
                      {"query", request.target.substr(std::min(question + 1, request.target.size()))},
                      {"headers", {{"Content-Type", request.headers.get("Content-Type").value_or("")}}},
                      {"body", body}});
  }
  const json::object& keys = answer.as_object();
  if (keys.contains("hang_up")) return {.status = 0};
  const Value* code = keys.if_contains("code");
  const Value* type = keys.if_contains("content_type");
  http::Response response{
      .status = code == nullptr ? 200 : static_cast<int>(code->as_int64()),
      .headers = {{"Content-Type", type == nullptr ? "application/json" : std::string(type->as_string())}},
      .body = keys.contains("raw") ? std::string(keys.at("raw").as_string()) : json::print(review(body, answer))};
  const Value* delay = keys.if_contains("delay");
  if (delay == nullptr) return response;
  const auto seconds = std::chrono::duration<double>(delay->to_number<double>());
  auto kept = std::make_shared<http::Response>(std::move(response));
  return {.delayed = {.delay = std::chrono::duration_cast<Duration>(seconds),
                      .make_response = [kept] { return std::move(*kept); }}};
}

}  // namespace pintle::conformance
