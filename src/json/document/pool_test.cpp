// SPDX-License-Identifier: Apache-2.0
#include <pintle/json/pool.hpp>

#include <vector>

#include <gtest/gtest.h>

#include <pintle/base/executor.hpp>
#include <pintle/base/random.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/reader.hpp>

#include "json/random_values.hpp"

namespace pintle::json {
namespace {

class PoolTest : public ::testing::Test {
 protected:
  [[nodiscard]] Document parsed(std::string_view text) { return *Document::parse(text, &pool); }
  // Returns an object with this name and this text.
  [[nodiscard]] Document note(const std::string& name, const std::string& text) {
    return parsed(R"({"metadata":{"name":")" + name + R"("},"spec":{"text":")" + text + "\"}}");
  }

  std::unique_ptr<Executor> executor = make_real_executor(1);
  Pool pool{*executor};
};

TEST_F(PoolTest, ADocumentReadsTheSameWhateverThePool) {
  Random random(3);
  for (const Sharing level : {Sharing::keys, Sharing::shapes, Sharing::strings, Sharing::subtrees}) {
    Pool one(*executor, {.sharing = level});
    Value value = random_value(random);
    std::vector<Document> kept;
    for (int i = 0; i < 2'000; ++i) {
      value = i % 50 == 0 ? random_value(random, 5) : random_edit(random, value);
      const Document alone(value);
      const Document shared(alone.root(), &one);
      const std::string text = print(value);
      ASSERT_EQ(alone.root().print(), text);
      ASSERT_EQ(shared.root().print(), text);
      ASSERT_EQ(shared.root().to_value(), value);
      ASSERT_TRUE(shared.root() == alone.root()) << text;
      ASSERT_EQ(shared.root().hash(), alone.root().hash()) << text;
      if (!kept.empty()) {
        const Document& before = kept.back();
        ASSERT_EQ(before.root() == shared.root(),
                  before.root().print() == text || Value(before.root().to_value()) == value);
      }
      kept.push_back(shared);
    }
    kept.clear();
    one.collect();
    EXPECT_EQ(one.stats().documents, 0U);
    EXPECT_EQ(one.stats().texts, 0U);
    EXPECT_EQ(one.stats().shapes, 0U);
    EXPECT_EQ(one.stats().subtrees, 0U);
  }
}

TEST_F(PoolTest, SharesPartsOfSeveralObjects) {
  const Document a = note("a", "a text that both have");
  EXPECT_EQ(pool.stats().texts, 0U) << "the first occurrence is not shared";
  const Document b = note("b", "a text that both have");
  const Document c = note("c", "a text that both have");
  EXPECT_LT(b.bytes(), a.bytes());
  EXPECT_LT(c.bytes(), a.bytes());
  EXPECT_EQ(c.root()["/spec/text"].text().data(), b.root()["/spec/text"].text().data());
  const Document d = note("d", "a text that both have");
  EXPECT_EQ(pool.stats().subtrees, 1U) << "the spec";
  EXPECT_TRUE(d.root().member("spec") == a.root().member("spec"));
}

// A text of only one object does not count as common because the next version of that object contains it too.
TEST_F(PoolTest, ANewVersionOfAnObjectSharesNothingWithTheOldOne) {
  for (int i = 0; i < 10; ++i) (void)note("a", "nobody else has this text");
  EXPECT_EQ(pool.stats().texts, 0U);
  (void)parsed(R"({"metadata":{"uid":"1","name":"a"},"spec":{"text":"of the first life"}})");
  (void)parsed(R"({"metadata":{"uid":"2","name":"a"},"spec":{"text":"of the first life"}})");
  EXPECT_NE(pool.stats().texts, 0U) << "another object of the same name is another object";
}

TEST_F(PoolTest, ADocumentWithoutANameIsAnObjectOfItsOwn) {
  const Document a = parsed(R"({"text":"that two have"})");
  EXPECT_EQ(pool.stats().texts, 0U);
  const Document b = parsed(R"({"text":"that two have"})");
  EXPECT_EQ(pool.stats().texts, 1U);
}

TEST_F(PoolTest, ReleasesUnusedParts) {
  std::vector<Document> documents;
  for (int i = 0; i < 100; ++i) documents.push_back(note("n" + std::to_string(i), "text " + std::to_string(i % 5)));
  EXPECT_NE(pool.stats().texts, 0U);
  EXPECT_EQ(pool.stats().documents, 100U);
  documents.resize(1);
  EXPECT_EQ(pool.stats().documents, 100U) << "the release of the last handle frees nothing";
  (void)note("x", "y");
  EXPECT_EQ(pool.stats().documents, 2U) << "the next document frees unused parts";
  documents.clear();
  pool.collect();
  EXPECT_EQ(pool.stats().texts + pool.stats().shapes + pool.stats().subtrees, 0U);
}

// The first common text has the same number in each pool.
TEST_F(PoolTest, DocumentsOfTwoPoolsAreComparedByValue) {
  Pool other(*executor);
  const auto third = [](Pool& in, const std::string& text) {
    Document last;
    for (const char* name : {"a", "b", "c"}) {
      last = *Document::parse(R"({"metadata":{"name":")" + std::string(name) + R"("},"text":")" + text + "\"}", &in);
    }
    return last;
  };
  const Document here = third(pool, "a text");
  EXPECT_FALSE(here.root() == third(other, "some other").root());
  EXPECT_TRUE(here.root() == third(other, "a text").root());
}

