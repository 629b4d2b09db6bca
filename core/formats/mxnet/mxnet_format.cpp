#include "core/formats/formats.h"
#include "core/formats/mxnet/mxnet_reader.h"

namespace plimsoll {

const Format MxnetFormat {
    .id = "mxnet",
    .title = "MXNet",
    .name = "MXNet symbol",
    .plural = "formats.mxnet",
    .extensions = "json",
    .howToGet = "A symbol file, model-symbol.json.",
    .runs = "kernels",
    .typesValues = false, // Variables alone have types.
    .recognise = looksLikeMxnet,
    .read = graphAlone<readMxnet>,
};

} // namespace plimsoll
