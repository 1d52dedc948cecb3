// SPDX-License-Identifier: Apache-2.0
#include <pintle/http/handler.hpp>

#include <functional>
#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace pintle::http {
namespace {

// Three pieces, followed by the state `last`.
class ThreePieces final : public BodyStream {
 public:
  ThreePieces(State last, bool is_document) : last_(last), is_document_(is_document) {}
  State read(std::string& out) override {
    out += "abc";
    return ++pieces_ < 3 ? State::more : last_;
  }
  void on_ready(std::function<void()> /*wake*/) override {}
  [[nodiscard]] bool is_document() const override { return is_document_; }

 private:
  const State last_;
  const bool is_document_;
  int pieces_ = 0;
};

Response collected(BodyStream::State last, bool is_document) {
  Response response{.stream = std::make_unique<ThreePieces>(last, is_document)};
  read_full_body(response);
  return response;
}

TEST(CollectBody, ReadsADocumentToItsEnd) {
  const Response response = collected(BodyStream::State::ended, true);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "abcabcabc");
  EXPECT_EQ(response.stream, nullptr);
}

TEST(CollectBody, ATruncatedDocumentGivesNoBody) {
  const Response response = collected(BodyStream::State::broken, true);
  EXPECT_EQ(response.status, 0);
  EXPECT_EQ(response.body, "");
  EXPECT_EQ(response.stream, nullptr);
}

TEST(CollectBody, ADocumentThatFallsSilentGivesNoBody) {
  const Response response = collected(BodyStream::State::waiting, true);
  EXPECT_EQ(response.status, 0);
  EXPECT_EQ(response.body, "");
}

TEST(CollectBody, LeavesAStreamThatIsNoDocument) {
  const Response response = collected(BodyStream::State::ended, false);
  EXPECT_EQ(response.body, "");
  EXPECT_NE(response.stream, nullptr);
}

}  // namespace
}  // namespace pintle::http
