// SPDX-License-Identifier: Apache-2.0
// Sends a few requests to a server with objects. Each request gets a response, no response is an unexpected server
// error, and each error response is a Status. Requests are separated by a line "---"; each has a line "METHOD target",
// its header lines, an empty line and its body.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/apiserver/server.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/sim/simulated_executor.hpp>

namespace {

using namespace pintle;
using namespace std::chrono_literals;

constexpr std::size_t requests_at_most = 8;
constexpr int reads_at_most = 16;

// Removes and returns the text before the first separator.
std::string_view take(std::string_view& text, std::string_view separator) {
  const std::size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + separator.size());
  return part;
}

http::Request read_request(std::string_view text) {
  http::Request request;
  std::string_view first = take(text, "\n");
  request.method = take(first, " ");
  request.target = first;
  for (std::string_view line = take(text, "\n"); !line.empty(); line = take(text, "\n")) {
    const std::string_view name = take(line, ": ");
    request.headers.add(std::string(name), std::string(line));
  }
  request.body = text;
  return request;
}

[[noreturn]] void report_and_abort(const char* what, const http::Request& request, const http::Response& response) {
  std::fprintf(stderr, "%s: %s %s\n%s\n-> %d %s\n", what, request.method.c_str(), request.target.c_str(),
               request.body.c_str(), response.status, response.body.c_str());
  std::abort();
}

Result<json::Value> read_body(const http::Response& response) {
  const bool is_yaml = response.headers.get("Content-Type") == "application/yaml";
  return is_yaml ? json::parse_yaml(response.body) : json::parse(response.body);
}

