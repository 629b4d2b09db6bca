#include "app/session/catalogue_job.h"

#include "core/formats/plimsoll/catalogue_json.h"
#include "core/report/message_json.h"

namespace plimsoll::app {

CatalogueJob::CatalogueJob(QObject* parent) : CliProcess(parent)
{
    connect(this, &CliProcess::finished, this, [this](int status, const QByteArray& output, const QString& said) {
        if (status != 0) {
            Q_EMIT failed({ErrorCode::Unsupported, Message(said.toStdString()), {}, {}});
            return;
        }
        Result<Catalogue> catalogue =
            readCatalogueJson({output.constData(), static_cast<std::size_t>(output.size())}, {});
        if (catalogue.ok()) {
            readMessageTexts(catalogue.value());
            Q_EMIT arrived(std::make_shared<const Catalogue>(std::move(catalogue).value()));
            return;
        }
        Error error = catalogue.error();
        error.message = say("cli.no-catalogue", std::move(error.message));
        Q_EMIT failed(error);
    });
}

void CatalogueJob::start(const QString& file, const Choices& choices, Times times)
{
    QStringList arguments = QStringList {QStringLiteral("catalogue"), file} + offerArguments(choices);
    arguments << QStringLiteral("--json") << QStringLiteral("-") << QStringLiteral("--brief")
              << QStringLiteral("--messages") << QStringLiteral("--progress");
    if (times == Times::Measured) arguments << QStringLiteral("--measure");
    CliProcess::start(arguments);
}

} // namespace plimsoll::app
