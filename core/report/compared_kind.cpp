#include "core/report/compared_kind.h"

#include "core/formats/files/mapped_file.h"
#include "core/formats/formats.h"
#include "core/formats/plimsoll/from_file.h"
#include "core/formats/read_graph.h"
#include "core/formats/top_words.h"
#include "core/report/saved_report.h"

namespace plimsoll {

ComparedKind comparedKind(const std::string& file)
{
    if (file == "-") return ComparedKind::Graph;
    const auto mapped = MappedFile::open(fileOfGraph(file));
    if (!mapped.ok()) return ComparedKind::Graph;
    const FormatInput input(mapped.value().bytes(), file);
    const Format* format = formatOf(input);
    if (format && format->readTable) return ComparedKind::Packed;
    if (isSavedReport(input.head())) return ComparedKind::Report;
    const bool plan = input.head().starts_with('{') && topWords(input.head()).contains("plimsoll.plan/1");
    return plan ? ComparedKind::Plan : ComparedKind::Graph;
}

} // namespace plimsoll
