// SPDX-License-Identifier: Apache-2.0
#include "terminal/top.hpp"

#include <array>
#include <csignal>
#include <cstdio>
#include <optional>
#include <utility>

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include <pintle/base/terminal.hpp>

#include "terminal/json_members.hpp"

namespace pintle::tools {
namespace {

Result<TopState> ask(OperatorPages& pages, const Clock& clock) {
  TopState state{.at = clock.now()};
  for (const auto& [path, into] : {std::pair("/operator", &state.about), std::pair("/controllers", &state.controllers),
                                   std::pair("/caches", &state.caches)}) {
    auto answer = pages.get(path);
    if (!answer) return fail(std::move(answer.error()));
    *into = std::move(*answer);
  }
  for (const json::Value& controller : list_of(state.controllers, "items")) {
    auto failing = pages.get("/controllers/" + http::percent_encode(text_of(controller, "name")) +
                             "/objects?state=notReady&limit=20");
    if (!failing) return fail(std::move(failing.error()));
    state.failing.push_back(std::move(*failing));
  }
  return state;
}

// A terminal without echo and line editing, until the end of this object. Ctrl-C and `q` end a wait. The signals must
// be blocked in all threads.
class Screen {
 public:
  Screen() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int one : {SIGINT, SIGTERM}) sigaddset(&signals, one);
    signals_ = ::signalfd(-1, &signals, SFD_CLOEXEC);
    if (::tcgetattr(STDIN_FILENO, &before_) == 0) {
      termios quiet = before_;
      quiet.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
      has_changed_ = ::tcsetattr(STDIN_FILENO, TCSANOW, &quiet) == 0;
    }
    std::fputs("\x1b[?25l", stdout);  // hides the cursor
  }
  ~Screen() {
    std::fputs("\x1b[?25h", stdout);
    std::fflush(stdout);
    if (has_changed_) (void)::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
    if (signals_ >= 0) ::close(signals_);
  }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  [[nodiscard]] static ScreenSize size() {
    winsize known{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &known) != 0 || known.ws_row < 2) return {.rows = 24, .columns = 80};
    return {.rows = known.ws_row - 1U, .columns = known.ws_col};
  }

  // Replaces the shown text.
  static void show(const std::string& text) {
    std::string out = "\x1b[H";
    for (const char c : text) out += c == '\n' ? std::string("\x1b[K\n") : std::string(1, c);
    out += "\x1b[J";
    std::fputs(out.c_str(), stdout);
    std::fflush(stdout);
  }

  // Returns false if the user or a signal ends the program.
  [[nodiscard]] bool wait(Duration limit) const {
    std::array<pollfd, 2> ready{pollfd{.fd = signals_, .events = POLLIN, .revents = 0},
                                pollfd{.fd = has_changed_ ? STDIN_FILENO : -1, .events = POLLIN, .revents = 0}};
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(limit);
    if (::poll(ready.data(), ready.size(), static_cast<int>(left.count())) <= 0) return true;
    if (ready[0].revents != 0) return false;
    char key = 0;
    return ::read(STDIN_FILENO, &key, 1) == 1 && key != 'q';
  }

 private:
  int signals_ = -1;
  termios before_{};
  bool has_changed_ = false;
};

int refuse(const Error& error) {
  std::fprintf(stderr, "pintle top: %s\n", escape_for_terminal(error.to_string()).c_str());
  return error.code == ErrorCode::invalid ? 2 : 1;
}

}  // namespace

int run_top(const TopOptions& options) {
  const auto executor = make_real_executor();
  auto pages = OperatorPages::open(*executor, options.place);
  if (!pages) return refuse(pages.error());
  auto state = ask(*pages, *executor);
  if (!state) return refuse(state.error());
  if (options.is_once || ::isatty(STDOUT_FILENO) == 0) {
    std::fputs(top_text(*state, nullptr, pages->title(), {}).c_str(), stdout);
    return 0;
  }
  const Screen screen;
  std::optional<TopState> before;
  std::string text = top_text(*state, nullptr, pages->title(), Screen::size());
  while (true) {
    Screen::show(text);
    if (!screen.wait(options.interval)) return 0;
    if (state) before = std::move(*state);
    state = ask(*pages, *executor);
    text = state ? top_text(*state, before ? &*before : nullptr, pages->title(), Screen::size())
                 : escape_for_terminal("no response, trying again: " + state.error().to_string()) + "\n";
  }
}

}  // namespace pintle::tools
