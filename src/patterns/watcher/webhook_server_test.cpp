// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/watcher/webhook_server.hpp>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <gmock/gmock.h>
#include <unistd.h>

#include <pintle/http/certificates.hpp>
#include <pintle/http/net_transport.hpp>
#include <pintle/http/server.hpp>
#include <pintle/http/server_url.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/object/bytes.hpp>

#include "test_support.hpp"

namespace pintle::watcher {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

constexpr const char* paths[] = {"/validate", "/mutate", "/convert"};

// A review of the creation of an object "a" with this apiVersion and kind.
std::string review_of(const std::string& api_version, const std::string& kind, const std::string& spec = "{}") {
  const GroupVersionKind named(api_version, kind);
  return R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u-7","operation":"CREATE",)"
         R"("kind":{"group":")" +
         named.group + R"(","version":")" + named.version + R"(","kind":")" + kind +
         R"("},"userInfo":{"username":"me"},"object":{"apiVersion":")" + api_version + R"(","kind":")" + kind +
         R"(","metadata":{"name":"a"},"spec":)" + spec + "}}}";
}

std::string note_review(const std::string& spec = "{}") { return review_of("test.pintle.dev/v1", "Note", spec); }

std::string conversion_of_kinds(const std::vector<std::string>& kinds) {
  std::string objects;
  for (const std::string& kind : kinds) {
    objects += std::string(objects.empty() ? "" : ",") + R"({"apiVersion":"test.pintle.dev/v1","kind":")" + kind +
               R"(","metadata":{"name":"a"}})";
  }
  return R"({"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"u-8",)"
         R"("desiredAPIVersion":"test.pintle.dev/v2","objects":[)" +
         objects + "]}}";
}

std::shared_ptr<ValidatingAdmissionController> validating(SimpleValidatingAdmissionController::Function function) {
  return std::make_shared<SimpleValidatingAdmissionController>(std::move(function));
}
// Denies each request with this message.
std::shared_ptr<ValidatingAdmissionController> denying(const std::string& message) {
  return validating([message](const Object&, const AdmissionContext&) { return denied(message, 409, "some_err"); });
}
std::shared_ptr<MutatingAdmissionController> mutating(SimpleMutatingAdmissionController::Function function) {
  return std::make_shared<SimpleMutatingAdmissionController>(std::move(function));
}
// Sets a member of the object.
std::shared_ptr<MutatingAdmissionController> setting(const std::string& pointer, const json::Value& value) {
  return mutating([=](const Object& object, const AdmissionContext&) -> Result<MutatingResponse> {
    json::Value next = object.to_value();
    if (auto done = json::set(next, pointer, value); !done) return fail(std::move(done.error()));
    return MutatingResponse{.updated_object = Object(next)};
  });
}

class AdmissionServerTest : public ::testing::Test {
 protected:
  explicit AdmissionServerTest(WebhookServerOptions options = {.port = 9443, .cert_path = "/c", .key_path = "/k"})
      : server(executor, std::move(options)) {}

  // Sends a request to a new handler. Returns the status, and in `body` the whole response.
  int send(const std::string& path, const std::string& content, const std::string& method = "POST") {
    const auto handler = server.make_handler();
    http::Response response = handler->handle({.method = method,
                                               .target = path + "?timeout=10s",
                                               .headers = {{"Content-Type", "application/json"}},
                                               .body = content});
    body = response.body;
    while (response.stream != nullptr && response.stream->read(body) == http::BodyStream::State::waiting) {
      executor.sleep_for(1ms);  // virtual time
    }
    return response.status;
  }
  // Returns the member of the last response as JSON.
  [[nodiscard]] std::string at(const std::string& pointer) const {
    const auto parsed = json::parse(body);
    const json::Value* found = parsed ? json::find(*parsed, pointer) : nullptr;
    return found == nullptr ? "missing" : json::print(*found);
  }

  SimulatedExecutor executor;
  WebhookServer server;
  std::string body;
};

