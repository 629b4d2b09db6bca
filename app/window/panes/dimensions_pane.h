#pragma once

#include <QWidget>

class QGridLayout;

namespace plimsoll {
struct Binding;
}

namespace plimsoll::app {

class Session;

/// The symbolic dimensions of the graph and the sizes they were given. Assumed ones say so.
class DimensionsPane : public QWidget
{
    Q_OBJECT

public:
    explicit DimensionsPane(Session& session, QWidget* parent = nullptr);
    ~DimensionsPane() override;

private:
    void refresh();
    int addRows(const Binding& binding, int row); ///< The row after it.

    Session& m_session;
    QGridLayout* m_grid;
    QStringList m_shown; ///< Name, size and whether assumed, to keep the fields while nothing changes.
};

} // namespace plimsoll::app
