#pragma once

#include <QFrame>
#include <QPointer>
#include <QString>

#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;
class QLabel;

namespace plimsoll::app {

/// One answer of a Finder.
struct FinderItem
{
    QString text;
    QString detail;                  ///< At the right, of less weight.
    std::function<void()> choose {}; ///< Empty: it cannot be chosen now, and is shown grey.
};

/// A field over the window with the best answers beneath: the command palette and "go to anything". Up, Down and Return
/// work while typing; Esc or a click elsewhere closes it.
class Finder : public QFrame
{
    Q_OBJECT

public:
    using Search = std::function<std::vector<FinderItem>(const QString& typed)>;

    explicit Finder(QWidget* window);

    /// \p none: what is said where nothing fits.
    void open(const QString& placeholder, Search search, const QString& none = {});
    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    void closed(); ///< By a key or a choice, before what was chosen happens; no widget has the keyboard.

private:
    void refresh(const QString& typed);
    void chooseCurrent();
    bool pressed(int key);
    void place();
    void giveBack();

    QLineEdit* m_field;
    QListWidget* m_list;
    QLabel* m_none;
    QPointer<QWidget> m_before; ///< Had the keyboard.
    Search m_search;
    std::vector<FinderItem> m_items;
};

} // namespace plimsoll::app
