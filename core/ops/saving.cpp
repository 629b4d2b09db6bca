#include "core/ops/saving.h"

#include <algorithm>

namespace plimsoll {
namespace {

/// How the formulas of an operator use one name.
struct Use
{
    std::vector<std::size_t> formulas;  ///< Variables of the entries that keep it.
    std::vector<std::size_t> neededFor; ///< Of these, those that are wanted and read its numbers.
};

Use useOf(const Derivative& derivative, const std::string& name, const std::vector<bool>& wanted)
{
    Use use;
    for (const GradientEntry& entry : derivative.entries) {
        const std::vector<Mention> mentions = mentionsOf(entry.formula);
        const auto mentioned = [&](auto... kinds) {
            return std::ranges::any_of(mentions, [&](const Mention& mention) {
                return mention.name == name && ((mention.kind == kinds) || ...);
            });
        };
        if (mentioned(Mention::Kind::Value, Mention::Kind::Held)) use.formulas.push_back(entry.variable);
        if (wanted[entry.variable] && mentioned(Mention::Kind::Value)) use.neededFor.push_back(entry.variable);
    }
    return use;
}

/// Why the argument has no guard; Needed when it has one.
SavingReason unguardableBecause(const Derivative& derivative, std::size_t argument, const Use& use)
{
    // In-place operators over lists work element by element, with the formulas of the plain operator.
    const bool eachInPlace = derivative.op.starts_with("_foreach_") && derivative.op.ends_with("_");
    const auto ofList = [&](const GradientEntry& entry) { return derivative.arguments[entry.variable].list; };
    if (!eachInPlace && std::ranges::any_of(derivative.entries, ofList)) return SavingReason::ListArgument;
    if (derivative.op.find("backward") != std::string::npos) return SavingReason::BackwardOperator;
    if (derivative.entries.size() < 2) return SavingReason::SingleDerivative;
    if (derivative.arguments[argument].list || derivative.arguments[argument].optional)
        return SavingReason::NotPlainTensor;
    if (derivative.joint) return SavingReason::JointFormula;
    if (use.formulas.size() != 1) return SavingReason::SeveralFormulas;
    return SavingReason::Needed;
}

class Saving
{
public:
    Saving(const Derivative& derivative, SavingRule rule, const std::vector<bool>& wanted)
        : m_derivative(derivative), m_rule(rule), m_wanted(wanted)
    {
    }

    std::vector<SavedSlot> run()
    {
        for (std::size_t argument = 0; argument < m_derivative.arguments.size(); ++argument)
            considerArgument(argument);
        for (std::size_t output = 0; output < m_derivative.outputs.size(); ++output) {
            const Use use = useOf(m_derivative, m_derivative.outputs[output], m_wanted);
            if (use.formulas.empty() || (m_rule == SavingRule::Exact && use.neededFor.empty())) continue;
            const SavingReason reason = m_rule == SavingRule::Exact ? SavingReason::Needed : SavingReason::Output;
            m_slots.push_back({true, output, reason, use.formulas.size(), use.neededFor});
        }
        std::ranges::stable_sort(m_slots,
                                 [this](const SavedSlot& a, const SavedSlot& b) { return nameOf(a) < nameOf(b); });
        return std::move(m_slots);
    }

private:
    void considerArgument(std::size_t argument)
    {
        Use use = useOf(m_derivative, m_derivative.arguments[argument].name, m_wanted);
        if (use.formulas.empty()) return;
        SavedSlot slot {false, argument, SavingReason::Needed, use.formulas.size(), use.neededFor};
        if (m_derivative.arguments[argument].number) {
            slot.reason = SavingReason::Setting;
        } else if (m_rule == SavingRule::Exact) {
            if (use.neededFor.empty()) return;
        } else {
            slot.reason = unguardableBecause(m_derivative, argument, use);
            if (!guardHolds(argument, slot.reason, use)) {
                if (m_rule == SavingRule::Guarded) return;
                slot.reason = SavingReason::SaveAll;
            }
        }
        m_slots.push_back(std::move(slot));
    }

    [[nodiscard]] bool guardHolds(std::size_t argument, SavingReason& reason, const Use& use) const
    {
        const auto wanted = [this](std::size_t variable) { return m_wanted[variable]; };
        if (reason == SavingReason::Needed) return wanted(use.formulas.front());
        if (reason != SavingReason::JointFormula) return true;
        const auto hint =
            std::ranges::find_if(m_derivative.hints, [argument](const auto& one) { return one.argument == argument; });
        if (hint == m_derivative.hints.end()) return true;
        reason = SavingReason::Needed;
        return std::ranges::any_of(hint->neededFor, wanted);
    }

    [[nodiscard]] const std::string& nameOf(const SavedSlot& slot) const
    {
        return slot.output ? m_derivative.outputs[slot.position] : m_derivative.arguments[slot.position].name;
    }

    const Derivative& m_derivative;
    SavingRule m_rule;
    const std::vector<bool>& m_wanted;
    std::vector<SavedSlot> m_slots;
};

} // namespace

std::vector<SavedSlot> savedSlots(const Derivative& derivative, SavingRule rule, const std::vector<bool>& wanted)
{
    const auto computed = [&](const GradientEntry& entry) { return wanted[entry.variable] && !entry.formula.isZero(); };
    if (std::ranges::none_of(derivative.entries, computed)) return {};
    return Saving(derivative, rule, wanted).run();
}

} // namespace plimsoll
