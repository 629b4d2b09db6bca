#include "app/window/panes/policies_pane.h"

#include "app/models/window_text.h"
#include "app/session/policy_costs.h"
#include "app/session/session.h"
#include "app/window/look/labels.h"
#include "app/window/panes/policy_box.h"
#include "app/window/panes/size_panes.h"

#include <QLabel>
#include <QLineEdit>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace plimsoll::app {

namespace {

/// From top to bottom.
struct TitledSection
{
    PolicySection section;
    const char* title;
};
constexpr TitledSection Sections[] = {
    {PolicySection::Lowers, QT_TRANSLATE_NOOP("plimsoll::app::PoliciesPane", "Lowers the peak")},
    {PolicySection::Differs, QT_TRANSLATE_NOOP("plimsoll::app::PoliciesPane", "Changes this plan")},
    {PolicySection::Limits, QT_TRANSLATE_NOOP("plimsoll::app::PoliciesPane", "Limits and sizes")},
    {PolicySection::Untried, QT_TRANSLATE_NOOP("plimsoll::app::PoliciesPane", "Not tried yet")},
    {PolicySection::Same, QT_TRANSLATE_NOOP("plimsoll::app::PoliciesPane", "No difference here")},
    {PolicySection::Idle, QT_TRANSLATE_NOOP("plimsoll::app::PoliciesPane", "Without effect here")},
};

/// The Tab key goes from top to bottom, whatever was moved.
void chainTabStops(const QList<QWidget*>& fromTop)
{
    QWidget* before = nullptr;
    for (QWidget* widget : fromTop) {
        QList<QWidget*> stops {widget};
        stops += widget->findChildren<QWidget*>();
        for (QWidget* stop : stops) {
            if (stop->focusPolicy() == Qt::NoFocus) continue;
            if (before) QWidget::setTabOrder(before, stop);
            before = stop;
        }
    }
}

} // namespace

PoliciesPane::PoliciesPane(Session& session, PolicyCosts& costs, QWidget* parent) : QScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus); // its contents take the keyboard, and are scrolled to
    auto* page = new QWidget(this);
    m_page = new QVBoxLayout(page);
    m_page->setContentsMargins(12, 10, 12, 12);
    m_page->setSpacing(6);
    m_page->addWidget(new ShapesPane(session, page));
    m_page->addWidget(new DimensionsPane(session, page));
    m_page->addWidget(new BoundsPane(session, page));
    auto* searched = new QLabel(tr("Prices compare with the plan before the search went on."), page);
    searched->setObjectName(QStringLiteral("policies:searched"));
    searched->setForegroundRole(QPalette::PlaceholderText);
    searched->setWordWrap(true);
    searched->hide();
    m_page->addWidget(searched);
    connect(&session, &Session::reportChanged, searched,
            [&session, searched] { searched->setVisible(session.improved()); });
    m_search = new QLineEdit(page);
    m_search->setObjectName(QStringLiteral("policies:search"));
    m_search->setPlaceholderText(tr("Find a policy"));
    m_search->setAccessibleName(tr("Find a policy"));
    m_search->setClearButtonEnabled(true);
    m_page->addWidget(m_search);
    m_none = new QLabel(page);
    m_none->setObjectName(QStringLiteral("policies:none"));
    m_none->setForegroundRole(QPalette::PlaceholderText);
    m_none->setWordWrap(true);
    m_page->addWidget(m_none);
    setWidget(page);
    setFocusProxy(m_search);
    m_folded = {PolicySection::Same, PolicySection::Idle};
    addSections();
    addBoxes(session, costs);
    m_page->addStretch(1);
    connect(m_search, &QLineEdit::textChanged, this, &PoliciesPane::order);
    order();
}

PoliciesPane::~PoliciesPane()
{
    disconnectFields(*this);
}

void PoliciesPane::addSections()
{
    for (const TitledSection& row : Sections) {
        const PolicySection section = row.section;
        auto* title = new QToolButton(widget());
        title->setObjectName(QStringLiteral("policies:section%1").arg(int(section)));
        title->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        title->setAutoRaise(true);
        title->setForegroundRole(QPalette::PlaceholderText);
        connect(title, &QToolButton::clicked, this, [this, section] {
            if (!m_folded.remove(section)) m_folded.insert(section);
            order();
        });
        m_sections[section] = title;
        m_page->addWidget(title);
    }
}

