// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/banks/banks_view.h"

#include "app/widgets/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <bit>

namespace coalescope::app {
namespace {

using analysis::BankRequest;
using analysis::LaneMask;

QString lanesText(LaneMask lanes)
{
    return (std::has_single_bit(lanes) ? BankView::tr("lane %1") : BankView::tr("lanes %1"))
        .arg(formatLanes(lanes));
}

/// "1 wavefront", "4 wavefronts": both forms are spelled out, English needs no translation file.
QString countOf(std::uint64_t n, const QString& one, const QString& many)
{
    return n == 1 ? one : many.arg(formatCount(n));
}

std::vector<int> phasesOf(const BankModel& model)
{
    std::vector<int> phases;
    for (const auto& wavefront : model.wavefronts)
        phases.push_back(wavefront.phase);
    return phases;
}

const BankRequest* requestAt(const BankModel& model, BankCell cell)
{
    if (cell.wavefront < 0 || cell.wavefront >= int(model.wavefronts.size()))
        return nullptr;
    for (const BankRequest& request : model.wavefronts[std::size_t(cell.wavefront)].requests)
        if (request.bank == cell.bank)
            return &request;
    return nullptr;
}

} // namespace

BankModel BankModel::of(const analysis::WarpAccess& access)
{
    BankModel model { .access = access };
    if (auto report = analysis::bankReport(access)) {
        model.report = *report;
        model.wavefronts = analysis::wavefronts(access);
    } else {
        model.problem = QString::fromStdString(report.error().detail);
    }
    return model;
}

QString bankFigures(const BankModel& model)
{
    if (!model.report)
        return {};
    const auto& report = *model.report;
    const QString dot = QStringLiteral(" · ");
    if (isLoop(model.access))
        return countOf(analysis::loopTurns(model.access).size(), BankView::tr("1 turn"), BankView::tr("%1 turns"));
    QString text
        = countOf(report.wavefronts, BankView::tr("1 wavefront"), BankView::tr("%1 wavefronts"))
        + dot + countOf(report.conflicts, BankView::tr("1 conflict"), BankView::tr("%1 conflicts"));
    if (report.phases != 1)
        text += dot + countOf(report.phases, BankView::tr("1 phase"), BankView::tr("%1 phases"));
    return text;
}

QStringList bankListing(const BankModel& model, int bank)
{
    QStringList lines;
    for (int row = 0; row < int(model.wavefronts.size()); ++row)
        if (const BankRequest* request = requestAt(model, { row, bank }))
            lines << BankView::tr("word %1, %2, wavefront %3")
                         .arg(formatCount(request->word), lanesText(request->lanes))
                         .arg(row);
    return lines;
}

QStringList laneListing(const BankModel& model, int lane)
{
    if (lane < 0 || !(model.access.active >> lane & 1))
        return { BankView::tr("Lane %1 takes no part").arg(lane) };
    QStringList words, banks, rows;
    for (int row = 0; row < int(model.wavefronts.size()); ++row) {
        for (const BankRequest& request : model.wavefronts[std::size_t(row)].requests) {
            if (!(request.lanes >> lane & 1))
                continue;
            words << formatCount(request.word);
            banks << QString::number(request.bank);
            if (!rows.contains(QString::number(row)))
                rows << QString::number(row);
        }
    }
    const QString comma = QStringLiteral(", ");
    return { BankView::tr("Lane %1: wavefront %2, bank %3")
                 .arg(lane)
                 .arg(rows.join(comma), banks.join(comma)),
        BankView::tr("word %1").arg(words.join(comma)) };
}

BankView::BankView(QWidget* parent)
    : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Banks and wavefronts"));
    relayout();
}

void BankView::setModel(BankModel model)
{
    m_model = std::move(model);
    m_bank = -1;
    relayout();
}

void BankView::setHoveredLane(int lane)
{
    if (std::exchange(m_model.hoveredLane, lane) != lane)
        update();
}

void BankView::setWavefront(int wavefront)
{
    if (std::exchange(m_model.wavefront, wavefront) != wavefront)
        update();
}

void BankView::releaseBank()
{
    m_bank = m_model.hoveredBank = -1;
    update();
}

void BankView::relayout()
{
    m_layout = layoutBanks(
        phasesOf(m_model), QRectF(rect()).adjusted(3, 1, -3, -2), textMetrics(font()));
    setAccessibleDescription(m_model.report ? bankFigures(m_model) : m_model.problem);
    update();
}