// Only POST is accepted (T4-33).
TEST_F(AdmissionServerTest, RefusesOtherMethodsThanPost) {
  server.add_validating_admission_controller(Note::type, validating(nullptr));
  server.add_mutating_admission_controller(Note::type, mutating(nullptr));
  for (const std::string path : paths) {
    for (const char* method : {"GET", "PUT", "PATCH", "DELETE", "HEAD"}) {
      EXPECT_EQ(send(path, note_review(), method), 405) << method << " " << path;
    }
  }
  EXPECT_EQ(send("/validate", note_review()), 200);
  EXPECT_EQ(send("/mutate", note_review()), 200);
  EXPECT_EQ(send("/convert", conversion_of_kinds({})), 200);
  EXPECT_EQ(send("/other", note_review()), 404);
}

// A body that is not JSON, or that has no request, is an error of the client. In the original, the server crashed
// without a request (T4-33).
TEST_F(AdmissionServerTest, RefusesBodiesWithoutARequest) {
  const auto controller = denying("called");
  server.add_validating_admission_controller(Note::type, controller);
  const std::string heads[] = {R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1")",
                               R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1")",
                               R"({"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1")"};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string path = paths[i];
    for (const std::string content : {"", "{", "null", "[]", "7"}) {
      EXPECT_EQ(send(path, content), 400) << path << content;
    }
    EXPECT_EQ(send(path, heads[i] + "}"), 400) << path;
    EXPECT_THAT(body, HasSubstr("request: missing"));
    EXPECT_EQ(send(path, heads[i] + R"(,"request":null})"), 400) << path;
    EXPECT_EQ(send(path, heads[i] + R"(,"request":{}})"), 400) << path;
  }
}

// Without a controller for the group and the kind, the webhook fails, so that the API server applies the failure policy
// of its configuration (T4-33).
TEST_F(AdmissionServerTest, FailsForAKindWithoutController) {
  server.add_validating_admission_controller(Note::type, validating(nullptr));

  EXPECT_EQ(send("/mutate", note_review()), 500);
  EXPECT_EQ(body, "there is no mutating admission controller for group \"test.pintle.dev\" and kind \"Note\"\n");
  EXPECT_EQ(send("/validate", review_of("test.pintle.dev/v1", "Other")), 500);
  EXPECT_EQ(body, "there is no validating admission controller for group \"test.pintle.dev\" and kind \"Other\"\n");
  EXPECT_EQ(send("/validate", review_of("other.dev/v1", "Note")), 500);
  EXPECT_EQ(send("/validate", note_review()), 200);
}

// The controller of a group and kind receives the objects of all its versions (T4-33).
TEST_F(AdmissionServerTest, ASpecificControllerReceivesAllVersionsOfItsKind) {
  server.add_validating_admission_controller(
      Note::type, validating([](const Object& object, const AdmissionContext& context) {
        return denied(object.group_version_kind().to_string() + " of " + context.user().name);
      }));
  ASSERT_EQ(send("/validate", note_review()), 200);
  EXPECT_EQ(at("/response/status/message"), "\"test.pintle.dev/v1 Note of me\"");
  ASSERT_EQ(send("/validate", review_of("test.pintle.dev/v2", "Note")), 200);
  EXPECT_EQ(at("/response/status/message"), "\"test.pintle.dev/v2 Note of me\"");
}

// With matchPolicy Equivalent, the objects of a request can have another group than the request.
TEST_F(AdmissionServerTest, TheKindOfTheObjectsSelectsTheController) {
  server.add_validating_admission_controller(Note::type, denying("by the objects"));
  server.add_validating_admission_controller({"old.dev/v1", "Note"}, denying("by the request"));
  std::string review = note_review();
  review.insert(review.find(R"("userInfo")"), R"("requestKind":{"group":"old.dev","version":"v1","kind":"Note"},)");
  ASSERT_EQ(send("/validate", review), 200);
  EXPECT_EQ(at("/response/status/message"), "\"by the objects\"");
}

// A later controller of the same group and kind replaces the earlier one (T4-33).
TEST_F(AdmissionServerTest, ALaterControllerReplacesTheEarlierOne) {
  server.add_validating_admission_controller(Note::type, denying("first"));
  server.add_validating_admission_controller({"test.pintle.dev/v2", "Note"}, denying("second"));
  ASSERT_EQ(send("/validate", note_review()), 200);
  EXPECT_EQ(at("/response/status/message"), "\"second\"");
}

