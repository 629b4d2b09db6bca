#include "core/facts/english/english.h"
#include "core/formats/plimsoll/catalogue_json.h"

#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace plimsoll;
    const auto catalogue = readCatalogueJson({reinterpret_cast<const char*>(data), size}, {});
    if (catalogue.ok() && !readCatalogueJson(catalogueJsonText(catalogue.value(), english), {}).ok()) std::abort();
    return 0;
}
