#pragma once

#include "app/models/bytes_model.h"
#include "app/views/swatches.h"
#include "core/facts/focus.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QSplitter;
class QTableView;
class QToolButton;

namespace plimsoll::app {

class ContentPicture;
class JobRunner;
class Workbench;

/// What the last run left in the bytes that are picked, at the step cursor: whose they are, the bytes and elements
/// themselves, and the way to what wrote there before and after.
class BytesPane : public QWidget
{
    Q_OBJECT

public:
    BytesPane(Workbench& bench, JobRunner& worker, std::shared_ptr<const Swatches> swatches, QWidget* parent = nullptr);

    [[nodiscard]] QTableView* view() const { return m_view; }
    [[nodiscard]] ContentPicture* picture() const { return m_picture; }
    /// The one that is shown of several at the step cursor; nothing without a record.
    [[nodiscard]] std::optional<std::size_t> moment() const { return m_moment; }

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override; ///< Numbers may read in another way.

private:
    /// What is picked, as bytes.
    struct Subject
    {
        ArenaId arena {}; ///< Invalid: the value has none there.
        Interval bytes {};
        ValueId value {};
        friend bool operator==(const Subject&, const Subject&) = default;
    };
    QLayout* makeHead();
    QWidget* makeBody(std::shared_ptr<const Swatches> swatches);
    void refresh();
    void showNothing(const QString& why);
    [[nodiscard]] Subject subject() const;
    [[nodiscard]] std::vector<std::size_t> momentsHere() const; ///< Of the step cursor.
    void showMoments(const std::vector<std::size_t>& moments);
    void showBytes(const Subject& subject);
    void showFigures(const ShownBytes& bytes);
    void go(int by); ///< To the write before, or after.

    Workbench& m_bench;
    JobRunner& m_worker; ///< Looks through all elements.
    struct
    {
        QLabel* title = nullptr;
        QComboBox* iteration = nullptr; ///< Of a step in a loop.
        QToolButton* back = nullptr;
        QToolButton* on = nullptr;
        QPushButton* keep = nullptr; ///< Runs again and keeps the bytes from here.
    } m_head;
    QLabel* m_empty;
    QSplitter* m_body;
    BytesModel m_model;
    QTableView* m_view = nullptr;
    ContentPicture* m_picture = nullptr;
    QSpinBox* m_map = nullptr; ///< Which one, of a tensor of more than two dimensions.
    std::optional<std::size_t> m_moment;
};

} // namespace plimsoll::app