// The review has the uid, the version and the kind of the request (T4-33).
TEST_F(AdmissionServerTest, RespondsWithTheReviewOfTheRequest) {
  server.add_validating_admission_controller(Note::type, validating(nullptr));
  server.add_mutating_admission_controller(Note::type, mutating(nullptr));
  for (const std::string path : {"/validate", "/mutate"}) {
    ASSERT_EQ(send(path, note_review()), 200);
    EXPECT_EQ(
        body,
        R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"u-7","allowed":true}})");
  }
}

// A denial has the status code and the reason of the controller (T4-33).
TEST_F(AdmissionServerTest, ADenialHasItsCodeAndReason) {
  server.add_validating_admission_controller(Note::type, denying("no"));
  server.add_mutating_admission_controller(
      Note::type, mutating([](const Object& object, const AdmissionContext&) -> Result<MutatingResponse> {
        return MutatingResponse{.updated_object = object, .verdict = denied("no", 409, "some_err")};
      }));
  for (const std::string path : {"/validate", "/mutate"}) {
    ASSERT_EQ(send(path, note_review()), 200);
    EXPECT_EQ(
        at("/response"),
        R"({"uid":"u-7","allowed":false,"status":{"status":"Failure","message":"no","code":409,"reason":"some_err"}})");
  }
}

// An error that is no AdmissionError has neither a code nor a reason in the original; the API server sends 400 then
// (T4-33).
TEST_F(AdmissionServerTest, AnErrorDeniesWithItsTextOnly) {
  Error error = make_error(ErrorCode::not_found, "I AM ERROR");
  error.http_status = 404;
  error.reason = "NotFound";
  server.add_validating_admission_controller(
      Note::type,
      validating([error](const Object&, const AdmissionContext&) -> Result<AdmissionVerdict> { return fail(error); }));
  server.add_mutating_admission_controller(
      Note::type,
      mutating([error](const Object&, const AdmissionContext&) -> Result<MutatingResponse> { return fail(error); }));
  for (const std::string path : {"/validate", "/mutate"}) {
    ASSERT_EQ(send(path, note_review()), 200);
    EXPECT_EQ(at("/response/allowed"), "false");
    EXPECT_THAT(at("/response/status/message"), HasSubstr("I AM ERROR"));
    EXPECT_EQ(at("/response/status/code"), "400");
    EXPECT_EQ(at("/response/status/reason"), "missing");
    EXPECT_EQ(at("/response/patch"), "missing");
  }
}

TEST_F(AdmissionServerTest, AnExceptionDenies) {
  server.add_validating_admission_controller(
      Note::type, validating([](const Object&, const AdmissionContext&) -> Result<AdmissionVerdict> {
        throw std::runtime_error("no luck");
      }));
  ASSERT_EQ(send("/validate", note_review()), 200);
  EXPECT_EQ(at("/response/allowed"), "false");
  EXPECT_THAT(at("/response/status/message"), HasSubstr("no luck"));
}

// The changes of the object are sent as a JSON patch (T4-33).
TEST_F(AdmissionServerTest, AnUpdatedObjectBecomesAPatch) {
  server.add_mutating_admission_controller(Note::type, setting("/spec/text", "new"));
  ASSERT_EQ(send("/mutate", note_review(R"({"text":"old","more":[1,2]})")), 200);
  EXPECT_EQ(at("/response/allowed"), "true");
  EXPECT_EQ(at("/response/patchType"), "\"JSONPatch\"");
  const std::string patch = json::parse(at("/response/patch")).value().get_string().c_str();
  EXPECT_EQ(Bytes::from_base64(patch).value().data, R"([{"op":"replace","path":"/spec/text","value":"new"}])");
}

// Without an updated object there is no patch (T4-33).
TEST_F(AdmissionServerTest, AnUnchangedObjectHasNoPatch) {
  server.add_mutating_admission_controller(Note::type, mutating(nullptr));
  ASSERT_EQ(send("/mutate", note_review()), 200);
  EXPECT_EQ(at("/response/allowed"), "true");
  EXPECT_EQ(at("/response/patchType"), "missing");
  EXPECT_EQ(at("/response/patch"), "missing");
}

