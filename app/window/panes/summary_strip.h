#pragma once

#include "core/facts/words/verdict.h"
#include "core/formats/graphs_of_file.h"

#include <QWidget>

#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QToolButton;

namespace plimsoll::app {

/// The head of an open graph: the verdict in one sentence, and the figures that belong together.
class SummaryStrip : public QWidget
{
    Q_OBJECT

public:
    explicit SummaryStrip(QWidget* parent = nullptr);

    /// \p provisional: the verdict is not the last word, and why; nothing where it is.
    void setReport(std::shared_ptr<const Report> report, std::shared_ptr<const Report> previous,
                   const std::optional<Error>& provisional);
    void setProblem(const QString& text); ///< A change that could not be planned; the old report stays. Empty: none.
    void setAbove(QWidget* widget);       ///< A line of its own, until it is deleted.
    void setGraphs(const GraphsOfFile& graphs); ///< A choice among them is there where the file holds several.

Q_SIGNALS:
    void peakRequested();
    void findingsRequested();
    void inspectRequested();
    void offersRequested();                   ///< To ask for them again.
    void graphRequested(const QString& name); ///< Another one of the file.

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Figure
    {
        QToolButton* button = nullptr;
        QLabel* name = nullptr;
        QLabel* change = nullptr;
        QWidget* box = nullptr;
    };
    Figure makeFigure(const char* id, const QString& title, const QString& tip);
    void layOut();
    static void name(const Figure& figure, const QString& title, const QString& tip);
    static void show(const Figure& figure, std::int64_t bytes, std::int64_t other); ///< Told apart from \p other.
    void refresh();
    void showBound(std::int64_t peak);
    void showMark(VerdictLevel level);
    void wrap();

    std::shared_ptr<const Report> m_report;
    std::shared_ptr<const Report> m_previous;
    QString m_problem;
    QString m_provisional;
    QLabel* m_mark;
    QLabel* m_graph;
    QComboBox* m_graphs;
    QLabel* m_verdict;
    struct
    {
        Figure peak, bound, waste, kept, noReuse, external;
    } m_figures;
    QToolButton* m_askAgain;
    QToolButton* m_dismiss; ///< The problem.
    QToolButton* m_findings;
};

} // namespace plimsoll::app
