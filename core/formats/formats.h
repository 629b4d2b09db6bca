#pragma once

#include "core/formats/format.h"

namespace plimsoll {

extern const Format OnnxFormat;
extern const Format TfliteFormat;
extern const Format ExecutorchFormat;
extern const Format HloFormat;
extern const Format MxnetFormat;
extern const Format TorchFormat;
extern const Format SnapshotFormat;
extern const Format MicroPlanFormat;
extern const Format GraphJsonFormat;
extern const Format PackingFormat;

/// All that can be read, in the order in which they are listed and, but for Format::takesRest, asked.
inline constexpr const Format* Formats[] = {&OnnxFormat,      &TfliteFormat, &ExecutorchFormat, &HloFormat,
                                            &MxnetFormat,     &TorchFormat,  &SnapshotFormat,   &MicroPlanFormat,
                                            &GraphJsonFormat, &PackingFormat};

/// By Format::id; null where none has it.
[[nodiscard]] const Format* findFormat(std::string_view id);

/// Which one the input is; null where it is none.
[[nodiscard]] const Format* formatOf(const FormatInput& input);

/// "pb", "pbtxt", …: its own first.
[[nodiscard]] std::vector<std::string> extensionsOf(const Format& format);

/// "ONNX models, … and tables of buffers (CSV)", for errors that say what else could be opened.
[[nodiscard]] Message readableFormats();

/// Media types of the Formats that have one, as a desktop entry lists them: "application/x-onnx;…;".
[[nodiscard]] std::string mediaTypeList();

/// The same as elements of a shared-mime-info file: names, magic and globs.
[[nodiscard]] std::string mimeTypesXml();

} // namespace plimsoll
