#include "app/cli/read_apart.h"

#include "app/cli/in_child.h"
#include "core/formats/packing/packing_file.h"
#include "core/formats/plimsoll/session_graph.h"
#include "core/formats/read_graph.h"
#include "kernels/run/supervisor.h"

namespace plimsoll::cli {

Status tryReading(const std::filesystem::path& file, const std::function<void()>& read)
{
    const auto answer = answerOfChild(
        [&]() -> std::optional<std::string> {
            read();
            return std::string();
        },
        [&] { return sandboxForKernels({std::filesystem::absolute(fileOfGraph(file)).parent_path()}); });
    if (!answer || answer->signal == 0) return {};
    Message why = answer->attempt.empty() ? say("apart.ended", kernels::signalText(answer->signal))
                                          : say("apart.refused", answer->attempt);
    return Error {ErrorCode::BadInput, std::move(why), {}, file.string()};
}

Status tryReading(const std::filesystem::path& file)
{
    return tryReading(file, [&] {
        if (isSessionFile(file)) {
            (void)readSessionContent(file, {});
            return;
        }
        if (readPackingFile(file).ok()) return; // the graph of a table is made of its rows alone, and takes much longer
        if (!readFile(file, {}).ok()) (void)readPlan(file);
    });
}

} // namespace plimsoll::cli
