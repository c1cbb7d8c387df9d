// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/source_panel.h"

#include "analysis/result/metric_sums.h"
#include "app/core/texts.h"
#include "app/views/draw/draw.h"
#include "app/widgets/theme.h"

#include <Qsci/qscilexercpp.h>
#include <Qsci/qsciscintilla.h>
#include <Qsci/qscistyle.h>
#include <Qsci/qscistyledtext.h>

#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QShortcut>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

namespace coalescope::app {
namespace {

    constexpr int kNumberMargin = 0, kFigureMargin = 1;
    constexpr int kLineMarker = 3, kFaultMarker = 4;
    constexpr int kFigureStyle = 60, kWastefulStyle = 61; ///< Scintilla styles that no lexer uses

    class CudaLexer : public QsciLexerCPP {
    public:
        using QsciLexerCPP::QsciLexerCPP;
        const char* keywords(int set) const override
        {
            if (set == 2)
                return "__global__ __device__ __shared__ __constant__ __restrict__ __launch_bounds__ __syncthreads "
                       "threadIdx blockIdx blockDim gridDim warpSize float4 float2 int4 uint4 dim3";
            return QsciLexerCPP::keywords(set);
        }
    };

    struct StyleColor {
        int style;
        ColorRole role;
    };
    constexpr StyleColor kStyles[] = {
        { QsciLexerCPP::Default, ColorRole::Text },
        { QsciLexerCPP::Comment, ColorRole::MutedText },
        { QsciLexerCPP::CommentLine, ColorRole::MutedText },
        { QsciLexerCPP::CommentDoc, ColorRole::MutedText },
        { QsciLexerCPP::CommentLineDoc, ColorRole::MutedText },
        { QsciLexerCPP::Number, ColorRole::Good },
        { QsciLexerCPP::Keyword, ColorRole::Accent },
        { QsciLexerCPP::KeywordSet2, ColorRole::Accent },
        { QsciLexerCPP::DoubleQuotedString, ColorRole::Warn },
        { QsciLexerCPP::SingleQuotedString, ColorRole::Warn },
        { QsciLexerCPP::PreProcessor, ColorRole::Local },
        { QsciLexerCPP::Operator, ColorRole::Text },
        { QsciLexerCPP::Identifier, ColorRole::Text },
    };

    constexpr std::array kColumns { 8, 8, 12 }; ///< sectors, share used, wavefronts; characters
    constexpr int kMarginSpace = 8; ///< beside the figures
    constexpr int kLeastCode = 44; ///< characters of code for which columns of figures give way

    /// Of each column; empty where the line has no such figure.
    std::array<QString, kColumns.size()> columnsOf(const LineFigures& figures)
    {
        return { figures.sectors > 0 ? formatShort(figures.sectors) : QString(), figures.used >= 0 ? formatPercent(figures.used) : QString(),
            figures.wavefronts > 0 ? formatShort(figures.wavefronts) : QString() };
    }

    /// Of each column: half of what moves is not used; bank conflicts take as many wavefronts as all else.
    std::array<bool, kColumns.size()> wastefulColumnsOf(const LineFigures& figures)
    {
        const bool isHalfUnused = figures.used >= 0 && figures.used <= 0.5;
        return { isHalfUnused, isHalfUnused, figures.conflicts * 2 >= std::max(figures.wavefronts, 1.0) };
    }

