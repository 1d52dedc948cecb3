// SPDX-License-Identifier: Apache-2.0
#include "new/new.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/base/terminal.hpp>
#include <pintle/base/text.hpp>

#include "base/reference/shell_word.hpp"
#include "new/git_tag.hpp"
#include "new/names.hpp"
#include "new/project.hpp"

namespace pintle::tools {
namespace {

namespace fs = std::filesystem;

Result<void> named(std::string_view what, std::string_view value, Result<void> checked) {
  if (checked) return checked;
  return fail(ErrorCode::invalid, fmt::format("{} {} {}", what, quote(value), checked.error().message));
}

Result<ProjectOptions> checked_options(const NewOptions& options) {
  if (auto name = named("the name", options.name, check_project_name(options.name)); !name) {
    return fail(std::move(name.error()));
  }
  const std::string kind = options.kind.empty() ? kind_of_project(options.name) : options.kind;
  const std::string_view whose = options.kind.empty() ? "the kind from the name," : "--kind";
  auto valid = named(whose, kind, check_kind(kind, options.pattern));
  if (!valid && options.kind.empty()) valid.error().message += "; choose one with --kind";
  if (valid) valid = named("--group", options.group, check_group(options.group));
  if (valid) valid = named("--pattern", options.pattern, check_pattern(options.pattern));
  if (valid) valid = named("--url", options.url, check_git_url(options.url));
  if (valid) valid = named("--tag", options.tag, check_git_tag(options.tag));
  if (!valid) return fail(std::move(valid.error()));
  return ProjectOptions{.name = options.name,
                        .group = options.group,
                        .kind = kind,
                        .pattern = options.pattern,
                        .webhook = options.webhook,
                        .url = options.url,
                        .tag = options.tag.empty() ? std::string(git_tag()) : options.tag,
                        .pintle_version = options.version};
}

Result<void> check_folder(const fs::path& folder) {
  std::error_code failed;
  const fs::file_status status = fs::symlink_status(folder, failed);
  if (status.type() == fs::file_type::not_found) return {};
  if (failed) return fail(ErrorCode::unavailable, fmt::format("{}: {}", folder.string(), failed.message()));
  if (!fs::is_directory(folder, failed)) {
    return fail(ErrorCode::invalid,
                fmt::format("{} exists and is not a folder; choose another one with --out", folder.string()));
  }
  const bool is_empty = fs::is_empty(folder, failed);
  if (failed) return fail(ErrorCode::unavailable, fmt::format("{}: {}", folder.string(), failed.message()));
  if (is_empty) return {};
  return fail(ErrorCode::invalid,
              fmt::format("{} exists and is not empty; choose another folder with --out", folder.string()));
}

// Creates files, and removes them again unless all of them were written.
class ProjectWriter {
 public:
  ~ProjectWriter() {
    if (is_kept_) return;
    std::error_code ignored;
    for (auto path = created_.rbegin(); path != created_.rend(); ++path) fs::remove(*path, ignored);
  }
  ProjectWriter() = default;
  ProjectWriter(const ProjectWriter&) = delete;
  ProjectWriter& operator=(const ProjectWriter&) = delete;

  [[nodiscard]] Result<void> write(const fs::path& path, const std::string& text) {
    if (auto made = make_folder(path.parent_path()); !made) return made;
    // Scripts begin with "#!".
    const mode_t mode = text.starts_with("#!") ? 0777 : 0666;
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file < 0) return cannot_write(path, errno);
    created_.push_back(path);
    std::size_t done = 0;
    int error = 0;
    while (done < text.size() && error == 0) {
      const ssize_t written = ::write(file, text.data() + done, text.size() - done);
      if (written >= 0) {
        done += static_cast<std::size_t>(written);
      } else if (errno != EINTR) {
        error = errno;
      }
    }
    if (::close(file) != 0 && error == 0) error = errno;
    return error == 0 ? Result<void>() : cannot_write(path, error);
  }
  void keep() { is_kept_ = true; }

 private:
  static Result<void> cannot_write(const fs::path& path, int error) {
    return fail(ErrorCode::unavailable, fmt::format("cannot write {}: {}", path.string(), std::strerror(error)));
  }
  Result<void> make_folder(const fs::path& folder) {
    std::error_code failed;
    if (folder.empty() || fs::is_directory(folder, failed)) return {};
    if (auto made = make_folder(folder.parent_path()); !made) return made;
    if (::mkdir(folder.c_str(), 0777) != 0) return cannot_write(folder, errno == EEXIST ? ENOTDIR : errno);
    created_.push_back(folder);
    return {};
  }

  std::vector<fs::path> created_;
  bool is_kept_ = false;
};

Result<void> write_project(const fs::path& folder, const std::map<std::string, std::string>& files) {
  ProjectWriter writer;
  for (const auto& [path, text] : files) {
    if (auto written = writer.write(folder / path, text); !written) return written;
  }
  writer.keep();
  return {};
}

Result<void> create_project(const NewOptions& options, const std::string& folder) {
  auto project = checked_options(options);
  if (!project) return fail(std::move(project.error()));
  if (auto usable = check_folder(folder); !usable) return usable;
  auto files = project_files(*project);
  if (!files) return fail(std::move(files.error()));
  return write_project(folder, *files);
}

}  // namespace

int run_new(const NewOptions& options) {
  const std::string folder = options.out.empty() ? options.name : options.out;
  if (const auto created = create_project(options, folder); !created) {
    fmt::print(stderr, "pintle new: {}\n", escape_for_terminal(created.error().message));
    return created.error().code == ErrorCode::invalid ? 2 : 1;
  }
  fmt::print(
      "created {}; its README.md has the next commands:\n"
      "  cd {}\n  cmake --preset dev && cmake --build --preset dev && ctest --preset dev\n",
      escape_for_terminal(folder), escape_for_terminal(shell_word(folder)));
  if (options.url.empty()) {
    fmt::print(
        "CI and the Containerfile also need the Git repository of pintle: set PINTLE_GIT_URL in CMakeLists.txt.\n");
  }
  return 0;
}

}  // namespace pintle::tools
