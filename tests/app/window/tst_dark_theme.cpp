#include "app/models/table_model.h"
#include "app/window/look/theme.h"
#include "app/window/panes/styled_table.h"
#include "tests/app/support/no_warnings.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>
#include <QtTest>

#include <memory>

using namespace plimsoll;
using namespace plimsoll::app;

/// What is seen of widgets on a dark ground.
class DarkThemeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyTheme(ThemeChoice::Dark); }
    void init() { test::failOnWarnings(); }

    void whatIsSelectedCanBeRead()
    {
        const QPalette palette = QApplication::palette();
        QVERIFY(contrastOf(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)) >= 4.5);
        QVERIFY(contrastOf(palette.color(QPalette::Window), palette.color(QPalette::Highlight)) >= 3);
    }

    void fieldsHaveAnOutline()
    {
        QWidget page;
        auto* rows = new QVBoxLayout(&page);
        const QList<QWidget*> fields = {new QLineEdit(&page), new QSpinBox(&page), new QPlainTextEdit(&page)};
        for (QWidget* field : fields)
            rows->addWidget(field);
        rows->addWidget(new QPushButton(&page)); // which has the keyboard
        page.show();
        rows->itemAt(3)->widget()->setFocus();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        const QImage image = page.grab().toImage();
        for (const QWidget* field : fields) {
            const QColor edge = image.pixelColor(field->geometry().center().x(), field->geometry().top());
            QVERIFY2(contrastOf(edge, colours().window) >= 2.9, field->metaObject()->className());
        }
    }

    void buttonsOfDialogsHaveNoIcons()
    {
        const QDialogButtonBox box(QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::Close);
        for (const QAbstractButton* button : box.buttons())
            QVERIFY2(button->icon().isNull(), qPrintable(button->text()));
    }

    void aSwatchKeepsItsColourInASelectedRow()
    {
        auto swatches = std::make_shared<Swatches>();
        swatches->colours = std::make_shared<const StorageColours>(StorageColours {ColourIndex {3}});
        const std::unique_ptr<QTableView> view(makeStyledTable(false, swatches, nullptr));
        QStandardItemModel model(1, 1);
        model.setData(model.index(0, 0), 0, StorageRole);
        view->setModel(&model);
        const auto swatch = [&] {
            return view->grab(view->viewport()->geometry())
                .toImage()
                .pixelColor(view->visualRect(model.index(0, 0)).left() + 12,
                            view->visualRect(model.index(0, 0)).center().y());
        };
        const QColor plain = swatch();
        QVERIFY(plain != colours().base);
        view->selectRow(0);
        QCOMPARE(swatch(), plain);
    }

private:
    static double contrastOf(const QColor& one, const QColor& other)
    {
        const auto rgb = [](const QColor& colour) {
            return Rgb {static_cast<std::uint8_t>(colour.red()), static_cast<std::uint8_t>(colour.green()),
                        static_cast<std::uint8_t>(colour.blue())};
        };
        return contrast(rgb(one), rgb(other));
    }
};

QTEST_MAIN(DarkThemeTest)
#include "tst_dark_theme.moc"
