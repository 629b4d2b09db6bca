#include "core/formats/hlo/hlo_emitter.h"

namespace plimsoll::hlo {

std::vector<Message> Emitter::notes() const
{
    std::vector<Message> notes;
    if (!m_module.scheduled) notes.push_back(say("note.hlo-unscheduled"));
    if (m_donated > 0) notes.push_back(say("note.hlo-donated", m_donated, Remedy::toggle("inputs", "donate")));
    if (m_tiled > 0) notes.push_back(say("note.hlo-tiled", m_tiled));
    if (m_bounded > 0) notes.push_back(say("note.hlo-bounded", m_bounded));
    if (m_standIns > 0) notes.push_back(say("note.hlo-stand-ins", m_standIns));
    if (m_elided > 0) notes.push_back(say("note.hlo-elided", m_elided));
    if (m_asynchronous > 0) notes.push_back(say("note.hlo-asynchronous", m_asynchronous));
    if (m_onHost > 0) notes.push_back(say("note.hlo-on-host", m_onHost));
    return notes;
}

} // namespace plimsoll::hlo
