#include "core/formats/formats.h"
#include "core/formats/torch/fx_reader.h"
#include "core/formats/torch/pt2_reader.h"

namespace plimsoll {
namespace {

/// Of archives all: others than an exported program are refused with what to do instead.
bool isArchive(const FormatInput& input)
{
    return input.text().starts_with("PK\x03\x04");
}

} // namespace

const Format TorchFormat {
    .id = "pytorch",
    .title = "PyTorch",
    .name = "graph printed or exported by PyTorch",
    .plural = "formats.torch",
    .extensions = "pt2 log txt",
    .howToGet = "A log with printed graphs (`TORCH_LOGS=aot_graphs`), an exported program (.pt2), or what "
                "`plimsoll_torch.py` captures.",
    .runs = "kernels, fingerprints",
    .terms = {{}, BackendPolicy::Captured},
    .several = true,
    .recognise =
        [](const FormatInput& input) {
            return isArchive(input) || (input.content.kind != ContentKind::Binary && looksLikeFx(input.head()));
        },
    .read =
        [](const FormatInput& input, const Context& context) {
            return isArchive(input) ? graphAlone<readPt2>(input, context) : readFx(input, context);
        },
};

} // namespace plimsoll
