#include "app/cli/asked_apart.h"

#include "core/formats/plimsoll/catalogue_json.h"
#include "core/report/message_json.h"
#include "core/sandbox/sandbox.h"
#include "kernels/run/memory/host_memory.h"
#include "kernels/run/supervisor.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

namespace plimsoll::cli {
namespace {

void writeAll(int channel, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t count = write(channel, text.data(), text.size());
        if (count < 0 && errno != EINTR) return;
        if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
    }
}

/// The child ends without what a process does at its end: all of that is the parent's.
[[noreturn]] void answer(int channel, pid_t parent, const std::function<Result<Catalogue>()>& ask,
                         const std::vector<std::filesystem::path>& read) noexcept
{
    constexpr std::int64_t MostSeconds = 600;
    kernels::becomeWorker(parent);
    kernels::limitWorker({kernels::freeMemory(), MostSeconds});
    shutIn(sandboxForMachine(read), channel);
    const Result<Catalogue> offers = ask();
    if (!offers.ok()) _exit(1);
    writeAll(channel, catalogueJsonText(offers.value(), messageText, true));
    _exit(0);
}

Message endOf(int status, const std::string& text)
{
    constexpr std::size_t LineLength = 10; // "refused 0\n"
    if (!WIFSIGNALED(status)) return say("catalogue.failed");
    const std::size_t line = text.size() - std::min(text.size(), LineLength);
    const auto attempt = attemptIn(std::string_view(text).substr(line, LineLength - 1));
    if (WTERMSIG(status) == SIGSYS && attempt) return say("catalogue.refused", *attempt);
    return say("catalogue.ended", kernels::signalText(WTERMSIG(status)));
}

std::string readAll(int channel)
{
    std::string text;
    char buffer[65536];
    while (true) {
        const ssize_t count = read(channel, buffer, sizeof buffer);
        if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
        if (count == 0 || (count < 0 && errno != EINTR)) return text;
    }
}

} // namespace

Result<Catalogue> askApart(const std::function<Result<Catalogue>()>& ask,
                           const std::vector<std::filesystem::path>& read)
{
    int ends[2];
    if (pipe(ends) != 0) return ask();
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) answer(ends[1], parent, ask, read);
    close(ends[1]);
    const std::string text = child > 0 ? readAll(ends[0]) : std::string();
    close(ends[0]);
    if (child < 0) return ask();
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        PLIMSOLL_ASSIGN(offers, readCatalogueJson(text, "catalogue"));
        readMessageTexts(offers);
        return offers;
    }
    Catalogue nothing;
    nothing.environment[OffersKey] = endOf(status, text);
    return nothing;
}

} // namespace plimsoll::cli
