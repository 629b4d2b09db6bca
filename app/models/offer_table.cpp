#include "app/models/offer_table.h"

#include "app/models/window_text.h"
#include "core/base/narrow.h"
#include "core/plan/offer_text.h"

#include <array>

namespace plimsoll::app {
namespace {

constexpr std::array<ColumnInfo, OfferTable::ColumnCount> Columns {{
    {QT_TRANSLATE_NOOP("plimsoll", "Node"), QT_TRANSLATE_NOOP("plimsoll", "Whom it could compute")},
    {QT_TRANSLATE_NOOP("plimsoll", "Taken"), QT_TRANSLATE_NOOP("plimsoll", "Which of the offers was taken")},
    {QT_TRANSLATE_NOOP("plimsoll", "Backend"), QT_TRANSLATE_NOOP("plimsoll", "Whose offer it is")},
    {QT_TRANSLATE_NOOP("plimsoll", "Implementation"), QT_TRANSLATE_NOOP("plimsoll", "As the library names it")},
    {QT_TRANSLATE_NOOP("plimsoll", "Layouts"),
     QT_TRANSLATE_NOOP("plimsoll", "In which it reads its inputs and leaves its outputs")},
    {QT_TRANSLATE_NOOP("plimsoll", "Sparse"),
     QT_TRANSLATE_NOOP("plimsoll", "native: as its sparse tensors are kept; fallback: through dense temporaries")},
    {QT_TRANSLATE_NOOP("plimsoll", "Output"), QT_TRANSLATE_NOOP("plimsoll", "Bytes that its outputs take"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "Prepared"),
     QT_TRANSLATE_NOOP("plimsoll", "Bytes of weights in its layout, made once ahead of the run"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "Scratchpad"), QT_TRANSLATE_NOOP("plimsoll", "Temporary bytes at its step"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "In place"), QT_TRANSLATE_NOOP("plimsoll", "Output over input, by position")},
    {QT_TRANSLATE_NOOP("plimsoll", "Time"), QT_TRANSLATE_NOOP("plimsoll", "Of the node alone"), true},
    {QT_TRANSLATE_NOOP("plimsoll", "Why"), QT_TRANSLATE_NOOP("plimsoll", "Why it was taken or left")},
}};

QString pairsText(const Implementation& offer)
{
    if (!offer.inPlaceKnown) return QObject::tr("as declared");
    QStringList pairs;
    for (const Implementation::InPlacePair& pair : offer.inPlace)
        pairs << QStringLiteral("%1 over %2").arg(pair.output).arg(pair.input);
    return pairs.isEmpty() ? QObject::tr("never") : pairs.join(QStringLiteral(", "));
}

qint64 preparedBytes(const Implementation& offer)
{
    qint64 sum = 0;
    for (const Implementation::Prepared& weight : offer.prepared)
        sum += weight.bytes;
    return sum;
}

Cell bytesCell(qint64 bytes)
{
    return {bytes ? sizeText(bytes) : QString(), bytes, exactBytesText(bytes)};
}

Cell timeCell(const Implementation& offer)
{
    if (offer.timeMs < 0) return {QString(), -1.0, QObject::tr("not known")};
    const QString text = QStringLiteral("%1 ms").arg(offer.timeMs, 0, 'g', 3);
    return {text, offer.timeMs, toQString(offer.provenance)};
}

} // namespace

OfferTable::OfferTable(QObject* parent) : ReportTable(parent)
{
    connect(this, &QAbstractItemModel::modelAboutToBeReset, this, [this] { m_listed = false; });
}

std::span<const ColumnInfo> OfferTable::columns() const
{
    return Columns;
}

const std::vector<OfferReport>& OfferTable::offers() const
{
    if (!m_listed) m_offers = listOffers(report());
    m_listed = true;
    return m_offers;
}

std::size_t OfferTable::countRows() const
{
    return offers().size();
}

Focus OfferTable::focusOf(int row) const
{
    return Focus::on(offers()[static_cast<std::size_t>(row)].node);
}

int OfferTable::rowOf(const Focus& focus) const
{
    if (!hasReport() || !focus.node.valid()) return -1;
    const auto& rows = offers();
    const auto isTaken = [&](const OfferReport& row) { return row.node == focus.node && row.taken; };
    const auto found = std::find_if(rows.begin(), rows.end(), isTaken);
    return found == rows.end() ? -1 : narrow<int>(found - rows.begin());
}

Cell OfferTable::cell(std::size_t row, int column) const
{
    const OfferReport& entry = offers()[row];
    switch (column) {
    case Node:
        return {toQString((*report().program.graph)[entry.node].name), qint64(entry.node.number()), {}};
    case Taken:
        return {entry.taken ? QObject::tr("taken") : QString(), entry.taken ? 1 : 0, {}};
    case Backend:
        return {toQString(entry.offer.backend), {}, {}};
    case Implementation:
        return {toQString(entry.offer.name), {}, {}};
    case Layouts:
        return {toQString(layoutsText(entry.offer)), {}, {}};
    case Output:
        return bytesCell(entry.outputBytes);
    case Prepared:
        return bytesCell(preparedBytes(entry.offer));
    case Scratchpad:
        return bytesCell(entry.offer.scratchpadBytes);
    case InPlace:
        return {pairsText(entry.offer), {}, {}};
    case Time:
        return timeCell(entry.offer);
    case Why:
        return {windowText(entry.why), {}, {}};
    case Sparse:
        return {toQString(sparseDispatchName(entry.dispatch)), {}, {}};
    default:
        return {};
    }
}

} // namespace plimsoll::app
