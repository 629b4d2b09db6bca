#include "app/cli/asked_apart.h"

#include "app/cli/in_child.h"
#include "core/formats/plimsoll/catalogue_json.h"
#include "core/report/message_json.h"
#include "kernels/run/supervisor.h"

namespace plimsoll::cli {
namespace {

Message endOf(const ChildAnswer& answer)
{
    if (answer.signal == 0) return say("catalogue.failed");
    if (!answer.attempt.empty()) return say("catalogue.refused", answer.attempt);
    return say("catalogue.ended", kernels::signalText(answer.signal));
}

} // namespace

Result<Catalogue> askApart(const std::function<Result<Catalogue>()>& ask,
                           const std::vector<std::filesystem::path>& read)
{
    const auto answer = answerOfChild(
        [&]() -> std::optional<std::string> {
            const Result<Catalogue> offers = ask();
            if (!offers.ok()) return std::nullopt;
            return catalogueJsonText(offers.value(), messageText, true);
        },
        [&] { return sandboxForMachine(read); });
    if (!answer) return ask();
    if (answer->text) {
        PLIMSOLL_ASSIGN(offers, readCatalogueJson(*answer->text, "catalogue"));
        readMessageTexts(offers);
        return offers;
    }
    Catalogue nothing;
    nothing.environment[OffersKey] = endOf(*answer);
    return nothing;
}

} // namespace plimsoll::cli