// An object that cannot be decoded as the struct of the controller is an error of the client (T4-33).
TEST_F(AdmissionServerTest, ATypedControllerReceivesOnlyObjectsThatDecode) {
  server.add_validating_admission_controller<Note>(denying("called"));
  server.add_mutating_admission_controller<Note>(setting("/spec/text", "new"));
  for (const std::string path : {"/validate", "/mutate"}) {
    EXPECT_EQ(send(path, note_review(R"({"text":"x"})")), 200);
    EXPECT_EQ(send(path, note_review(R"({"text":7})")), 400);
    EXPECT_THAT(body, HasSubstr("spec.text"));
    std::string update = note_review();
    update.replace(update.find("CREATE"), 6, "UPDATE");
    const std::string object = R"("object":{)";
    update.replace(update.find(object), object.size(), R"("oldObject":{"spec":{"text":7}},"object":{)");
    EXPECT_EQ(send(path, update), 400);
  }
}

TEST_F(AdmissionServerTest, ServesTheOpinionatedControllers) {
  // [opinionated]
  const auto check = [](const Object& object, const AdmissionContext&) -> Result<AdmissionVerdict> {
    if (object["/spec/text"].text().empty()) return denied("spec.text must not be empty", 422, "no_text");
    return admitted();
  };
  server.add_mutating_admission_controller(Note::type,
                                           std::make_shared<OpinionatedMutatingAdmissionController>(executor));
  server.add_validating_admission_controller(Note::type,
                                             std::make_shared<OpinionatedValidatingAdmissionController>(
                                                 std::make_shared<SimpleValidatingAdmissionController>(check),
                                                 OpinionatedValidatingOptions{.with_opinionated_mutation = true}));
  // [/opinionated]
  ASSERT_EQ(send("/mutate", note_review()), 200);
  const std::string patch = json::parse(at("/response/patch")).value().get_string().c_str();
  EXPECT_EQ(Bytes::from_base64(patch).value().data,
            R"([{"op":"add","path":"/metadata/labels","value":{"grafana-app-sdk-resource-version":"v1"}},)"
            R"({"op":"add","path":"/metadata/annotations","value":{"grafana.com/createdBy":"me"}}])");
  ASSERT_EQ(send("/validate", note_review()), 200);
  EXPECT_EQ(at("/response/status/reason"), "\"no_text\"");
  ASSERT_EQ(send("/validate", note_review(R"({"text":"x"})")), 200);
  EXPECT_EQ(at("/response/allowed"), "true");
}

class DefaultControllersTest : public AdmissionServerTest {
 protected:
  DefaultControllersTest()
      : AdmissionServerTest({.port = 9443,
                             .cert_path = "/c",
                             .key_path = "/k",
                             .default_validating_controller = denying("default"),
                             .default_mutating_controller = setting("/spec/by", "default")}) {}
};

// The default controllers handle the kinds that have none of their own (T4-33).
TEST_F(DefaultControllersTest, HandleTheKindsThatHaveNone) {
  server.add_validating_admission_controller(Note::type, denying("specific"));

  ASSERT_EQ(send("/validate", review_of("v1", "Pod")), 200);
  EXPECT_EQ(at("/response/status/message"), "\"default\"");
  ASSERT_EQ(send("/validate", note_review()), 200);
  EXPECT_EQ(at("/response/status/message"), "\"specific\"");
  ASSERT_EQ(send("/mutate", note_review()), 200);
  const std::string patch = json::parse(at("/response/patch")).value().get_string().c_str();
  EXPECT_EQ(Bytes::from_base64(patch).value().data, R"([{"op":"add","path":"/spec/by","value":"default"}])");
}

class AdmissionServerConversionTest : public AdmissionServerTest {
 protected:
  // Adds a conversion that sets spec.by, or fails.
  void convert(const std::string& kind, const std::string& by) {
    server.add_converter({.kind = {"test.pintle.dev/v2", kind},
                          .convert = [this, by](const Object& object, std::string_view version) -> Result<json::Value> {
                            ++calls;
                            if (by.empty()) return fail(ErrorCode::invalid, "no luck");
                            json::Value next = object.to_value();
                            next.as_object()["apiVersion"] = version;
                            next.as_object()["spec"] = {{"by", by}};
                            return next;
                          }});
  }

  std::atomic<int> calls = 0;
};

