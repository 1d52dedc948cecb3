// SPDX-License-Identifier: Apache-2.0
#include "errors.hpp"

#include <string>
#include <vector>

#include "test_support.hpp"

namespace pintle {
namespace {

using ::testing::HasSubstr;

std::string status_of(int code, const std::string& reason, const std::string& details = "{}") {
  return status_response(code, reason, {}, details).body;
}

struct CodeCase {
  int status;
  std::string reason;
  ErrorCode code;
};

TEST(ErrorFromResponse, MapsReasonsAndStatusCodes) {
  const std::vector<CodeCase> cases{
      {400, "BadRequest", ErrorCode::invalid},
      {401, "Unauthorized", ErrorCode::unauthorized},
      {403, "Forbidden", ErrorCode::forbidden},
      {404, "NotFound", ErrorCode::not_found},
      {405, "MethodNotAllowed", ErrorCode::unsupported},
      {409, "AlreadyExists", ErrorCode::already_exists},
      {409, "Conflict", ErrorCode::conflict},
      {409, "SomethingElse", ErrorCode::conflict},
      {410, "Expired", ErrorCode::expired},
      {410, "Gone", ErrorCode::expired},
      {413, "RequestEntityTooLarge", ErrorCode::invalid},
      {415, "UnsupportedMediaType", ErrorCode::unsupported},
      {422, "Invalid", ErrorCode::invalid},
      {429, "TooManyRequests", ErrorCode::too_many_requests},
      {500, "InternalError", ErrorCode::unavailable},
      {500, "ServerTimeout", ErrorCode::timeout},
      {503, "ServiceUnavailable", ErrorCode::unavailable},
      {504, "Timeout", ErrorCode::timeout},
      {404, "", ErrorCode::not_found},
      {502, "", ErrorCode::unavailable},
      {418, "", ErrorCode::unknown},
  };
  for (const CodeCase& c : cases) {
    const Error error = error_from_response(c.status, {}, status_of(c.status, c.reason));
    EXPECT_EQ(error.code, c.code) << c.status << " " << c.reason;
    EXPECT_EQ(error.http_status, c.status);
    EXPECT_EQ(error.reason, c.reason);
  }
}

// Only one of the three conflicts disappears when the object is read and written again (trap 51).
TEST(ErrorFromResponse, DistinguishesThreeKindsOfConflict) {
  const Error apply =
      error_from_response(409, {}, status_of(409, "Conflict", R"({"causes":[{"reason":"FieldManagerConflict",
      "message":"conflict with \"a\"","field":".data.k"}]})"));

  EXPECT_EQ(apply.code, ErrorCode::conflict);
  ASSERT_EQ(apply.causes.size(), 1U);
  EXPECT_EQ(apply.causes[0], (StatusCause{"FieldManagerConflict", "conflict with \"a\"", ".data.k"}));
  EXPECT_TRUE(error_from_response(409, {}, status_of(409, "Conflict")).causes.empty());
  EXPECT_EQ(error_from_response(409, {}, status_of(409, "AlreadyExists")).code, ErrorCode::already_exists);
}

TEST(ErrorFromResponse, TakesRetryAfterFromHeaderOrDetails) {
  const std::string with_details = status_of(429, "TooManyRequests", R"({"retryAfterSeconds":3})");

  EXPECT_EQ(error_from_response(429, {}, with_details).retry_after, std::chrono::seconds(3));
  EXPECT_EQ(error_from_response(429, {{"retry-after", "7"}}, with_details).retry_after, std::chrono::seconds(7));
  EXPECT_EQ(error_from_response(503, {{"Retry-After", "0"}}, "").retry_after, std::chrono::seconds(0));
  for (const char* text :
       {"", "soon", "-1", "1.5", "99999999999999999999", "9999999999", "Wed, 21 Oct 2026 07:28:00 GMT"}) {
    EXPECT_EQ(error_from_response(503, {{"Retry-After", text}}, "").retry_after, std::nullopt) << text;
  }
}

// An error of a watch is inside a stream that began with 200 (trap 49).
TEST(ErrorFromResponse, UsesTheStatusInsideAWatchWith200) {
  const Error error = error_from_response(200, {}, status_of(410, "Expired"));

  EXPECT_EQ(error.code, ErrorCode::expired);
  EXPECT_EQ(error.http_status, 410);
}

TEST(ErrorFromResponse, PutsTextOfAProxyOnOneShortLine) {
  EXPECT_EQ(error_from_response(502, {}, "upstream\r\n\tis down\n").message,
            "the server responded with 502: \"upstream is down\"");
  EXPECT_THAT(error_from_response(502, {}, "<html>a</html>").message, HasSubstr("a web page"));
  EXPECT_EQ(error_from_response(503, {}, " \n").message, "the server responded with 503: no text");
  EXPECT_LT(error_from_response(500, {}, std::string(100'000, 'x')).message.size(), 300U);
  EXPECT_EQ(error_from_response(500, {}, R"({"kind":"Status"})").message,
            "the server responded with 500 and no message");
}

TEST(ErrorFromResponse, CutsLongTextBetweenCharacters) {
  std::string text(199, 'x');
  for (int i = 0; i < 10; ++i) text += "é";

  EXPECT_EQ(error_from_response(500, {}, text).message,
            "the server responded with 500: \"" + std::string(199, 'x') + "…\"");
}

TEST(ErrorFromResponse, DistinguishesAMissingPathFromAMissingObject) {
  EXPECT_TRUE(is_path_not_found(error_from_response(404, {}, "404 page not found\n")));
  EXPECT_TRUE(is_path_not_found(error_from_response(404, {}, status_of(404, "NotFound"))));
  EXPECT_FALSE(is_path_not_found(
      error_from_response(404, {}, status_of(404, "NotFound", R"({"name":"a","kind":"configmaps"})"))));
  EXPECT_FALSE(is_path_not_found(error_from_response(500, {}, "boom")));
}

TEST(ErrorFromResponse, SurvivesAStatusOfTheWrongShape) {
  const Error error = error_from_response(500, {}, R"({"kind":"Status","code":"x","message":1,"reason":{},
      "details":{"causes":[1,{"field":2}],"retryAfterSeconds":"3"}})");

  EXPECT_EQ(error.code, ErrorCode::unavailable);
  EXPECT_EQ(error.http_status, 500);
  EXPECT_EQ(error.retry_after, std::nullopt);
}

}  // namespace
}  // namespace pintle
