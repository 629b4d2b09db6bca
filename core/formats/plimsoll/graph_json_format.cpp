#include "core/formats/formats.h"
#include "core/formats/plimsoll/graph_json.h"

namespace plimsoll {

const Format GraphJsonFormat {
    .id = "plimsoll.graph/1",
    .title = "plimsoll.graph/1",
    .name = "plimsoll.graph/1 file",
    .plural = "formats.graph-json",
    .extensions = "plimsoll.json json",
    .mediaType = "application/x-plimsoll-graph+json",
    .howToGet = "JSON of names and shapes; for a graph of your own.",
    .runs = "kernels",
    .declaresTraits = true,
    .takesRest = true,
    .recognise =
        [](const FormatInput& input) {
            return input.content.kind == ContentKind::Json && input.content.known.name.empty();
        },
    .read = graphAlone<readGraphJson>,
};

} // namespace plimsoll