TEST_F(PoolTest, DocumentsOutliveTheirPool) {
  std::vector<Document> documents;
  {
    Pool gone(*executor);
    for (int i = 0; i < 10; ++i) {
      documents.push_back(
          *Document::parse(R"({"metadata":{"name":")" + std::to_string(i) + R"("},"text":"the same text"})", &gone));
    }
  }
  documents.erase(documents.begin(), documents.begin() + 5);
  for (const Document& document : documents) EXPECT_TRUE(document.root()["/text"] == "the same text");
}

// The memory of the pool stays flat while unique values come and go.
TEST_F(PoolTest, DoesNotGrowWhileObjectsChange) {
  std::vector<Document> store(100);
  std::size_t most = 0;
  for (std::size_t i = 0; i < 20'000; ++i) {
    store[i % store.size()] = note("n" + std::to_string(i % store.size()), "value " + std::to_string(i));
    if (i == 1'000) most = pool.stats().bytes + 4096;
  }
  EXPECT_LE(pool.stats().bytes, most + (std::size_t{1} << 21U)) << "only the table of recent values has grown";
  EXPECT_LE(pool.stats().texts, 20U);
  EXPECT_LE(pool.stats().documents, store.size() + 1);
}

// Documents are built on one thread, and read and released on others. The pool is destroyed meanwhile.
TEST(PoolConcurrency, DocumentsAreReleasedOnAnyThread) {
  const auto executor = make_real_executor(1);
  for (int round = 0; round < 20; ++round) {
    auto pool = std::make_unique<Pool>(*executor);
    std::vector<std::vector<Document>> hands(2);
    for (int i = 0; i < 400; ++i) {
      hands[static_cast<std::size_t>(i) % hands.size()].push_back(*Document::parse(
          R"({"metadata":{"name":")" + std::to_string(i) + R"("},"list":["one text","another text",{"a":1,"b":2}]})",
          pool.get()));
    }
    std::vector<Thread> threads;
    for (auto& hand : hands) {
      threads.push_back(executor->spawn({.name = "reader"}, [mine = std::move(hand)]() mutable {
        while (!mine.empty()) {
          ASSERT_TRUE(mine.back().root()["/list/1"] == "another text");
          mine.pop_back();
        }
      }));
    }
    for (int i = 0; i < 100; ++i) {
      (void)Document::parse(R"({"metadata":{"name":"x)" + std::to_string(i) + R"("},"list":["one text"]})", pool.get());
    }
    pool.reset();
    for (Thread& thread : threads) thread.join();
  }
}

// A reader stores the number of the shape at each place. That number may belong to another shape later.
TEST_F(PoolTest, AReaderDoesNotConfuseShapes) {
  Reader one({.pool = &pool});
  Reader other({.pool = &pool});
  const auto read = [](Reader& reader, std::string_view text) {
    EXPECT_TRUE(reader.add(text));
    return *reader.finish();
  };
  constexpr std::string_view first = R"({"alpha":1,"beta":2})";
  constexpr std::string_view second = R"({"gamma":3,"delta":4})";
  for (int i = 0; i < 4; ++i) {
    std::vector<Document> firsts;
    std::vector<Document> seconds;
    for (int n = 0; n < 3; ++n) {
      firsts.push_back(read(one, first));
      EXPECT_EQ(firsts.back().root().print(), first);
    }
    EXPECT_EQ(pool.stats().shapes, 1U);
    firsts.clear();
    pool.collect();
    EXPECT_EQ(pool.stats().shapes, 0U);
    for (int n = 0; n < 3; ++n) {
      seconds.push_back(read(other, second));
      EXPECT_EQ(seconds.back().root().print(), second);
    }
    EXPECT_EQ(read(one, first).root().print(), first);
  }
}

TEST_F(PoolTest, ADuplicateMemberIsReadTheSameEachTime) {
  Reader reader({.pool = &pool});
  std::vector<Document> kept;
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(reader.add(R"({"alpha":1,"beta":2,"alpha":3})"));
    kept.push_back(*reader.finish());
    EXPECT_EQ(kept.back().root().print(), R"({"alpha":3,"beta":2})");
  }
}

}  // namespace
}  // namespace pintle::json
