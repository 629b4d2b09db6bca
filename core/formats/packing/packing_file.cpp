#include "core/formats/packing/packing_file.h"

#include "core/formats/files/mapped_file.h"
#include "core/formats/formats.h"
#include "core/formats/packing/packing_csv.h"
#include "core/formats/plimsoll/from_file.h"
#include "core/formats/plimsoll/graph_in_file.h"

#include <fstream>
#include <iterator>
#include <streambuf>

namespace plimsoll {
namespace {

/// What was taken out of a stream to look at it, and then the rest of it.
class HeadFirst final : public std::streambuf
{
public:
    HeadFirst(std::string head, std::streambuf& rest) : m_block(std::move(head)), m_rest(rest) { show(m_block.size()); }

protected:
    int_type underflow() override
    {
        m_block.resize(BlockBytes);
        const std::streamsize count = m_rest.sgetn(m_block.data(), static_cast<std::streamsize>(BlockBytes));
        show(static_cast<std::size_t>(count));
        return count > 0 ? traits_type::to_int_type(m_block.front()) : traits_type::eof();
    }

private:
    static constexpr std::size_t BlockBytes = 1 << 16;

    void show(std::size_t bytes) { setg(m_block.data(), m_block.data(), m_block.data() + bytes); }

    std::string m_block;
    std::streambuf& m_rest;
};

} // namespace

/// A pipe can be read once, and its writer sees it closed: only its reader may open it.
Result<PackingTable> readPackingFile(const std::filesystem::path& path, std::size_t mostRows)
{
    const GraphPlace place = graphPlace(path);
    std::error_code none;
    if (std::filesystem::is_fifo(place.file, none)) {
        std::ifstream pipe(place.file, std::ios::binary);
        return fromFile(readPackingStream(pipe, mostRows), place.file);
    }
    if (!std::filesystem::is_regular_file(place.file, none)) return readPackingCsv(place.file, mostRows);
    PLIMSOLL_ASSIGN(file, MappedFile::open(place.file));
    const FormatInput input(file.bytes(), place.file, place.graph);
    const Format* format = formatOf(input);
    if (!format || !format->readTable) {
        if (input.content.kind == ContentKind::Text)
            return fromFile(PackingFormat.readTable(input, mostRows), place.file);
        // Of what is no text at all, the header of a table would be a riddle.
        const Message& known = input.content.known.text;
        return badInput(known.empty() ? say("table.neither") : known, {}, place.file.string());
    }
    if (!place.graph.empty() && !format->several) return onlyOneGraph(place);
    return fromFile(format->readTable(input, mostRows), place.file);
}

Result<PackingTable> readPackingStream(std::istream& input, std::size_t mostRows)
{
    constexpr std::size_t HeadBytes = 8192;
    std::string head(HeadBytes, '\0');
    input.read(head.data(), static_cast<std::streamsize>(HeadBytes));
    head.resize(static_cast<std::size_t>(input.gcount()));
    const Format* format = formatOf(head);
    if (format && format->readTable && format != &PackingFormat) {
        head.append(std::istreambuf_iterator<char>(input.rdbuf()), {});
        return format->readTable(head, mostRows);
    }
    HeadFirst whole(std::move(head), *input.rdbuf());
    std::istream table(&whole);
    return readPackingCsv(table, mostRows);
}

} // namespace plimsoll