    /// As wide as their columns, with a space behind the last one.
    QStringList textsOf(const LineFigures& figures, int columns)
    {
        QStringList texts;
        for (std::size_t i = 0; i < std::size_t(columns); ++i)
            texts << columnsOf(figures)[i].rightJustified(kColumns[i]);
        if (columns > 0)
            texts.last() += QLatin1Char(' ');
        return texts;
    }

}

std::map<int, LineFigures> figuresOf(const analysis::RunResult& result, const std::string& file)
{
    using analysis::Metric;
    std::map<int, LineFigures> figures;
    for (const analysis::LineValues& line : result.lines) {
        if (line.file != file)
            continue;
        const auto value = [&](Metric metric) { return line.metrics.get(metric).value_or(0); };
        LineFigures& sums = figures[int(line.line)];
        sums.sectors = sumOf(line.metrics, analysis::kSectors);
        sums.conflicts = sumOf(line.metrics, analysis::kConflicts);
        sums.wavefronts = sumOf(line.metrics, analysis::kWavefronts);
        if (const double moved = std::max(sums.sectors, value(Metric::GlobalSassSectors)); moved > 0)
            sums.used = value(Metric::GlobalSassSectorsIdeal) / moved;
    }
    return figures;
}

SourcePanel::SourcePanel(QWidget* parent)
    : Card(parent)
    , m_banner(new TextLabel(TextStyle::Bad))
    , m_headings(new QHBoxLayout)
    , m_lineFigures(new ElidedLabel(TextStyle::Small))
    , m_editor(new QsciScintilla)
    , m_lexer(new CudaLexer(this))
{
    m_editor->setObjectName(QStringLiteral("source"));
    m_editor->setReadOnly(true);
    m_editor->setUtf8(true);
    m_editor->setFrameShape(QFrame::NoFrame);
    m_editor->setLexer(m_lexer);
    m_editor->setMarginType(kNumberMargin, QsciScintilla::NumberMargin);
    m_editor->setMarginType(kFigureMargin, QsciScintilla::TextMarginRightJustified);
    m_editor->setMarginWidth(2, 0);
    for (const int margin : { kNumberMargin, kFigureMargin })
        m_editor->setMarginSensitivity(margin, true);
    m_editor->setCaretLineVisible(true);
    m_editor->SendScintilla(QsciScintilla::SCI_SETENDATLASTLINE, 0UL); // short code may stand at the top, its manifest above
    m_editor->SendScintilla(QsciScintilla::SCI_SETCARETLINEFRAME, 1); // filled is the line of what is looked at
    m_editor->setTabWidth(4);
    m_editor->setFolding(QsciScintilla::NoFoldStyle);
    m_editor->markerDefine(QsciScintilla::Background, kLineMarker);
    m_editor->markerDefine(QsciScintilla::Underline, kFaultMarker);
    m_editor->SendScintilla(QsciScintilla::SCI_SETCARETSTYLE, QsciScintilla::CARETSTYLE_INVISIBLE);
    // As far to the right as the longest line goes.
    m_editor->setScrollWidthTracking(true);
    m_editor->setScrollWidth(1);
    // Tab moves on: the source is read, not written.
    m_editor->SendScintilla(QsciScintilla::SCI_CLEARCMDKEY, QsciScintilla::SCK_TAB);
    // The window's text gets larger and smaller as a whole.
    for (const int key : { QsciScintilla::SCK_ADD, QsciScintilla::SCK_SUBTRACT, QsciScintilla::SCK_DIVIDE })
        m_editor->SendScintilla(QsciScintilla::SCI_CLEARCMDKEY, key + (QsciScintilla::SCMOD_CTRL << 16));
    m_banner->setObjectName(QStringLiteral("sourceBanner"));
    m_banner->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a compiler's longest word is no reason to take from the sides
    m_banner->setTextFormat(Qt::PlainText);
    m_banner->hide();
    body()->addWidget(m_banner);
    m_headings->setContentsMargins(0, 0, 0, 0);
    m_headings->setSpacing(0);
    m_headings->addSpacing(0);
    for (TextLabel*& heading : m_columns) {
        heading = new TextLabel(TextStyle::Small);
        heading->setWordWrap(false);
        heading->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        m_headings->addWidget(heading);
    }
    m_lineFigures->setObjectName(QStringLiteral("lineFigures"));
    m_headings->addSpacing(kMarginSpace);
    m_headings->addWidget(m_lineFigures, 1);
    m_headings->addStretch(0);
    body()->addLayout(m_headings);
    body()->addWidget(m_editor, 1);
    const auto choose = [this](int line) {
        if (!m_showing && line + 1 != m_line) // the editor tells of its cursor only when it is painted
            emit lineChosen(line + 1);
    };
    connect(m_editor, &QsciScintilla::cursorPositionChanged, this, [choose](int line, int) { choose(line); });
    connect(m_editor, &QsciScintilla::marginClicked, this,
        [choose](int, int line, Qt::KeyboardModifiers) { choose(line); });
    connect(m_editor, &QsciScintillaBase::SCN_DOUBLECLICK, this, [this](int, int line, int) { emit lineOpened(line + 1); });
    auto* enter = new QShortcut(Qt::Key_Return, m_editor, this, [this] { emit lineOpened(m_line); });
    enter->setContext(Qt::WidgetShortcut);
    applyColors();
    retranslate();
}

void SourcePanel::setSource(const kernels::KernelSpec& spec)
{
    const bool again = std::exchange(m_file, spec.sourceName) == spec.sourceName;
    const int first = m_editor->firstVisibleLine();
    m_result.reset();
    m_line = 0;
    m_showing = true;
    const QString text = QString::fromStdString(spec.source);
    const auto manifestEnd = text.startsWith(QLatin1String("/*")) ? text.indexOf(QLatin1String("*/")) : -1;
    m_codeBegin = manifestEnd < 0 ? 0 : int(text.left(manifestEnd).count(QLatin1Char('\n'))) + 1;
    m_editor->setText(text);
    m_editor->setScrollWidth(1);
    if (again)
        m_editor->setFirstVisibleLine(first);
    m_showing = false;
    setTitle(QString::fromStdString(spec.sourceName));
    showFigures();
}

void SourcePanel::setResult(std::shared_ptr<const analysis::RunResult> result)
{
    m_result = std::move(result);
    showFigures();
    showFaults();
}

void SourcePanel::showFaults()
{
    m_editor->markerDeleteAll(kFaultMarker);
    std::vector<std::uint32_t> lines;
    if (m_errorLine > 0) {
        lines.push_back(std::uint32_t(m_errorLine));
    } else if (m_result) {
        for (const analysis::Hazard& hazard : m_result->hazards) {
            if (isFault(hazard.kind))
                lines.insert(lines.end(), { hazard.line, hazard.otherLine });
        }
    }
    for (const std::uint32_t line : lines) {
        if (line > 0 && line <= std::uint32_t(m_editor->lines()))
            m_editor->markerAdd(int(line) - 1, kFaultMarker);
    }
}

void SourcePanel::setStale(const QString& why, TextStyle style, int line)
{
    m_banner->setTextStyle(why.contains(QLatin1Char('\n')) ? TextStyle::BadLog : style); // a compiler points with a caret
    m_banner->setText(why);
    m_banner->setVisible(!why.isEmpty());
    m_errorLine = line;
    showFaults();
    if (line <= 0 || line > m_editor->lines())
        return;
    if (!isVisible()) // who reads it stays where he is
        scrollTo(line);
}

void SourcePanel::setCurrentLine(int line)
{
    m_line = line;
    showLineFigures();
    m_editor->markerDeleteAll(kLineMarker);
    if (line <= 0 || line > m_editor->lines())
        return;
    m_editor->markerAdd(line - 1, kLineMarker);
    m_showing = true;
    int at = 0, column = 0;
    m_editor->getCursorPosition(&at, &column);
    if (at != line - 1) // else a click on it would select from there
        m_editor->setCursorPosition(line - 1, 0);
    scrollTo(line);
    m_showing = false;
}

bool SourcePanel::isInSight(int line) const
{
    const int visible = int(m_editor->SendScintilla(QsciScintilla::SCI_LINESONSCREEN));
    const int first = m_editor->firstVisibleLine();
    return line > 0 && line - 1 >= first + 1 && line - 1 <= first + visible - 2;
}

/// The first line to show for one to be looked at: the code's, where the latter then is in sight, rather than the manifest's.
int SourcePanel::firstFor(int line, int visible) const
{
    const int first = std::max(0, line - 1 - visible / 3);
    return first < m_codeBegin && line - 1 > m_codeBegin && line - 1 <= m_codeBegin + visible - 2 ? m_codeBegin : first;
}

void SourcePanel::scrollTo(int line)
{
    const int visible = int(m_editor->SendScintilla(QsciScintilla::SCI_LINESONSCREEN));
    if (!isInSight(line))
        m_editor->setFirstVisibleLine(firstFor(line, visible));
}

void SourcePanel::keepInSight()
{
    QTimer::singleShot(0, this, [this, first = m_editor->firstVisibleLine()] {
        if (m_line > 0 && m_line <= m_editor->lines() && m_editor->firstVisibleLine() == first) // nobody has scrolled since
            scrollTo(m_line);
    });
}

void SourcePanel::resizeEvent(QResizeEvent* event)
{
    if (isInSight(m_line))
        keepInSight();
    Card::resizeEvent(event);
    if (columnsThatFit() != m_shown)
        showFigures();
}

void SourcePanel::showEvent(QShowEvent* event)
{
    Card::showEvent(event);
    keepInSight();
}

QString SourcePanel::marginText(int line) const
{
    if (!m_result)
        return {};
    const std::map<int, LineFigures> figures = figuresOf(*m_result, m_file);
    const auto found = figures.find(line);
    return found == figures.end() ? QString() : textsOf(found->second, m_shown).join(QString());
}

/// Code that is cut tells less than figures that are elsewhere.
int SourcePanel::columnsThatFit() const
{
    const QFontMetrics numbers(smallFont(numberFont(QGuiApplication::font()))), code(numberFont(QGuiApplication::font()));
    // The editor has its new size later than the panel.
    const int editor = contentsRect().width() - layout()->contentsMargins().left() - layout()->contentsMargins().right();
    int room = editor - m_editor->marginWidth(kNumberMargin) - kMarginSpace - code.horizontalAdvance(QString(kLeastCode, QLatin1Char('0')));
    int columns = 0;
    for (const int width : kColumns) {
        room -= numbers.horizontalAdvance(QString(width, QLatin1Char('0')));
        if (room < 0)
            break;
        ++columns;
    }
    return columns;
}

/// What has no column, and of the line looked at how much.
void SourcePanel::showLineFigures()
{
    QStringList parts, leftOut;
    for (std::size_t i = std::size_t(m_shown); i < m_columns.size(); ++i)
        leftOut << m_columns[i]->text();
    const std::map<int, LineFigures> figures = m_result ? figuresOf(*m_result, m_file) : std::map<int, LineFigures> {};
    if (const auto found = figures.find(m_line); found != figures.end()) {
        const auto texts = columnsOf(found->second);
        for (std::size_t i = std::size_t(m_shown); i < texts.size(); ++i) {
            if (!texts[i].isEmpty())
                parts << texts[i] + QLatin1Char(' ') + m_columns[i]->text();
        }
    }
    const QString told = parts.isEmpty() ? QString() : tr("line %1: %2").arg(m_line).arg(parts.join(QStringLiteral(", ")));
    const QString missing = leftOut.isEmpty() ? QString() : tr("no room for %1").arg(leftOut.join(QStringLiteral(", ")));
    m_lineFigures->setFullText(told.isEmpty() || missing.isEmpty() ? told + missing : told + QStringLiteral(" · ") + missing);
}

void SourcePanel::showFigures()
{
    m_editor->clearMarginText();
    m_editor->setMarginWidth(kNumberMargin, QString::number(m_editor->lines() * 10));
    m_shown = columnsThatFit();
    const QFont numbers = smallFont(numberFont(QGuiApplication::font()));
    const QPalette theme = QGuiApplication::palette();
    const auto styleIn = [&](int number, ColorRole role) { return QsciStyle(number, QString(), themeColor(theme, role), themeColor(theme, ColorRole::Panel), numbers); };
    const QsciStyle style = styleIn(kFigureStyle, ColorRole::Accent), wasteful = styleIn(kWastefulStyle, ColorRole::Warn);
    if (m_result) {
        for (const auto& [line, figure] : figuresOf(*m_result, m_file)) {
            if (line <= 0 || line > m_editor->lines())
                continue;
            QList<QsciStyledText> columns;
            for (const QString& text : textsOf(figure, m_shown))
                columns << QsciStyledText(text, wastefulColumnsOf(figure)[std::size_t(columns.size())] ? wasteful : style);
            m_editor->setMarginText(line - 1, columns);
        }
    }
    const QFontMetrics metrics(numbers);
    m_editor->setMarginWidth(kFigureMargin, m_shown > 0 ? metrics.horizontalAdvance(textsOf(LineFigures {}, m_shown).join(QString())) + kMarginSpace : 0);
    m_headings->itemAt(0)->spacerItem()->changeSize(m_editor->marginWidth(kNumberMargin) + kMarginSpace, 0, QSizePolicy::Fixed);
    for (std::size_t i = 0; i < kColumns.size(); ++i)
        m_columns[i]->setFixedWidth(metrics.horizontalAdvance(QString(kColumns[i], QLatin1Char('0'))));
    for (std::size_t i = 0; i < kColumns.size(); ++i)
        m_columns[i]->setVisible(int(i) < m_shown);
    showLineFigures();
    m_headings->invalidate();
}

void SourcePanel::applyColors()
{
    if (m_coloring)
        return;
    m_coloring = true;
    if (isInSight(m_line))
        keepInSight();
    const QPalette theme = QGuiApplication::palette();
    const auto color = [&](ColorRole role) { return themeColor(theme, role); };
    const QFont font = numberFont(QGuiApplication::font());
    m_lexer->setDefaultFont(font);
    m_lexer->setDefaultPaper(color(ColorRole::Panel));
    m_lexer->setDefaultColor(color(ColorRole::Text));
    m_lexer->setFont(font, -1);
    m_lexer->setPaper(color(ColorRole::Panel), -1);
    m_lexer->setColor(color(ColorRole::Text), -1);
    for (const StyleColor& row : kStyles)
        m_lexer->setColor(color(row.role), row.style);
    m_editor->setPaper(color(ColorRole::Panel));
    m_editor->setColor(color(ColorRole::Text));
    m_editor->setMarginsBackgroundColor(color(ColorRole::Panel));
    m_editor->setMarginsForegroundColor(color(ColorRole::MutedText));
    m_editor->setMarginsFont(smallFont(font));
    m_editor->setCaretLineBackgroundColor(color(ColorRole::Grid));
    m_editor->setSelectionBackgroundColor(color(ColorRole::Accent));
    m_editor->setSelectionForegroundColor(color(ColorRole::OnAccent));
    m_editor->setMarkerBackgroundColor(color(ColorRole::Quiet), kLineMarker);
    m_editor->setMarkerBackgroundColor(color(ColorRole::Bad), kFaultMarker);
    m_coloring = false;
    showFigures();
}

void SourcePanel::changeEvent(QEvent* event)
{
    Card::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    else if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        applyColors();
}

void SourcePanel::retranslate()
{
    setHint(tr("click a line to choose its instruction, double-click to see it"));
    m_columns[0]->setText(tr("sectors"));
    m_columns[0]->setToolTip(tr("Sectors of global memory that the line's accesses touch, predicted for the whole grid"));
    m_columns[1]->setText(tr("ideal"));
    m_columns[1]->setToolTip(tr("Sectors that these accesses would touch if each lane's bytes lay beside the next lane's, as a share of those that they touch"));
    m_columns[2]->setText(tr("wavefronts"));
    m_columns[2]->setToolTip(tr("Wavefronts in which the line's accesses to shared memory are served, predicted for the whole grid"));
    m_editor->setAccessibleName(tr("Source of the kernel"));
    showFigures();
}

} // namespace coalescope::app
