#include "app/window/panes/bytes_pane.h"

#include "app/models/window_text.h"
#include "app/session/job_tag.h"
#include "app/session/workbench.h"
#include "app/window/look/icons.h"
#include "app/window/look/labels.h"
#include "app/window/panes/content_picture.h"
#include "app/window/panes/styled_table.h"
#include "core/base/narrow.h"
#include "core/facts/english/english.h"
#include "core/facts/words/area_text.h"
#include "core/graph/never_made.h"

#include <QComboBox>
#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace plimsoll::app {
namespace {

/// Of a value without bytes by now.
QString whyUnwritten(const PlannedProgram& program, ValueId value)
{
    const Graph& graph = *program.graph;
    const NodeId within = graph.decided[value].fusedInto;
    if (within.valid())
        return BytesPane::tr("%1 is computed within node %2, and never stored: a run has no bytes of it.")
            .arg(toQString(graph[value].name), toQString(graph[within].name));
    if (isNeverMade(graph, value))
        return BytesPane::tr("%1 is never made: the plan leaves its node out.").arg(toQString(graph[value].name));
    return BytesPane::tr("Nothing has written it by this step.");
}

/// "a, float32[4], after step 2: 8 B of it by others"; of bytes that nothing has touched since "a, float32[4]".
QString figuresTitle(const Graph& graph, const RecordedContent& content, const PlaceNow& now, std::int64_t writtenAt,
                     std::int64_t step)
{
    const QString what =
        QStringLiteral("%1, %2").arg(toQString(graph[content.value].name),
                                     toQString(std::string(dtypeName(content.dtype)) + describe(content.shape)));
    if (now.others == 0) return what;
    if (now.bytes.empty()) return BytesPane::tr("%1, as step %2 wrote it").arg(what, countText(writtenAt));
    return BytesPane::tr("%1, after step %2: %3 of it by others").arg(what, countText(step), sizeText(now.others));
}

} // namespace

BytesPane::BytesPane(Workbench& bench, JobRunner& worker, std::shared_ptr<const Swatches> swatches, QWidget* parent)
    : QWidget(parent), m_bench(bench), m_worker(worker), m_empty(textLabel("bytesEmpty", this))
{
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addLayout(makeHead());
    rows->addWidget(m_empty, 1);
    rows->addWidget(makeBody(std::move(swatches)), 1);
    setFocusProxy(m_view);
    connect(&bench.selection, &Selection::focusChanged, this, &BytesPane::refresh);
    connect(&bench.recorded, &RecordedRun::changed, this, &BytesPane::refresh);
    connect(&bench.session, &Session::reportChanged, this, &BytesPane::refresh);
    connect(&bench.session, &Session::closed, this, &BytesPane::refresh);
    refresh();
}

QLayout* BytesPane::makeHead()
{
    m_head.title = new ElidedLabel({}, this);
    m_head.title->setObjectName(QStringLiteral("bytesTitle"));
    m_head.title->setFont(boldFont(font()));
    m_head.iteration = new QComboBox(this);
    m_head.iteration->setAccessibleName(tr("Iteration"));
    m_head.iteration->setToolTip(tr("Which time of the step, where a loop goes round"));
    m_head.keep = new QPushButton(icon(QStringLiteral("run")), tr("Keep from here"), this);
    m_head.keep->setObjectName(QStringLiteral("bytesKeep"));
    m_head.keep->setToolTip(tr("Run again, and keep the bytes from this step on"));
    const auto makeArrow = [this](Qt::ArrowType arrow, const QString& name, int by) {
        auto* button = new QToolButton(this);
        button->setArrowType(arrow);
        button->setAutoRaise(true);
        button->setAccessibleName(name);
        button->setToolTip(name);
        connect(button, &QToolButton::clicked, this, [this, by] { go(by); });
        return button;
    };
    m_head.back = makeArrow(Qt::LeftArrow, tr("The write before"), -1);
    m_head.on = makeArrow(Qt::RightArrow, tr("The next write"), 1);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 6, 8, 6);
    row->setSpacing(8);
    row->addWidget(m_head.title, 1);
    addAll(row, {m_head.keep, m_head.iteration, m_head.back, m_head.on});
    connect(m_head.iteration, &QComboBox::activated, this, [this](int index) {
        m_moment = m_head.iteration->itemData(index).value<std::size_t>();
        refresh();
    });
    connect(m_head.keep, &QPushButton::clicked, this,
            [this] { (void)m_bench.runAgain(std::max<std::int64_t>(0, m_bench.selection.step())); });
    return row;
}

