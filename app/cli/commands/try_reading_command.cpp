#include "app/cli/commands/all_commands.h"
#include "app/cli/read_apart.h"
#include "app/cli/supervised.h"

#include <memory>

namespace plimsoll::cli {

Command tryReadingCommand()
{
    auto file = std::make_shared<std::string>();
    return {.name = "try-reading",
            .meaning = "Read a file in a process that is shut in, and say whether a reader is at fault with it",
            .arguments = {{"FILE", file.get(), "What is about to be read", true}},
            .run =
                [file] {
                    const Status tried = tryReading(*file);
                    return toListener(true, tried.ok() ? Result(ExitStatus::Fine) : Result<ExitStatus>(tried.error()));
                },
            .hidden = true};
}

} // namespace plimsoll::cli
