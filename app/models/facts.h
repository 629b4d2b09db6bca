#pragma once

#include "app/session/focus.h"
#include "core/advice/freeing.h"

#include <QString>

#include <vector>

namespace plimsoll::app {

/// One thing that is known about what is picked, and where it leads.
struct Fact
{
    QString name;
    QString text;
    QString tip;   ///< Exact figures; empty: the text.
    Focus link {}; ///< Picked when the fact is activated; nothing when it leads nowhere.
};

struct FactSection
{
    QString title;
    std::vector<Fact> facts;
};

/// Every fact and every decision about the focus; about the whole report where nothing is picked.
[[nodiscard]] std::vector<FactSection> factsOf(const Report& report, const Focus& focus);

/// What would free a tensor that is kept from forward to backward, against the plan as it is.
[[nodiscard]] FactSection freeingFacts(const Report& report, const std::vector<Freeing>& ways);

/// What the focus is called, for a heading: "conv1_out", "storage s7", "step 12".
[[nodiscard]] QString focusTitle(const Report& report, const Focus& focus);
/// What kind of thing it is: "value", "node", …
[[nodiscard]] QString focusKind(const Focus& focus);

} // namespace plimsoll::app
