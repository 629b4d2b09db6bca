#pragma once

#include "core/base/result.h"

#include <QString>

namespace plimsoll::app {

/// What a file looks like from outside, for the page that explains why it cannot be opened.
struct FileProbe
{
    QString recognised; ///< "JSON text", "protobuf, as ONNX files are", "a ZIP archive", …
    QString size;
    QString advice;
};
[[nodiscard]] FileProbe probeFile(const QString& file, const Error& error);

/// The lines or bytes around the place that an error names ("line 3, column 7" or "byte 512"), with a mark under it.
/// The first bytes where it names none. Empty where the place cannot be found in the file.
[[nodiscard]] QString excerptAt(const QString& file, const QString& where);

} // namespace plimsoll::app
