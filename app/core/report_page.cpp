// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/core/report_page.h"

#include "app/core/texts.h"

#include <QCoreApplication>
#include <QLocale>

namespace coalescope::app {
namespace {

    struct Page {
        Q_DECLARE_TR_FUNCTIONS(ReportPage)
    };

    const char* const kStyle = R"(
:root { color-scheme: light dark; --ground: #f3f4f6; --panel: #fff; --text: #161b26; --muted: #5b6472; --line: #d9dde3;
  --good: #067a55; --warn: #b84a00; --accent: #0068ad; }
@media (prefers-color-scheme: dark) { :root { --ground: #12151b; --panel: #1c2029; --text: #e6e9ef; --muted: #9aa3b2;
  --line: #333a47; --good: #35c08e; --warn: #f08a4b; --accent: #5bb4ee; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); line-height: 1.45;
  font-family: system-ui, "Noto Sans", "Noto Sans CJK SC", "Microsoft YaHei", sans-serif; font-size: 15px; }
main { max-width: 1180px; margin: 0 auto; padding: 28px 20px 48px; }
h1 { font-size: 1.5rem; margin: 0 0 .2rem; } h2 { font-size: 1.08rem; margin: 0 0 .6rem; } h3 { font-size: 1rem; margin: .8rem 0 .1rem; }
p { margin: .15rem 0; } .muted { color: var(--muted); } .good { color: var(--good); } .warn { color: var(--warn); }
section { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: 16px 18px; margin-top: 16px; }
dl { display: flex; flex-wrap: wrap; gap: .4rem 2rem; margin: 0; } dt { color: var(--muted); font-size: .86rem; }
dd { margin: 0; font-family: ui-monospace, "DejaVu Sans Mono", monospace; }
img { width: 100%; height: auto; display: block; border-radius: 4px; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-weight: 600; color: var(--muted); font-size: .86rem; padding: 4px 8px; border-bottom: 1px solid var(--line); }
td { padding: 2px 8px; } td:first-child:not([colspan]) { white-space: nowrap; } tr.head td { font-weight: 600; padding-top: 12px; } tr.note td { color: var(--accent); font-size: .88rem; padding-left: 22px; }
.number { text-align: right; font-family: ui-monospace, "DejaVu Sans Mono", monospace; white-space: nowrap; }
.estimate { color: var(--muted); } .equal, .near { color: var(--good); } .differs { color: var(--accent); } .equal, .near, .differs { font-weight: 600; }
code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .8rem; color: var(--muted); }
@media print { @page { margin: 12mm; }
  :root { color-scheme: light; --ground: #fff; --panel: #fff; --text: #000; --muted: #444; --line: #bbb; --good: #05603f;
    --warn: #963c00; --accent: #00508a; }
  body { font-size: 10.5pt; } main { max-width: none; padding: 0; } section { border: none; border-radius: 0; padding: 0; break-inside: auto; }
  tr, img, h2, h3 { break-inside: avoid; } h2, h3 { break-after: avoid; } thead { display: table-header-group; } }
)";

    QString element(const char* tag, const QString& text, const char* type = nullptr)
    {
        const QString name = QLatin1String(tag);
        const QString attribute = type && *type ? QStringLiteral(" class=\"%1\"").arg(QLatin1String(type)) : QString();
        return QStringLiteral("<%1%2>%3</%1>").arg(name, attribute, text.toHtmlEscaped());
    }

    QString dataUri(const QByteArray& png)
    {
        return QStringLiteral("data:image/png;base64,") + QString::fromLatin1(png.toBase64());
    }

    QString picture(const ReportPage& page)
    {
        // Paper is white: the dark picture is for dark screens only.
        return QStringLiteral("<picture>\n<source media=\"screen and (prefers-color-scheme: dark)\" srcset=\"%1\">\n"
                              "<img src=\"%2\" alt=\"%3\">\n</picture>\n")
            .arg(dataUri(page.darkPicture), dataUri(page.lightPicture),
                (page.title + QStringLiteral(". ") + page.captions.join(QStringLiteral("; "))).toHtmlEscaped());
    }

    const char* toneClass(Tone tone)
    {
        switch (tone) {
        case Tone::Equal: return "number equal";
        case Tone::Near: return "number near";
        case Tone::Differs: return "number differs";
        case Tone::None: break;
        }
        return "number";
    }

    QString tableRow(const TableRow& row, bool measured)
    {
        const int columns = measured ? 5 : 3;
        if (row.kind != TableRow::Kind::Value)
            return QStringLiteral("<tr class=\"%1\"><td colspan=\"%2\">%3</td></tr>\n")
                .arg(row.kind == TableRow::Kind::Heading ? QStringLiteral("head") : QStringLiteral("note"))
                .arg(columns)
                .arg(row.label.toHtmlEscaped());
        QString cells = element("td", row.label) + element("td", row.predicted, row.estimate ? "number estimate" : "number");
        if (measured)
            cells += element("td", row.measured, "number") + element("td", row.change, toneClass(row.tone));
        return QStringLiteral("<tr>%1<td><code>%2</code></td></tr>\n").arg(cells, row.key.toHtmlEscaped());
    }

    QString table(const ReportPage& page)
    {
        const bool measured = !page.table.measuredHeading.isEmpty();
        QString head = element("th", {}) + element("th", Page::tr("predicted"), "number");
        if (measured)
            head += element("th", page.table.measuredHeading, "number") + element("th", Page::tr("difference"), "number");
        head += element("th", Page::tr("metric"));
        QString html = QStringLiteral("<div class=\"wide\"><table>\n<thead><tr>%1</tr></thead>\n<tbody>\n").arg(head);
        for (const TableRow& row : page.table.rows)
            html += tableRow(row, measured);
        return html + QStringLiteral("</tbody>\n</table></div>\n") + element("p", Page::tr("≈ marks an estimate; every other prediction is exact."), "muted");
    }

    QString section(const QString& heading, const QString& content)
    {
        return QStringLiteral("<section>\n%1\n%2</section>\n").arg(element("h2", heading), content);
    }

    QString readings(const ReportPage& page)
    {
        QString html;
        for (const ReportPage::Reading& reading : page.readings) {
            html += element("h3", reading.title) + element("p", reading.sentence);
            if (!reading.remark.isEmpty())
                html += element("p", reading.remark, "muted");
        }
        return html;
    }

    QString paragraphs(const QStringList& sentences, const char* type = nullptr)
    {
        QString html;
        for (const QString& sentence : sentences)
            html += element("p", sentence, type) + QLatin1Char('\n');
        return html;
    }

    QString sampleSentence(const QString& name, const analysis::TimeSample& sample)
    {
        return Page::tr("%1: median of %n run(s) with no profiler attached, shortest %2, 10 % to 90 %: %3 to %4.", nullptr,
            sample.runs)
            .arg(name, formatTime(sample.minimumNs), formatTime(sample.p10Ns), formatTime(sample.p90Ns));
    }

}

QStringList methodOf(const ComparisonInput& input, const QString& compiler)
{
    QStringList lines;
    if (!input.predicted)
        return lines;
    lines << Page::tr("Predicted on the CPU from the kernel's own source (PTX by %1): every warp's addresses, judged by sector and bank models.")
                 .arg(compiler);
    // The libraries speak English only; elsewhere the findings have said it.
    if (!input.predicted->verifyDetail.empty() && QLocale().language() != QLocale::Chinese)
        lines << Page::tr("Output check of the prediction: %1").arg(QString::fromStdString(input.predicted->verifyDetail));
    if (!input.measured) {
        lines << (input.elsewhere ? Page::tr("Not measured: this launch is recorded on %1, another GPU than the one predicted for, "
                                             "and none was run.")
                                        .arg(QString::fromStdString(input.elsewhere->gpu))
                                  : Page::tr("Not measured: no such launch is recorded, and none was run."));
        return lines;
    }
    lines << (input.origin == MeasurementOrigin::Recorded
            ? Page::tr("Measured earlier and recorded, not run for this page: %1.").arg(provenance(input))
            : Page::tr("Measured by running the same source: %1.").arg(provenance(input)));
    if (const auto& warm = input.measured->time.warm)
        lines << sampleSentence(Page::tr("Time with a warm L2"), *warm);
    if (const auto& cold = input.measured->time.cold)
        lines << sampleSentence(Page::tr("Time with the L2 flushed before each run"), *cold);
    lines << Page::tr("Counters: CUPTI, in runs of their own; the kernel duration is taken under the profiler.");
    for (const auto& [key, why] : input.measured->notMeasured)
        lines << Page::tr("%1 is not measured: %2").arg(QString::fromStdString(key), QString::fromStdString(why));
    return lines;
}

QByteArray reportHtml(const ReportPage& page)
{
    QString parameters = QStringLiteral("<dl>\n");
    for (const auto& [label, value] : page.parameters)
        parameters += QStringLiteral("<div>%1%2</div>\n").arg(element("dt", label), element("dd", value));
    parameters += QStringLiteral("</dl>\n");
    const QString language = page.language == QLatin1String("zh_CN") ? QStringLiteral("zh-CN") : QStringLiteral("en");
    QString html = QStringLiteral("<!DOCTYPE html>\n<html lang=\"%1\">\n<head>\n<meta charset=\"utf-8\">\n"
                                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n%2\n<style>%3</style>\n"
                                  "</head>\n<body>\n<main>\n")
                       .arg(language, element("title", page.title), QLatin1String(kStyle));
    html += element("h1", page.title) + QLatin1Char('\n') + element("p", page.summary) + QLatin1Char('\n')
        + paragraphs(page.captions, "muted");
    html += section(Page::tr("Experiment"), parameters);
    html += section(Page::tr("Verified, and what is wrong"), paragraphs(page.findings, page.wrong ? "warn" : page.verified ? "good" : "muted"));
    html += QStringLiteral("<section>\n") + picture(page) + QStringLiteral("</section>\n");
    if (!page.readings.empty())
        html += section(Page::tr("The warp's memory instructions"), readings(page));
    html += section(Page::tr("Predicted and measured"), table(page));
    html += section(Page::tr("How these figures were made"), paragraphs(page.method));
    html += QStringLiteral("</main>\n</body>\n</html>\n");
    return html.toUtf8();
}

} // namespace coalescope::app
