// SPDX-License-Identifier: Apache-2.0
#include <pintle/cache/object_table.hpp>

#include <algorithm>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include <pintle/base/random.hpp>
#include <pintle/json/value.hpp>

namespace pintle {
namespace {

Object placed(const std::string& namespace_, const std::string& name, const std::string& version) {
  return Object(json::object{
      {"metadata", json::object{{"namespace", namespace_}, {"name", name}, {"resourceVersion", version}}}});
}

std::string version_of(const Object& object) { return object ? std::string(object.resource_version()) : "none"; }

// The reference is a `std::map`. Namespaces have zero, one or two characters.
TEST(ObjectTable, AgreesWithAMapOverRandomOperations) {
  Random random(7);
  ObjectTable table;
  std::map<ObjectKey, Object> map;
  for (int step = 0; step < 60'000; ++step) {
    const ObjectKey key{std::string(random.below(3), 'n'), "object-" + std::to_string(random.below(4'000))};
    const auto known = map.find(key);
    const Object before = known == map.end() ? Object() : known->second;
    if (random.below(3) != 0) {
      const Object object = placed(key.namespace_, key.name, std::to_string(step));
      map[key] = object;
      ASSERT_EQ(version_of(table.put(object)), version_of(before)) << step;
    } else {
      map.erase(key);
      ASSERT_EQ(version_of(table.erase(key)), version_of(before)) << step;
    }
    ASSERT_EQ(table.size(), map.size()) << step;
  }
  std::vector<Object> listed = table.list();
  ASSERT_EQ(listed.size(), map.size());
  auto at = listed.begin();
  std::map<std::string, std::size_t> tenant_by_namespace;
  for (const auto& [key, object] : map) {
    EXPECT_TRUE(at++->is_same_document(object)) << key.to_string();
    EXPECT_TRUE(table.find(key).is_same_document(object)) << key.to_string();
    ++tenant_by_namespace[key.namespace_];
  }
  for (const auto& [name, count] : tenant_by_namespace) {
    EXPECT_EQ(table.list(name).size(), name.empty() ? map.size() : count) << name;
  }
}

// A range is the state of one moment, whatever happens to the table later.
TEST(ObjectTable, ARangeDoesNotChangeWithTheTable) {
  Random random(11);
  ObjectTable table;
  std::map<ObjectKey, std::string> map;
  std::vector<std::pair<ObjectRange, std::map<ObjectKey, std::string>>> held;
  const auto check = [](const ObjectRange& range, const std::map<ObjectKey, std::string>& expected) {
    std::map<ObjectKey, std::string> found;
    std::size_t count = 0;
    for (const Object& object : range) {
      found[object.key()] = object.resource_version();
      ++count;
    }
    ASSERT_EQ(found, expected);
    ASSERT_EQ(count, range.size());
  };
  for (int step = 0; step < 40'000; ++step) {
    // Phases in which the table grows and shrinks; at times it becomes almost empty.
    const bool grows = step / 5'000 % 2 == 0;
    const ObjectKey key{std::string(1 + random.below(2), 'n'), std::to_string(random.below(3'000))};
    if (random.below(10) < (grows ? 8U : 1U)) {
      map[key] = std::to_string(step);
      (void)table.put(placed(key.namespace_, key.name, std::to_string(step)));
    } else {
      map.erase(key);
      (void)table.erase(key);
    }
    if (step % 500 == 0) held.emplace_back(table.range(), map);
    if (held.size() > 5) held.erase(held.begin() + static_cast<long>(random.below(5)));
    if (step % 2'500 == 0) {
      for (const auto& [range, expected] : held) check(range, expected);
    }
  }
  for (const auto& [range, expected] : held) check(range, expected);
  table = {};
  for (const auto& [range, expected] : held) check(range, expected);
}

TEST(ObjectTable, ACopyIsIndependent) {
  ObjectTable table;
  (void)table.put(placed("a", "x", "1"));
  ObjectTable copy = table;
  (void)copy.put(placed("a", "x", "2"));
  (void)copy.put(placed("a", "y", "2"));
  EXPECT_EQ(version_of(table.find({"a", "x"})), "1");
  EXPECT_EQ(table.size(), 1U);
  EXPECT_EQ(table.range().size(), 1U);
  EXPECT_EQ(copy.range("a").size(), 2U);
}

TEST(ObjectTable, IsEmptyAtFirstAndAfterTheLastErase) {
  ObjectTable table;
  EXPECT_TRUE(table.list().empty());
  EXPECT_TRUE(table.list("a").empty());
  EXPECT_FALSE(table.find({"a", "x"}));
  EXPECT_FALSE(table.erase({"a", "x"}));
  (void)table.put(placed("a", "x", "1"));
  EXPECT_EQ(version_of(table.erase({"a", "x"})), "1");
  EXPECT_TRUE(table.list().empty());
  EXPECT_EQ(table.size(), 0U);
}

// The parts end in the middle of the runs of their tables.
TEST(ObjectTable, RangesOfSeveralTablesAreJoinedInOrder) {
  ObjectTable first;
  ObjectTable second;
  for (int i = 0; i < 700; ++i) {
    (void)first.put(placed(i % 2 == 0 ? "a" : "z", std::to_string(1'000 + i), "1"));
    (void)second.put(placed(i % 2 == 0 ? "b" : "z", std::to_string(1'000 + i), "2"));
  }
  const auto is_tenth = [](const Object& object) { return object.name().ends_with('0'); };
  const ObjectRange all = ObjectRange::joined({ObjectRange(), first.range("a"), first.range("none"),
                                               ObjectRange::joined({second.range("b"), first.range("z")})});
  std::vector<Object> expected;
  for (const auto& part : {first.list("a"), second.list("b"), first.list("z")}) {
    expected.insert(expected.end(), part.begin(), part.end());
  }
  const auto keys = [](const std::vector<Object>& objects) {
    std::vector<ObjectKey> found;
    for (const Object& object : objects) found.push_back(object.key());
    return found;
  };
  ASSERT_EQ(expected.size(), 1'050U);
  EXPECT_EQ(all.size(), expected.size());
  EXPECT_EQ(keys(all.to_vector()), keys(expected));
  const ObjectRange copy = all.where(is_tenth);
  EXPECT_EQ(copy.size(), static_cast<std::size_t>(std::count_if(expected.begin(), expected.end(), is_tenth)));
  EXPECT_EQ(copy.to_vector().size(), copy.size());
  EXPECT_TRUE(ObjectRange::joined({}).empty());
  EXPECT_EQ(ObjectRange::joined({ObjectRange(), second.range("b")}).size(), 350U);
}

// The key refers to text of the stored object, and only the table keeps that object alive.
TEST(ObjectTable, ErasesByAKeyOfTheObjectItself) {
  ObjectTable table;
  (void)table.put(placed("a", "x", "1"));
  const ObjectKeyView key = table.list().front().key_view();
  EXPECT_EQ(version_of(table.erase(key)), "1");
}

}  // namespace
}  // namespace pintle
