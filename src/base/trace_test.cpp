// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/trace.hpp>

#include <gtest/gtest.h>

namespace pintle {
namespace {

constexpr const char* text = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

TEST(SpanContext, IsItsTraceparent) {
  const auto context = SpanContext::parse(text);
  ASSERT_TRUE(context) << context.error().to_string();

  EXPECT_TRUE(context->is_valid());
  EXPECT_TRUE(context->sampled);
  EXPECT_EQ(context->trace_id[0], 0x0a);
  EXPECT_EQ(context->span_id[7], 0x31);
  EXPECT_EQ(context->trace_id_text(), "0af7651916cd43dd8448eb211c80319c");
  EXPECT_EQ(context->span_id_text(), "b7ad6b7169203331");
  EXPECT_EQ(context->traceparent(), text);
}

TEST(SpanContext, PrintsTheSampledFlag) {
  SpanContext context = SpanContext::parse(text).value();
  context.sampled = false;

  EXPECT_EQ(context.traceparent(), "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00");
  EXPECT_EQ(SpanContext::parse(context.traceparent()), context);
}

TEST(SpanContext, AcceptsFutureFlagsAndVersions) {
  const SpanContext context = SpanContext::parse(text).value();

  for (const char* later : {"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-ff",
                            "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                            "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-what-the-future"}) {
    EXPECT_EQ(SpanContext::parse(later), context) << later;
  }
}

TEST(SpanContext, RefusesAnInvalidTraceparent) {
  for (const char* other : {"", "00", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
                            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0",
                            "00-0AF7651916CD43DD8448EB211C80319C-B7AD6B7169203331-01",
                            "00-0af7651916cd43dd8448eb211c80319g-b7ad6b7169203331-01",
                            "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
                            "cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01.more",
                            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01"}) {
    const auto context = SpanContext::parse(other);
    ASSERT_FALSE(context) << other;
    EXPECT_EQ(context.error().code, ErrorCode::invalid);
  }
}

TEST(NoopSpan, IgnoresAllCalls) {
  NoopSpan none;
  none.set_attribute({"a", 1});
  none.add_event("b", {});
  none.set_error("c");

  EXPECT_FALSE(none.context().is_valid());
}

}  // namespace
}  // namespace pintle