QSize BankView::sizeHint() const
{
    // 32 rows of 8 pixels at the usual font, with the axes and the texts.
    const TextMetrics text = textMetrics(font());
    return QSize(int(text.line * 36), int(text.line * 19));
}

QSize BankView::minimumSizeHint() const
{
    const TextMetrics text = textMetrics(font());
    return QSize(int(text.line * 14), int(text.line * 9));
}

void BankView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    render(painter, m_model, m_layout, palette());
    if (hasFocus())
        drawFocusFrame(painter, rect(), palette());
}

void BankView::resizeEvent(QResizeEvent*) { relayout(); }

void BankView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LanguageChange)
        relayout();
}

QString BankView::tipAt(QPointF point) const
{
    const BankCell cell = m_layout.cellAt(point);
    if (cell.bank < 0)
        return {};
    if (const BankRequest* request = requestAt(m_model, cell))
        return tr("bank %1, wavefront %2\nword %3 (bytes %4 … %5)\n%6")
            .arg(cell.bank)
            .arg(cell.wavefront)
            .arg(formatCount(request->word), formatHex(request->word * 4),
                formatHex(request->word * 4 + 3), lanesText(request->lanes));
    const QStringList words = bankListing(m_model, cell.bank);
    return tr("bank %1").arg(cell.bank) + u'\n'
        + (words.isEmpty() ? tr("asked for no word") : words.join(u'\n'));
}

bool BankView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString tip = tipAt(help->pos());
    if (tip.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), tip, this);
    return true;
}

void BankView::hover(int bank, int lane)
{
    if (std::exchange(m_model.hoveredBank, bank) != bank) {
        update();
        emit bankHovered(bank);
    }
    if (std::exchange(m_model.hoveredLane, lane) != lane) {
        update();
        emit laneHovered(lane);
    }
}

void BankView::choose(int wavefront)
{
    wavefront = std::clamp(wavefront, -1, int(m_model.wavefronts.size()) - 1);
    if (wavefront == m_model.wavefront)
        return;
    setWavefront(wavefront);
    emit wavefrontChosen(wavefront);
}

void BankView::mouseMoveEvent(QMouseEvent* event)
{
    const BankCell cell = m_layout.cellAt(event->position());
    const BankRequest* request = requestAt(m_model, cell);
    hover(cell.bank, request ? std::countr_zero(request->lanes) : -1);
}

void BankView::chooseBank(int bank, int lane)
{
    m_bank = bank;
    hover(bank, lane);
    emit laneChosen(lane);
}

void BankView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    const BankCell cell = m_layout.cellAt(event->position());
    const bool isSecond = cell.wavefront == m_model.wavefront && cell.bank == m_bank;
    if (isSecond || cell.bank < 0) { // shows all again
        chooseBank(-1, -1);
        return choose(-1);
    }
    const BankRequest* request = requestAt(m_model, cell);
    chooseBank(cell.bank, request ? std::countr_zero(request->lanes) : -1);
    choose(cell.wavefront);
}

void BankView::leaveEvent(QEvent*) { hover(m_bank, -1); }

/// Of the wavefront chosen, else of the first that has one; -1: the bank is asked for no word.
int BankView::firstLaneOf(int bank) const
{
    if (const BankRequest* request = requestAt(m_model, { m_model.wavefront, bank }))
        return std::countr_zero(request->lanes);
    for (int row = 0; row < int(m_model.wavefronts.size()); ++row) {
        if (const BankRequest* request = requestAt(m_model, { row, bank }))
            return std::countr_zero(request->lanes);
    }
    return -1;
}

void BankView::keyPressEvent(QKeyEvent* event)
{
    const int last = int(m_model.wavefronts.size()) - 1;
    const int bank = m_model.hoveredBank;
    const auto reach = [this](int next) { chooseBank(next, firstLaneOf(next)); };
    switch (event->key()) {
    case Qt::Key_Comma:
    case Qt::Key_Up:
        return choose(m_model.wavefront < 0 ? last : std::max(0, m_model.wavefront - 1));
    case Qt::Key_Period:
    case Qt::Key_Down:
        return choose(m_model.wavefront + 1);
    case Qt::Key_Home:
        return choose(0);
    case Qt::Key_End:
        return choose(last);
    case Qt::Key_Left:
        return reach(bank < 0 ? analysis::kBanks - 1 : std::max(0, bank - 1));
    case Qt::Key_Right:
        return reach(std::min(analysis::kBanks - 1, bank + 1));
    case Qt::Key_Escape:
        chooseBank(-1, -1);
        return choose(-1);
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace coalescope::app