// The objects of each kind are converted by the conversion of that kind (T4-33).
TEST_F(AdmissionServerConversionTest, ConvertsEachObjectByItsKind) {
  convert("Note", "replaced");
  convert("Note", "n");
  convert("Gate", "g");
  ASSERT_EQ(send("/convert", conversion_of_kinds({"Note", "Gate"})), 200);
  EXPECT_EQ(at("/response/uid"), "\"u-8\"");
  EXPECT_EQ(at("/response/result/status"), "\"Success\"");
  EXPECT_EQ(at("/response/convertedObjects/0/apiVersion"), "\"test.pintle.dev/v2\"");
  EXPECT_EQ(at("/response/convertedObjects/0/spec/by"), "\"n\"");
  EXPECT_EQ(at("/response/convertedObjects/1/spec/by"), "\"g\"");
}

// A kind without conversion fails with 422 in the review (T4-33).
TEST_F(AdmissionServerConversionTest, AnUnknownKindIs422) {
  ASSERT_EQ(send("/convert", conversion_of_kinds({"Door"})), 200);
  EXPECT_EQ(at("/response/result/status"), "\"Failure\"");
  EXPECT_EQ(at("/response/result/code"), "422");
  EXPECT_EQ(at("/response/convertedObjects"), "[]");
  convert("Note", "n");
  ASSERT_EQ(send("/convert", conversion_of_kinds({"Note", "Door"})), 200);
  EXPECT_EQ(at("/response/result/code"), "422");
}

// A failure ends the conversion at the first object that cannot be converted (T4-33).
TEST_F(AdmissionServerConversionTest, AFailureIs500AndEndsTheRequest) {
  convert("Note", "");
  ASSERT_EQ(send("/convert", conversion_of_kinds({"Note", "Note", "Door"})), 200);
  EXPECT_EQ(at("/response/result/status"), "\"Failure\"");
  EXPECT_EQ(at("/response/result/code"), "500");
  EXPECT_THAT(at("/response/result/message"), HasSubstr("no luck"));
  EXPECT_EQ(calls, 1);
}

// The original accepted port 65536 (T4-33).
TEST(AdmissionServerOptions, RequireAPortAndBothFiles) {
  SimulatedExecutor executor;
  const auto errors = [&](int port, const std::string& cert, const std::string& key) {
    std::string all;
    for (const Error& one : WebhookServer(executor, {.port = port, .cert_path = cert, .key_path = key}).validate()) {
      all += one.message + ";";
    }
    return all;
  };
  EXPECT_EQ(errors(1, "/c", "/k"), "");
  EXPECT_EQ(errors(65535, "/c", "/k"), "");
  EXPECT_EQ(errors(65536, "/c", "/k"), "port must be from 1 to 65535, got 65536;");
  EXPECT_EQ(errors(0, "/c", "/k"), "port must be from 1 to 65535, got 0;");
  EXPECT_EQ(errors(-1, "/c", "/k"), "port must be from 1 to 65535, got -1;");
  EXPECT_EQ(errors(1, "", "/k"), "cert_path is required;");
  EXPECT_EQ(errors(1, "/c", ""), "key_path is required;");

  WebhookServer wrong(executor, {.port = 65536, .cert_path = "", .key_path = "/k"});
  const auto ended = wrong.run({});
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().message,
            "the webhook server cannot start: port must be from 1 to 65535, got 65536; cert_path is required");
}

TEST_F(AdmissionServerTest, RunReturnsTheErrorsOfTheControllers) {
  server.add_validating_admission_controller(Note::type, nullptr);
  server.add_mutating_admission_controller({}, mutating(nullptr));
  server.add_converter({.kind = {"example.com/v1", "Gate"}});
  const auto ended = server.run({});
  ASSERT_FALSE(ended);
  EXPECT_THAT(ended.error().message, HasSubstr("the admission controller of test.pintle.dev/v1 Note cannot be nil; "
                                               "the kind of an admission controller cannot be empty; "));
  EXPECT_THAT(ended.error().message, HasSubstr("set .convert"));
}

TEST_F(AdmissionServerTest, DoesNotListenInASimulation) {
  const auto ended = server.run({});
  ASSERT_FALSE(ended);
  EXPECT_THAT(ended.error().message, HasSubstr("make_handler()"));
}

