#pragma once

#include "core/formats/read_graph.h"
#include "tests/core/formats/graph_lines.h"
#include "tests/support/tflite_bytes.h"

#include <QString>

/// Text in, text out: models from lines of text, and their graphs as such.
namespace plimsoll::test {

inline Result<Graph> readBytes(const std::string& bytes, std::string_view wanted = {})
{
    auto content = readFile(FormatInput(bytes, {}, std::string(wanted)), {});
    return content.ok() ? Result<Graph>(std::move(content.value().graph)) : content.error();
}

inline Result<Graph> readText(std::string_view text, std::string_view wanted = {})
{
    return readBytes(tfliteBytes(text), wanted);
}

inline QString corpusFile(const char* name)
{
    return QStringLiteral(PLIMSOLL_SHARED_DIR "/corpora/tflite/") + QString::fromUtf8(name);
}

} // namespace plimsoll::test
