#pragma once

#include <string>

namespace plimsoll {

/// Media types of the Formats that have one, as a desktop entry lists them: "application/x-onnx;…;".
[[nodiscard]] std::string mediaTypeList();

/// The same as elements of a shared-mime-info file: names, magic and globs.
[[nodiscard]] std::string mimeTypesXml();

} // namespace plimsoll
