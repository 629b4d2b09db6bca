#include "app/window/commands/move_dialog.h"

#include "app/models/window_text.h"
#include "app/views/plan/plan_drag.h"
#include "app/window/look/labels.h"
#include "core/base/bytes.h"
#include "core/facts/about.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <functional>

namespace plimsoll::app {
namespace {

/// An offset that is typed, and what is said of it.
struct Typed
{
    std::optional<std::int64_t> offset; ///< Nothing: it cannot lie there.
    QString says;
};

/// \p met says what lies there.
Typed readOffset(const QString& name, const Movable& moved, const QString& text,
                 const std::function<QString(std::int64_t)>& met)
{
    const auto offset = parseBytes(text.trimmed().toStdString());
    if (!offset) return {{}, QObject::tr("1024, 0x400 and 1KiB are addresses.")};
    if (*offset % moved.grid != 0)
        return {{}, windowText(say("move.off-grid", word::Name {name.toStdString()}, moved.grid, *offset))};
    if (!checkedAdd(*offset, moved.bytes.length())) return {{}, windowText(say("bisect.too-large"))};
    return {offset, met(*offset)};
}

} // namespace

std::optional<std::int64_t> askForOffset(QWidget* parent, const Report& report, const Focus& what, OffsetUse use)
{
    const Movable moved = movableOf(report.program, what);
    const std::vector<Neighbour> neighbours = neighboursOf(report.program, moved);
    const QString name = toQString(focusTitle(report, what, numberForm()));
    QDialog dialog(parent);
    dialog.setObjectName(QStringLiteral("moveDialog"));
    dialog.setMinimumWidth(440);
    const bool keep = use == OffsetUse::Keep;
    dialog.setWindowTitle(keep ? QObject::tr("Keep it at an address") : QObject::tr("Move to an address"));
    auto* rows = new QVBoxLayout(&dialog);
    auto* now = textLabel("moveNow", &dialog);
    now->setText(QObject::tr("%1 lies at %2, %3 long.")
                     .arg(labelText(name), addressText(moved.bytes.begin), sizeText(moved.bytes.length())));
    auto* field = new QLineEdit(addressText(moved.bytes.begin), &dialog);
    field->setObjectName(QStringLiteral("moveField"));
    field->setAccessibleName(QObject::tr("Address in its arena"));
    field->selectAll();
    auto* says = textLabel("moveSays", &dialog);
    says->setAlignment(Qt::AlignTop);
    says->setMinimumHeight(3 * says->fontMetrics().lineSpacing()); // it has more lines for some names
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, &dialog);
    for (QLabel* text : {now, says})
        text->setTextFormat(Qt::PlainText);
    for (QWidget* row : std::initializer_list<QWidget*> {now, field, says, buttons})
        rows->addWidget(row);
    const auto met = [&](std::int64_t offset) {
        return keep ? QObject::tr("The plan is made anew around it.")
                    : metText(*report.program.graph, metAt(moved, offset, neighbours));
    };
    const auto read = [&] { return readOffset(name, moved, field->text(), met); };
    const auto refresh = [&] {
        const Typed typed = read();
        says->setText(typed.says);
        buttons->button(QDialogButtonBox::Ok)->setEnabled(typed.offset && (keep || *typed.offset != moved.bytes.begin));
    };
    QObject::connect(field, &QLineEdit::textChanged, &dialog, refresh);
    QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    refresh();
    return dialog.exec() == QDialog::Accepted ? read().offset : std::nullopt;
}

} // namespace plimsoll::app