void PoliciesPane::addBoxes(Session& session, PolicyCosts& costs)
{
    for (const PolicyInfo& policy : policyTable()) {
        auto* box = new PolicyBox(policy, session, widget());
        box->showChoice();
        connect(box, &PolicyBox::opened, this, [this, box](bool open) { m_opened[box] = open; });
        connect(box, &PolicyBox::complained, this, &PoliciesPane::reveal);
        connect(&session, &Session::choicesChanged, box, &PolicyBox::showChoice);
        connect(&session, &Session::reportChanged, box, [box, &costs] {
            box->showChoice();
            box->showCosts(costs);
        });
        connect(&costs, &PolicyCosts::changed, box, [box, &costs] { box->showCosts(costs); });
        connect(&session, &Session::graphOpened, box, &PolicyBox::forget);
        m_boxes << box;
    }
    connect(&session, &Session::graphOpened, this, [this] {
        m_opened.clear();
        m_places.clear();
    });
    for (auto signal : {&Session::choicesChanged, &Session::reportChanged})
        connect(&session, signal, this, &PoliciesPane::order);
    connect(&costs, &PolicyCosts::changed, this, &PoliciesPane::order);
}

/// Nothing moves away under the mouse while prices arrive.
PolicySection PoliciesPane::placeOf(const PolicyBox* box)
{
    const auto known = m_places.constFind(box);
    if (underMouse() && known != m_places.cend()) return *known;
    return m_places[box] = box->section();
}

void PoliciesPane::leaveEvent(QEvent* event)
{
    QScrollArea::leaveEvent(event);
    order();
}

/// Sections from top to bottom, and in each its policies as in the table. A search looks into all of them.
void PoliciesPane::order()
{
    constexpr int MostOpened = 5; // of what is found
    const QString word = m_search->text().trimmed();
    const auto found = [&](const PolicyBox* box) { return word.isEmpty() || box->says(word); };
    const bool few = !word.isEmpty() && std::ranges::count_if(m_boxes, found) <= MostOpened;
    m_none->setText(tr("No policy says \"%1\": not its name, its values or what they mean.").arg(labelText(word)));
    m_none->setVisible(std::ranges::none_of(m_boxes, found));
    QList<QWidget*> fromTop {m_search, m_none};
    for (const TitledSection& row : Sections) {
        const PolicySection section = row.section;
        QToolButton* title = m_sections[section];
        QList<PolicyBox*> boxes = m_boxes;
        boxes.removeIf([&](const PolicyBox* box) { return placeOf(box) != section || !found(box); });
        title->setText(tr(row.title) + QStringLiteral("  ") + QString::number(boxes.size()));
        const bool folded = word.isEmpty() && m_folded.contains(section);
        title->setArrowType(folded ? Qt::RightArrow : Qt::DownArrow);
        title->setAccessibleDescription(folded ? tr("folded") : tr("unfolded"));
        title->setVisible(!boxes.isEmpty());
        fromTop << title;
        for (PolicyBox* box : boxes) {
            box->setOpen(few || m_opened.value(box, section == PolicySection::Lowers));
            fromTop << box;
        }
    }
    for (PolicyBox* box : m_boxes) {
        const bool folded = word.isEmpty() && m_folded.contains(placeOf(box));
        box->setVisible(found(box) && !folded);
    }
    const int first = m_page->indexOf(m_search);
    for (int i = 0; i < fromTop.size(); ++i) {
        if (m_page->indexOf(fromTop[i]) == first + i) continue;
        m_page->removeWidget(fromTop[i]);
        m_page->insertWidget(first + i, fromTop[i]);
    }
    chainTabStops(fromTop);
}

/// What is said stands beneath the field, which may be the last that is seen.
void PoliciesPane::reveal(QWidget* complaint)
{
    widget()->layout()->activate();
    QTimer::singleShot(0, this, [this, complaint] { ensureWidgetVisible(complaint, 0, 12); });
}

} // namespace plimsoll::app
