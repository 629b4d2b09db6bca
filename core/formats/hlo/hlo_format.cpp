#include "core/formats/formats.h"
#include "core/formats/hlo/hlo_proto_reader.h"
#include "core/formats/hlo/hlo_reader.h"

namespace plimsoll {

const Format HloFormat {
    .id = "hlo",
    .title = "JAX, XLA",
    .name = "program of XLA (HLO)",
    .plural = "formats.xla",
    .extensions = "hlo txt pb pbtxt",
    .mediaType = "text/x-xla-hlo",
    .magic = {0, "HloModule "},
    .howToGet = "A program as text (`lowered.compile().as_text()`, `--xla_dump_to`), or as protobuf or a profile "
                "(.xplane.pb), which bring XLA's buffer assignment.",
    .plan = "judged",
    .runs = "fingerprints",
    .terms = {{}, BackendPolicy::Captured, InputsPolicy::Donate}, // input_output_alias, buffer_donor
    .several = true,
    .recognise = [](const FormatInput& input) { return looksLikeHloText(input.head()) || looksLikeHloProto(input); },
    .read =
        [](const FormatInput& input, const Context& context) {
            return looksLikeHloText(input.head()) ? readHloText(input, context) : readHloProto(input, context);
        },
};

} // namespace plimsoll
