#include <chrono>
#include <cstdio>
#include <fstream>
#include <malloc.h>
#include <unistd.h>
#include <pintle/base/runtime.hpp>
#include <pintle/json/reader.hpp>
#include <string>
#include "objects/objects.hpp"
using namespace pintle;
static double rss() { std::ifstream f("/proc/self/statm"); long a, b; f >> a >> b; return b * 4096.0 / 1e6; }
int main(int argc, char** argv) {
  std::string what = argc > 1 ? argv[1] : "pods"; int level = argc > 2 ? atoi(argv[2]) : 3; size_t count = argc > 3 ? atoi(argv[3]) : 50000;
  auto runtime = make_real_runtime(1);
  std::string text = what == "pods" ? benchmarks::list_of("v1", "Pod", count, [](size_t n) { return benchmarks::pod(n); })
   : what == "alone" ? benchmarks::list_of("v1", "Pod", count=20000, [](size_t n) { return benchmarks::pod(n, 1); })
   : benchmarks::list_of("bench.example.com/v1", "Widget", count, benchmarks::widget);
  double base = rss();
  auto before = mallinfo2();
  json::Pool pool(*runtime, {.sharing = static_cast<json::Sharing>(level)});
  std::vector<json::Document> docs; docs.reserve(count);
  auto t0 = std::chrono::steady_clock::now(); auto c0 = clock();
  json::Reader reader({.pool = &pool, .parts = "items", .on_part = [&](json::Document d) { docs.push_back(std::move(d)); },
     .defaults = {{"apiVersion", "v1"}, {"kind", "Pod"}}, .projection = {.drop = {"/metadata/managedFields"}}});
  for (size_t i = 0; i < text.size(); i += 65536) if (auto r = reader.add(std::string_view(text).substr(i, 65536)); !r) { puts(r.error().message.c_str()); return 1; }
  auto end = reader.finish(); if (!end) return 1;
  double s = double(clock() - c0) / CLOCKS_PER_SEC; (void)t0;
  auto after = mallinfo2(); auto st = pool.stats();
  size_t own = 0; for (auto& d : docs) own += d.bytes();
  printf("%s level %d: %zu docs, text %.0f MB, %.2f s, %.0f MB/s, %.2f us each; heap %.0f B each; own %.0f, pool %.0f (texts %zu shapes %zu subtrees %zu); rss %.1f MB\n", what.c_str(), level, docs.size(), text.size()/1e6, s, text.size()/1e6/s, s*1e6/docs.size(),
    (double)(after.uordblks + after.hblkhd - before.uordblks - before.hblkhd)/docs.size(), (double)own/docs.size(), (double)st.bytes/docs.size(), st.texts, st.shapes, st.subtrees, rss()-base);
  if (getenv("PARSE")) return 0;
  auto v = docs[777].root();
  t0 = std::chrono::steady_clock::now(); size_t hits=0;
  for (size_t i = 0; i < 1000000; ++i) { auto r = docs[(i*7919)%docs.size()].root(); hits += r["/metadata/labels/tier"] == "web"; hits += r["/spec/containers/0/image"].exists(); }
  printf("read %.0f ns (2 pointers)\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count()*1e3);
  if (argc > 4) puts(v.print_pretty().c_str());
  auto copy = json::Document(docs[777].root(), &pool); auto other = json::Document::parse(docs[777].root().print());
  t0 = std::chrono::steady_clock::now(); for (int i = 0; i < 100000; ++i) hits += copy.root() == docs[777].root();
  printf("equal in pool %.0f ns\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count()*1e4);
  t0 = std::chrono::steady_clock::now(); for (int i = 0; i < 100000; ++i) hits += other->root() == docs[777].root();
  printf("equal across %.0f ns  %zu; self-contained %zu B\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - t0).count()*1e4, hits, other->bytes());
}
