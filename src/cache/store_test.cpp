#include <pintle/cache/store.hpp>

#include <gtest/gtest.h>

#include <pintle/json/value.hpp>
#include <pintle/sim/simulated_executor.hpp>

namespace pintle {
namespace {

Object placed(const char* namespace_, const char* name, const char* version) {
  return Object(json::object{
      {"metadata", json::object{{"namespace", namespace_}, {"name", name}, {"resourceVersion", version}}}});
}

TEST(Store, ReturnsTheFormerObject) {
  SimulatedExecutor executor;
  Store store(executor);
  EXPECT_FALSE(store.put(placed("a", "x", "1")));
  EXPECT_EQ(store.put(placed("a", "x", "2")).resource_version(), "1");
  EXPECT_EQ(store.get({"a", "x"}).resource_version(), "2");
  EXPECT_EQ(store.erase({"a", "x"}).resource_version(), "2");
  EXPECT_FALSE(store.erase({"a", "x"}));
  EXPECT_FALSE(store.get({"a", "x"}));
}

TEST(Store, ListsOneNamespaceOrAllInOrder) {
  SimulatedExecutor executor;
  Store store(executor);
  for (const auto* name : {"c", "a", "b"}) (void)store.put(placed("two", name, "1"));
  (void)store.put(placed("one", "z", "1"));
  (void)store.put(placed("two2", "z", "1"));
  EXPECT_EQ(store.list().size(), 5U);
  const auto two = store.list("two");
  ASSERT_EQ(two.size(), 3U);
  EXPECT_EQ(two.front().name(), "a");
  EXPECT_EQ(two.back().name(), "c");
  EXPECT_TRUE(store.list("none").empty());
}

// A snapshot that a caller holds does not change with the store (TX-14).
TEST(Store, ASnapshotOutlivesItsReplacement) {
  SimulatedExecutor executor;
  Store store(executor);
  (void)store.put(placed("a", "x", "1"));
  const Object held = store.get({"a", "x"});
  (void)store.replace({});
  EXPECT_EQ(held.resource_version(), "1");
  EXPECT_EQ(store.size(), 0U);
}

}  // namespace
}  // namespace pintle
