// What the user chooses.
#include "app/session/session.h"

namespace plimsoll::app {

Status Session::setPolicy(const QString& id, const QString& value)
{
    Choices changed = choices();
    PLIMSOLL_TRY(changed.setPolicy(id.toStdString(), value.toStdString()));
    setChoices(std::move(changed));
    return {};
}

void Session::setDim(const QString& dim, std::int64_t size)
{
    Choices changed = choices();
    changed.shapes.dims[dim.toStdString()] = size;
    setChoices(std::move(changed));
}

void Session::setShape(const QString& input, std::optional<Shape> shape)
{
    Choices changed = choices();
    if (shape)
        changed.shapes.shapes[input.toStdString()] = *std::move(shape);
    else
        changed.shapes.shapes.erase(input.toStdString());
    setChoices(std::move(changed));
}

void Session::setMaxStored(const QString& value, std::int64_t most)
{
    Choices changed = choices();
    if (most < 0)
        changed.shapes.maxStored.erase(value.toStdString());
    else
        changed.shapes.maxStored[value.toStdString()] = most;
    setChoices(std::move(changed));
}

void Session::setChoices(Choices choices, const QString& what)
{
    if (m_history.push(std::move(choices), what)) planAnew();
}

void Session::setSaid(Said said, const QString& what)
{
    const Edit before = m_history.current();
    if (m_history.push(std::move(said), what)) follow(before);
}

void Session::goTo(std::size_t edit)
{
    const Edit before = m_history.current();
    if (m_history.goTo(edit)) follow(before);
}

/// Another edit than \p before holds.
void Session::follow(const Edit& before)
{
    if (before.choices != choices()) return planAnew();
    Q_EMIT choicesChanged();
    if (before.said.suppressions != said().suppressions) joinRuns();
}

} // namespace plimsoll::app
