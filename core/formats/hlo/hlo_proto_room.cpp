#include "core/formats/hlo/hlo_proto_room.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <map>

namespace plimsoll::hlo {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

constexpr int DeepestMessage = 100; ///< As in protobuf itself.
constexpr std::size_t Number = 8;   ///< Of a repeated field; its varint may have one byte.
constexpr std::size_t MapEntry = 64;
constexpr std::size_t Text = sizeof(std::string) + 16;

class Taking
{
public:
    explicit Taking(ReadingRoom& room) : m_room(room) {}

    /// What the fields of a message make.
    Status fields(WireBytes message, const Descriptor& type, int depth)
    {
        for (WireField field;;) {
            const Result<bool> more = nextField(message, field);
            if (!more.ok() || !more.value()) return {};
            const FieldDescriptor* known = type.FindFieldByNumber(field.number);
            const bool nested = known && known->message_type() && field.type == WireType::Bytes;
            m_room.take(nested ? sizeOf(*known) : sizeOf(field, known));
            if (m_room.isFull()) return wireError(ReadingRoom::refusal(), field.payload.offset);
            if (nested && depth < DeepestMessage)
                PLIMSOLL_TRY(fields(field.payload, *known->message_type(), depth + 1));
        }
    }

private:
    /// Of a message without what its fields make.
    std::size_t sizeOf(const FieldDescriptor& field)
    {
        if (field.is_map()) return MapEntry;
        const Descriptor& type = *field.message_type();
        const auto [known, isNew] = m_sizes.try_emplace(&type);
        auto* const factory = google::protobuf::MessageFactory::generated_factory();
        if (isNew) known->second = factory->GetPrototype(&type)->SpaceUsedLong();
        return known->second;
    }

    static std::size_t sizeOf(const WireField& field, const FieldDescriptor* known)
    {
        const std::size_t bytes = field.payload.bytes.size();
        if (!known || field.type != WireType::Bytes) return !known || known->is_repeated() ? Number + bytes : 0;
        return known->is_packable() ? bytes * Number : Text + bytes;
    }

    ReadingRoom& m_room;
    std::map<const Descriptor*, std::size_t> m_sizes;
};

} // namespace

Status takeMessage(WireBytes message, const Descriptor& type, ReadingRoom& room)
{
    return Taking(room).fields(message, type, 0);
}

} // namespace plimsoll::hlo
