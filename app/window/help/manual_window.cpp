#include "app/window/help/manual_window.h"

#include "app/window/help/format_texts.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

namespace plimsoll::app {
namespace {

/// Pages of the manual, in which the rows of formats, policies and bugs are filled in.
class Pages final : public QTextBrowser
{
public:
    using QTextBrowser::QTextBrowser;

private:
    QVariant loadResource(int type, const QUrl& name) override
    {
        const QVariant content = QTextBrowser::loadResource(type, name);
        if (type != QTextDocument::HtmlResource) return content;
        QByteArray page = content.toByteArray().replace("<!-- formats -->", formatRows().toUtf8());
        page.replace("<!-- gallery -->", bugSections().toUtf8());
        const QByteArray policies = policySections(QString::fromUtf8(page)).toUtf8();
        return page.replace("<!-- policies -->", policies).replace("<!-- law -->", lawRows().toUtf8());
    }
};

} // namespace

ManualWindow::ManualWindow(QWidget* parent) : QWidget(parent, Qt::Window), m_browser(new Pages(this))
{
    setWindowTitle(tr("Plimsoll manual"));
    setObjectName(QStringLiteral("manual"));
    resize(820, 680);
    m_browser->setOpenExternalLinks(false);
    m_browser->setAccessibleName(tr("Manual"));
    m_browser->setFrameShape(QFrame::NoFrame);
    m_browser->document()->setDocumentMargin(24);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 8, 8, 0);
    for (const auto& [page, title] : {std::pair {"index.html", tr("Overview")},
                                      {"views.html", tr("Views")},
                                      {"policies.html", tr("Policies")},
                                      {"rules.html", tr("Rules")},
                                      {"devices.html", tr("Devices")},
                                      {"cli.html", tr("Command line")},
                                      {"graphs.html", tr("Graphs")},
                                      {"formats.html", tr("Formats")},
                                      {"gallery.html", tr("Real bugs")}}) {
        auto* button = new QPushButton(title, this);
        button->setFlat(true);
        connect(button, &QPushButton::clicked, this, [this, page = QString::fromLatin1(page)] { showPage(page); });
        bar->addWidget(button);
    }
    bar->addStretch(1);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->addLayout(bar);
    rows->addWidget(m_browser, 1);
}

void ManualWindow::showPage(const QString& page)
{
    m_browser->setSource(QUrl(QStringLiteral("qrc:/manual/") + page));
    show();
    raise();
}

} // namespace plimsoll::app