std::string text_at(const json::Value& value, std::string_view pointer) {
  const json::Value* found = json::find(value, pointer);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

bool is_about_strategic_patch(std::string_view message) {
  return message.find(" does not contain declared merge key: ") != std::string_view::npos ||
         message.starts_with("unknown patch type: ") || message.starts_with("list element types are not identical: ") ||
         message == "merging lists cannot yet be specified in the patch";
}

// Expected server errors: 501 for a subresource that requires running Pods, 504 for a version in the future, and
// errors that kube-apiserver returns too, for example for an apply that cannot be merged.
bool is_meant(int status, std::string_view message) {
  if (status < 500 || status == 501 || status == 504) return true;
  return status == 500 &&
         (message == "resourceVersion should not be set on objects to be created" ||
          message.starts_with("resourceVersion: Invalid value: ") || is_about_strategic_patch(message) ||
          message.ends_with("Object 'apiVersion' is missing in 'unstructured object has no version'") ||
          message.starts_with("failed to create typed patch object (") ||
          message.ends_with(": an item lacks its key or has the key of another item"));
}

void check_failure(const http::Request& request, const http::Response& response) {
  const bool is_page = response.status == 404 && response.body == "404 page not found\n";
  if (is_page) return;
  const auto body = read_body(response);
  if (!body || text_at(*body, "/kind") != "Status") report_and_abort("a failure that is no Status", request, response);
  const json::Value* code = json::find(*body, "/code");
  if (code == nullptr || *code != response.status) report_and_abort("a Status of another code", request, response);
  if (!is_meant(response.status, text_at(*body, "/message")))
    report_and_abort("a fault of the server", request, response);
}

class Cluster {
 public:
  Cluster() {
    for (const auto& [target, body] : {
             std::pair("/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                       R"({"metadata":{"name":"widgets.a.dev"},"spec":{"group":"a.dev","scope":"Namespaced",
                       "names":{"plural":"widgets","kind":"Widget"},"versions":[{"name":"v1","served":true,"storage":true,
                       "subresources":{"status":{},"scale":{"specReplicasPath":".spec.n","statusReplicasPath":".status.n"}},
                       "schema":{"openAPIV3Schema":{"type":"object","properties":{"status":{"type":"object",
                       "x-kubernetes-preserve-unknown-fields":true},"spec":{"type":"object","properties":{
                       "n":{"type":"integer","minimum":0},"list":{"type":"array","x-kubernetes-list-type":"map",
                       "x-kubernetes-list-map-keys":["a"],"items":{"type":"object","required":["a"],"properties":{
                       "a":{"type":"string"},"b":{"type":"integer","default":1}}}}}}}}}}]}})"),
             std::pair("/api/v1/namespaces/default/configmaps", R"({"metadata":{"name":"m"},"data":{"a":"b"}})"),
             std::pair("/api/v1/namespaces/default/pods",
                       R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})"),
             std::pair("/apis/apps/v1/namespaces/default/deployments",
                       R"({"metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":
                       {"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})"),
         }) {
      create(target, body);
    }
    executor_.sleep_for(2s);
    create("/apis/a.dev/v1/namespaces/default/widgets",
           R"({"apiVersion":"a.dev/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"n":1,"list":[{"a":"x"}]}})");
    executor_.sleep_for(2s);
    begin_ = api_.resource_version();
  }

  void send(const http::Request& request) {
    http::Response response = api_.handle(request);
    http::read_full_body(response);
    if (response.stream != nullptr) {
      streams_.push_back(std::move(response.stream));
      streams_.back()->on_ready([] {});
    } else if (response.status >= 400) {
      check_failure(request, response);
    } else if (response.headers.get("Content-Type") == "application/json" && is_new(response) && !read_body(response)) {
      report_and_abort("a success that is no JSON", request, response);
    }
    for (const auto& stream : streams_) read(*stream, request);
  }

  // Waits for the effects of the requests, then rewinds the server to its first state. Returns false if that is not
  // possible.
  bool begin_anew() {
    executor_.sleep_for(2s);
    streams_.clear();
    if (!api_.rewind(begin_)) return false;
    executor_.sleep_for(2s);
    return true;
  }

 private:
  void create(const char* target, const char* body) {
    const http::Request request{.method = "POST", .target = target, .body = body};
    const http::Response response = api_.handle(request);
    if (response.status != 201) report_and_abort("not created", request, response);
  }

  // Returns false for a document that was already parsed: OpenAPI has megabytes and rarely changes.
  bool is_new(const http::Response& response) {
    const auto tag = response.headers.get("Etag");
    return !tag || documents_.emplace(*tag).second;
  }

  static void read(http::BodyStream& stream, const http::Request& request) {
    std::string text;
    for (int i = 0; i < reads_at_most; ++i) {
      if (stream.read(text) != http::BodyStream::State::more) break;
    }
    for (std::string_view rest = text; !rest.empty();) {
      const std::string line(take(rest, "\n"));
      if (const auto event = json::parse(line); !event || text_at(*event, "/type").empty()) {
        report_and_abort("an event that is none", request, {.body = line});
      }
    }
  }

  SimulatedExecutor executor_{{.seed = 1}};
  ApiServer api_{executor_, {.watch_history_size = 1024}};
  std::vector<std::unique_ptr<http::BodyStream>> streams_;
  std::set<std::string> documents_;
  std::uint64_t begin_ = 0;
};

// The default options of this program. An input reaches tens of thousands of features. All of them are rare at the
// beginning, and libFuzzer searches its list of rare features for each, which takes longer than the requests unless the
// list is short. A server stores what it receives, so libFuzzer would run every input again to check for leaks; leaks
// are reported at the end.
constexpr const char* defaults[] = {"-entropic_feature_frequency_threshold=4",
                                    "-entropic_number_of_rarest_features=1000", "-detect_leaks=0"};

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  static std::vector<char*> arguments(*argv, *argv + *argc);
  std::size_t at = 1;
  for (const char* one : defaults) arguments.insert(arguments.begin() + at++, const_cast<char*>(one));
  *argc = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  *argv = arguments.data();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static auto cluster = std::make_unique<Cluster>();
  std::string_view text(reinterpret_cast<const char*>(data), size);
  for (std::size_t i = 0; i < requests_at_most && !text.empty(); ++i)
    cluster->send(read_request(take(text, "\n---\n")));
  if (cluster->begin_anew()) return 0;
  cluster.reset();  // first, because simulated executors of one thread must nest
  cluster = std::make_unique<Cluster>();
  return 0;
}