QWidget* BytesPane::makeBody(std::shared_ptr<const Swatches> swatches)
{
    m_body = new QSplitter(Qt::Horizontal, this);
    m_view = makeStyledTable(false, std::move(swatches), m_body);
    m_view->setModel(&m_model);
    m_view->setSortingEnabled(false);
    m_view->setObjectName(QStringLiteral("bytesView"));
    m_view->setAccessibleName(tr("Bytes"));
    m_view->setToolTip(tr("Return or a double-click on a line: who wrote these bytes, and who reads them next"));
    connect(m_view, &QTableView::activated, this, [this](const QModelIndex& index) {
        const Subject now = subject();
        if (!now.arena.valid()) return; // the caller's, which have no address
        m_bench.selection.pick({.area = {now.arena, m_model.bytesOf(index.row())}, .step = m_bench.selection.step()});
    });
    QFont even = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    even.setPointSizeF(font().pointSizeF() * 0.9);
    m_view->setFont(even);
    const int letter = QFontMetrics(even).horizontalAdvance(u'0');
    constexpr int Letters[] = {13, 22, 9, 44, 3 * ShownBytes::LineBytes + 4};
    for (int column = 0; column < BytesModel::Columns; ++column)
        m_view->setColumnWidth(column, Letters[column] * letter);
    auto* side = new QWidget(m_body);
    m_picture = new ContentPicture(side);
    m_map = new QSpinBox(side);
    m_map->setAccessibleName(tr("Which map"));
    m_map->setToolTip(tr("The last two dimensions are shown; this counts through those before"));
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_picture, 1);
    column->addWidget(m_map);
    m_body->setChildrenCollapsible(false);
    m_body->setStretchFactor(0, 3);
    m_body->setStretchFactor(1, 1);
    connect(m_map, &QSpinBox::valueChanged, this, &BytesPane::refresh);
    return m_body;
}

void BytesPane::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void BytesPane::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) refresh();
}

BytesPane::Subject BytesPane::subject() const
{
    const auto report = m_bench.session.report();
    const Focus& focus = m_bench.selection.focus();
    ValueId value = focus.value;
    NodeId node = focus.node; // of a step alone, what it writes
    if (!focus.picked() && focus.step >= 0)
        node = report->program.schedule.steps[static_cast<std::size_t>(focus.step)].node;
    if (node.valid()) {
        for (const ValueId output : (*report->program.graph)[node].outputs)
            if (output.valid() && !value.valid()) value = output;
    }
    const PlanArea area = areaOf(*report, value.valid() ? Focus::on(value) : focus);
    return {area.arena, area.bytes, value};
}

std::vector<std::size_t> BytesPane::momentsHere() const
{
    const std::vector<Moment>& all = m_bench.recorded.record()->moments;
    const std::int64_t step = m_bench.selection.step();
    const auto latest =
        m_bench.recorded.record()->latestAt(step < 0 ? m_bench.recorded.program()->schedule.length() : step);
    std::vector<std::size_t> here;
    for (std::size_t i = 0; latest && i < all.size(); ++i)
        if (all[i].step == all[*latest].step) here.push_back(i);
    return here;
}

void BytesPane::showNothing(const QString& why)
{
    m_empty->setText(why);
    m_empty->show();
    m_body->hide();
    m_head.title->clear();
    for (QWidget* part : {static_cast<QWidget*>(m_head.iteration), static_cast<QWidget*>(m_head.keep)})
        part->hide();
    m_head.back->setEnabled(false);
    m_head.on->setEnabled(false);
    m_model.show({});
    m_moment.reset();
}

void BytesPane::refresh()
{
    if (!isVisible()) return;
    const RecordedRun& recorded = m_bench.recorded;
    if (recorded.error()) return showNothing(toQString(describe(*recorded.error(), windowWords)));
    if (!recorded.record())
        return showNothing(tr("Nothing was run yet, or its bytes were not kept: a run (Run > Run) keeps what each step "
                              "writes."));
    const Subject now = subject();
    if (now.bytes.empty() && !now.value.valid())
        return showNothing(
            tr("Pick a step, a value, a storage, or bytes: what they hold at the step cursor is shown here."));
    const std::vector<std::size_t> moments = momentsHere();
    if (moments.empty()) return showNothing(tr("Nothing has run by this step."));
    if (std::ranges::find(moments, m_moment) == moments.end()) m_moment = moments.back();
    m_empty->hide();
    m_body->show();
    showMoments(moments);
    showBytes(now);
}

