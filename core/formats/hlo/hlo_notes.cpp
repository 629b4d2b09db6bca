#include "core/base/plural.h"
#include "core/formats/hlo/hlo_emitter.h"

namespace plimsoll::hlo {
namespace {

void add(std::vector<std::string>& notes, std::size_t count, std::string_view noun, const std::string& rest)
{
    if (count > 0) notes.push_back(plural(count, noun) + rest);
}

} // namespace

std::vector<std::string> Emitter::notes() const
{
    std::vector<std::string> notes;
    if (!m_module.scheduled)
        notes.push_back("The program has no schedule: it is planned in the order of its text. XLA's compiler would "
                        "fuse, reorder and copy first; dump the program after optimizations to see what it does.");
    add(notes, m_donated, "tensor",
        " of the parameters may be written over (input_output_alias, buffer_donor): results lie there with -p "
        "inputs=donate.");
    add(notes, m_tiled, "value",
        " in tiled layouts: planned with the bytes of their elements; tiles may be filled up.");
    add(notes, m_bounded, "value", " with a dimension that is known at run time only: planned with its upper bound.");
    add(notes, m_standIns, "value",
        " of element types that are shown as others of the same size (s4 unpacked as int8, f8e4m3 as uint8).");
    add(notes, m_elided, "constant", " without elements: the file leaves them out, or they are not read.");
    add(notes, m_asynchronous, "operation",
        " begun at one place and ended at another: operands and results are kept from the one to the other.");
    add(notes, m_onHost, "value", " in the memory of the host, S(5): planned in an arena of its own.");
    return notes;
}

} // namespace plimsoll::hlo