// Runs a server on a port of this machine, with a certificate in files.
class AdmissionServerConcurrency : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  // Writes the certificate of a new authority to the files and returns the authority.
  std::string renew() {
    auto made = http::make_self_signed_key_pair("test", "", executor_->wall_now()).value();
    std::ofstream(folder_ / "new.crt") << made.server.certificate;
    std::ofstream(folder_ / "new.key") << made.server.key;
    fs::rename(folder_ / "new.crt", folder_ / "tls.crt");
    fs::rename(folder_ / "new.key", folder_ / "tls.key");
    return made.authority;
  }
  // Returns a port that is free at this moment.
  int free_port() {
    class Nothing final : public http::Handler {
      http::Response handle(const http::Request&) override { return {}; }
    } nothing;
    http::Server server(*executor_, nothing, {.listen = "0.0.0.0:0"});
    EXPECT_TRUE(server.start());
    return server.port();
  }
  [[nodiscard]] WebhookServerOptions options(int port) const {
    return {.port = port,
            .cert_path = (folder_ / "tls.crt").string(),
            .key_path = (folder_ / "tls.key").string(),
            .default_validating_controller = denying("default"),
            .certificate_period = 1ms};
  }
  // Sends a review. The error is that of the connection.
  Result<http::BufferedResponse> call(int port, const std::string& ca) {
    auto endpoint = http::parse_server_url("https://127.0.0.1:" + std::to_string(port), true).value();
    endpoint.ca = ca;
    const auto transport = http::make_network_transport(*executor_);
    return http::send(*transport, {.method = "POST",
                                   .target = "/validate",
                                   .headers = {{"Content-Type", "application/json"}},
                                   .body = note_review(),
                                   .endpoint = std::make_shared<http::Endpoint>(std::move(endpoint))});
  }
  // The server needs some time to listen and to read its files. Each attempt opens a connection.
  Result<http::BufferedResponse> call_until_accepted(int port, const std::string& ca) {
    auto response = call(port, ca);
    for (int i = 0; i < 10'000 && !response; ++i) response = call(port, ca);
    return response;
  }

  const fs::path folder_ =
      fs::path(::testing::TempDir()) / ("pintle_admission_server_test_" + std::to_string(::getpid()));
  std::unique_ptr<Executor> executor_ = make_real_executor();
};

// The original read the files only once (T4-33).
TEST_F(AdmissionServerConcurrency, ReadsTheCertificateAgainAfterAChange) {
  const std::string first = renew();
  const int port = free_port();
  WebhookServer server(*executor_, options(port));
  std::stop_source stop;
  Result<void> ended;
  Thread thread = executor_->spawn({}, [&] { ended = server.run(stop.get_token()); });
  const auto response = call_until_accepted(port, first);
  ASSERT_TRUE(response) << response.error().to_string();
  EXPECT_THAT(response->body, HasSubstr("\"code\":409"));

  const std::string second = renew();

  EXPECT_TRUE(call_until_accepted(port, second));
  EXPECT_FALSE(call(port, first));
  stop.request_stop();
  thread.join();
  EXPECT_TRUE(ended);
}

// The server is a controller of an Operator. In the original, a stop was returned as an error.
TEST_F(AdmissionServerConcurrency, RunsInAnOperatorUntilTheStop) {
  const std::string ca = renew();
  const int port = free_port();
  const auto sink = std::make_shared<RecordingLogSink>();
  Manager manager({.log_sink = sink, .executor = executor_.get()});
  Operator all(manager);
  all.add_controller(std::make_shared<WebhookServer>(*executor_, options(port)));
  std::stop_source stop;
  Result<void> ended = fail(ErrorCode::unknown, "still running");
  Thread thread = executor_->spawn({}, [&] { ended = all.run(stop.get_token()); });

  const auto response = call_until_accepted(port, ca);

  ASSERT_TRUE(response) << response.error().to_string();
  EXPECT_EQ(response->status, 200);
  stop.request_stop();
  thread.join();
  EXPECT_TRUE(ended) << ended.error().to_string();
  EXPECT_FALSE(call(port, ca));
  EXPECT_THAT(all.metrics().text(),
              HasSubstr(R"(controller_runtime_webhook_requests_total{code="200",webhook="/validate"} 1)"));
  EXPECT_TRUE(sink->has("serving webhooks"));
}

TEST_F(AdmissionServerConcurrency, AnErrorOfTheStartIsReturned) {
  WebhookServer missing(*executor_, options(1));
  const auto unreadable = missing.run({});
  ASSERT_FALSE(unreadable);
  EXPECT_THAT(unreadable.error().to_string(), HasSubstr("tls.crt"));
}

}  // namespace
}  // namespace pintle::watcher