void BytesPane::showMoments(const std::vector<std::size_t>& moments)
{
    const RunRecord& record = *m_bench.recorded.record();
    m_head.iteration->clear();
    for (const std::size_t moment : moments) {
        const QString iteration = toQString(iterationText(record.moments[moment].iteration));
        m_head.iteration->addItem(tr("iteration %1").arg(iteration), QVariant::fromValue(moment));
        if (moment == m_moment) m_head.iteration->setCurrentIndex(m_head.iteration->count() - 1);
    }
    m_head.iteration->setVisible(moments.size() > 1);
}

void BytesPane::showBytes(const Subject& subject)
{
    const auto record = m_bench.recorded.record();
    const auto program = m_bench.recorded.program();
    const ShownBytes bytes = subject.arena.valid()
                                 ? ShownBytes(record, program, subject.arena, subject.bytes, *m_moment)
                                 : ShownBytes(record, program, subject.value, *m_moment);
    if (bytes.lines() == 0) return showNothing(whyUnwritten(*program, subject.value));
    const QString step = countText(record->moments[*m_moment].step);
    const QString what =
        subject.value.valid()
            ? toQString((*program->graph)[subject.value].name)
            : toQString(areaText(*m_bench.session.report(), {subject.arena, subject.bytes}, numberForm()));
    m_head.title->setText(tr("%1 after step %2").arg(what, step));
    if (!record->order.empty())
        m_head.title->setText(tr("%1, %2").arg(m_head.title->text(), windowText(say("run.in-order", record->order))));
    if (bytes.lines() > BytesModel::MostLines)
        m_head.title->setText(
            tr("%1, its first %2").arg(m_head.title->text(), sizeText(BytesModel::MostLines * ShownBytes::LineBytes)));
    m_head.title->setToolTip(m_head.title->text());
    const auto isDropped = [&](const HeldBytes& held) { return held.content && !record->contents[*held.content].at; };
    m_head.keep->setVisible(std::ranges::any_of(bytes.pieces(), isDropped));
    m_head.keep->setEnabled(!m_bench.run.running());
    m_head.back->setEnabled(true);
    m_head.on->setEnabled(true);
    m_model.show({record, program, bytes});
    showFigures(bytes);
}

/// Of the value that has most of the bytes: of all of its place, as it is by now.
void BytesPane::showFigures(const ShownBytes& bytes)
{
    const auto record = m_bench.recorded.record();
    const auto& pieces = bytes.pieces();
    const auto most = std::ranges::max_element(
        pieces, {}, [](const HeldBytes& held) { return held.content ? held.bytes.length() : -1; });
    m_worker.cancel(JobTag::Content);
    if (!most->content || !record->contents[*most->content].at) return m_picture->setFigures({});
    m_worker.start(
        JobTag::Content, {},
        [record, program = m_bench.recorded.program(), held = *most, moment = *m_moment,
         at = m_map->value()](const Context&) {
            const RecordedContent& content = record->contents[*held.content];
            const PlaceNow now = placeNow(*record, *program, *held.content, moment);
            const std::span<const std::byte> there =
                now.bytes.empty() ? record->bytesOf(content) : std::span<const std::byte>(now.bytes);
            ContentFigures figures;
            figures.title = figuresTitle(*program->graph, content, now, record->moments[held.moment].step,
                                         record->moments[moment].step);
            figures.summary = summarise(content.dtype, there);
            figures.map = contentMap(content.dtype, content.shape, there, figures.summary, at);
            return figures;
        },
        [this](ContentFigures figures) {
            const QSignalBlocker blocker(m_map);
            m_map->setRange(0, narrow<int>(std::max<std::int64_t>(0, figures.map.count - 1)));
            m_map->setVisible(figures.map.count > 1);
            m_picture->setFigures(std::move(figures));
        });
}

void BytesPane::go(int by)
{
    const auto record = m_bench.recorded.record();
    if (!record || !m_moment) return;
    const Subject now = subject();
    std::vector<std::size_t> moments;
    if (now.arena.valid()) {
        for (const HeldBytes& write : writesTo(*record, *m_bench.recorded.program(), now.arena, now.bytes))
            moments.push_back(write.moment);
    } else {
        for (std::size_t i = 0; i < record->moments.size(); ++i) {
            const Interval contents = record->moments[i].contents;
            for (std::int64_t at = contents.begin; at < contents.end; ++at)
                if (record->contents[static_cast<std::size_t>(at)].value == now.value) moments.push_back(i);
        }
    }
    std::optional<std::size_t> found;
    for (const std::size_t moment : moments) {
        if (by < 0 && moment < *m_moment) found = moment;
        if (by > 0 && moment > *m_moment && !found) found = moment;
    }
    if (!found) return;
    m_moment = found;
    if (m_bench.selection.step() == record->moments[*found].step) return refresh(); // another iteration of it
    m_bench.selection.setStep(record->moments[*found].step);
}

} // namespace plimsoll::app
