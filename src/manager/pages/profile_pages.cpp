// SPDX-License-Identifier: Apache-2.0
#include "profile_pages.hpp"

#include <malloc.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "json_page.hpp"
#include "telemetry/cpu_sampler.hpp"
#include "telemetry/symbols.hpp"

namespace pintle {
namespace {

std::optional<int> seconds_of(std::string_view text) {
  constexpr int usual = 10;
  constexpr int most = 60;
  if (text.empty()) return usual;
  int seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number && seconds >= 1 && seconds <= most ? std::optional(seconds) : std::nullopt;
}

// Prints one stack on each line, beginning with the outermost function, and the number of its samples.
std::string folded(const CpuSamples& samples) {
  Symbols symbols;
  std::map<std::string, std::uint64_t> lines;
  for (const auto& [stack, count] : samples.stacks) {
    std::string line;
    for (std::size_t i = stack.size(); i-- > 0;) {
      // The return address of a call may be behind the end of the calling function.
      std::string name = symbols.name(i == 0 ? stack[i] : stack[i] - 1);
      for (char& c : name) c = c == ';' ? ':' : c;
      line += (line.empty() ? "" : ";") + name;
    }
    lines[line] += count;
  }
  if (samples.dropped != 0) lines["[no room]"] = samples.dropped;
  std::string text;
  for (const auto& [line, count] : lines) text += line + " " + std::to_string(count) + "\n";
  return text;
}

// A stream without data until the end of the sampling, which then contains the complete profile.
class Profile final : public http::BodyStream {
 public:
  Profile(Executor& executor, std::unique_ptr<CpuSampler> sampler, Duration length)
      : executor_(executor), sampler_(std::move(sampler)), until_(after(executor.now(), length)) {}

  State read(std::string& out) override {
    constexpr std::size_t most = std::size_t{64} << 10U;
    if (executor_.now() < until_) return State::waiting;
    if (sampler_ != nullptr) text_ = folded(std::exchange(sampler_, nullptr)->stop());
    out.append(text_, given_, most);
    given_ = std::min(given_ + most, text_.size());
    return given_ == text_.size() ? State::ended : State::more;
  }
  void on_ready(std::function<void()> /*wake*/) override {}
  Instant next_deadline() const override { return until_; }

 private:
  Executor& executor_;
  std::unique_ptr<CpuSampler> sampler_;
  const Instant until_;
  std::string text_;
  std::size_t given_ = 0;
};

json::Value heap() {
  const struct mallinfo2 info = mallinfo2();
  return json::object{{"in_use_bytes", info.uordblks + info.hblkhd},
                      {"free_bytes", info.fordblks},
                      {"from_system_bytes", info.arena + info.hblkhd},
                      {"mapped_bytes", info.hblkhd},
                      {"mapped_blocks", info.hblks}};
}

}  // namespace

http::Response ProfilePages::handle(const http::Request& request) {
  if (request.method != "GET") return json_error(405, "only GET is allowed");
  const http::Target target = http::parse_target(request.target);
  if (target.path == "/debug/heap") return json_page(200, heap());
  if (target.path == "/debug/profile") return profile(target);
  return json_error(404, "not found; available: /debug/profile and /debug/heap");
}

http::Response ProfilePages::profile(const http::Target& target) const {
  const auto seconds = seconds_of(target.parameter("seconds").value_or(""));
  if (!seconds) return json_error(400, "the duration must be 1 to 60 seconds, for example ?seconds=10");
  auto sampler = CpuSampler::start();
  if (!sampler) return json_error(409, sampler.error().message);
  return {.headers = {{"Content-Type", "text/plain; charset=utf-8"}},
          .stream = std::make_unique<Profile>(executor_, std::move(*sampler), std::chrono::seconds(*seconds))};
}

}  // namespace pintle
