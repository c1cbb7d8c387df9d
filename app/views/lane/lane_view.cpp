// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/lane/lane_view.h"

#include "analysis/access/bank_model.h"
#include "analysis/access/sector_model.h"
#include "app/widgets/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <bit>

namespace coalescope::app {
namespace {

using analysis::kWarpLanes;

constexpr int kMostRows = 8;

void addThread(LaneDetailModel& model)
{
    const auto& block = model.block;
    const std::uint64_t flat = std::uint64_t(model.warp) * kWarpLanes + std::uint64_t(model.lane);
    if (flat >= block.count())
        return;
    model.rows.push_back({ LaneDetailView::tr("thread"),
        QStringLiteral("(%1, %2, %3)")
            .arg(flat % block.x)
            .arg(flat / block.x % block.y)
            .arg(flat / block.x / block.y),
        LaneDetailView::tr("threadIdx (x, y, z)") });
}

void addAddress(LaneDetailModel& model, std::uint64_t address)
{
    const std::uint64_t last = address + model.access.widthBytes - 1;
    model.rows.push_back({ LaneDetailView::tr("address"), formatHex(address),
        QStringLiteral("%1 … %2").arg(formatHex(address), formatHex(last)) });
    model.rows.push_back({ LaneDetailView::tr("bytes"), formatCount(model.access.widthBytes),
        LaneDetailView::tr("bytes that the lane moves") });
}

void addGlobal(LaneDetailModel& model, std::uint64_t address)
{
    std::uint64_t base = model.baseAddress;
    if (model.baseName.isEmpty()) {
        base = address;
        for (int lane = 0; lane < kWarpLanes; ++lane)
            if (model.access.active >> lane & 1)
                base = std::min(base, model.access.address[std::size_t(lane)]);
    }
    const std::uint64_t line = address & ~std::uint64_t(analysis::kCacheLineBytes - 1);
    model.rows.push_back({ LaneDetailView::tr("offset"),
        address >= base ? formatCount(address - base)
                        : QStringLiteral("-") + formatCount(base - address),
        model.baseName.isEmpty()
            ? LaneDetailView::tr("bytes from the warp's lowest address")
            : LaneDetailView::tr("bytes from the start of %1").arg(model.baseName) });
    model.rows.push_back({ LaneDetailView::tr("line"), formatHex(line),
        LaneDetailView::tr("address of the 128-byte cache line") });
    const int first = int((address - line) / analysis::kSectorBytes);
    const int last = int((address - line + model.access.widthBytes - 1) / analysis::kSectorBytes);
    model.rows.push_back({ LaneDetailView::tr("sector"),
        first == last ? LaneDetailView::tr("%1 of 0-3").arg(first)
                      : LaneDetailView::tr("%1 and on").arg(first),
        LaneDetailView::tr("32-byte sector within the line") });
}

QString joined(const QStringList& parts) { return parts.join(QStringLiteral(", ")); }

void addShared(LaneDetailModel& model, std::uint64_t address)
{
    const std::uint64_t firstWord = address / analysis::kBankBytes;
    const std::uint64_t lastWord = (address + model.access.widthBytes - 1) / analysis::kBankBytes;
    const auto range = [](std::uint64_t first, std::uint64_t last) {
        return first == last ? formatCount(first)
                             : QStringLiteral("%1 … %2").arg(formatCount(first), formatCount(last));
    };
    model.rows.push_back({ LaneDetailView::tr("word"), range(firstWord, lastWord),
        LaneDetailView::tr("4-byte words of the block's shared memory") });
    model.rows.push_back({ LaneDetailView::tr("bank"),
        range(firstWord % analysis::kBanks, lastWord % analysis::kBanks),
        LaneDetailView::tr("word mod 32") });
    QStringList rows;
    const auto fronts = analysis::wavefronts(model.access);
    for (std::size_t row = 0; row < fronts.size(); ++row)
        if (fronts[row].lanes >> model.lane & 1)
            rows << QString::number(row);
    model.rows.push_back({ LaneDetailView::tr("wavefront"),
        rows.isEmpty()           ? LaneDetailView::tr("none")
            : fronts.size() == 1 ? joined(rows)
                                 : LaneDetailView::tr("%1 of 0-%2").arg(joined(rows)).arg(fronts.size() - 1),
        LaneDetailView::tr("the wavefronts that serve the lane, counted from 0") });
}

} // namespace

void LaneDetailModel::update()
{
    rows.clear();
    if (lane < 0 || lane >= kWarpLanes)
        return;
    if (!isBulk(access))
        addThread(*this);
    if (!(access.active >> lane & 1)) {
        rows.push_back({ LaneDetailView::tr("inactive"), LaneDetailView::tr("moves nothing"),
            LaneDetailView::tr("the lane's guard is false, it has left, or it does not exist") });
        return;
    }
    const std::uint64_t address = access.address[std::size_t(lane)];
    addAddress(*this, address);
    if (access.space == analysis::Space::Shared)
        addShared(*this, address);
    else if (access.space == analysis::Space::Global)
        addGlobal(*this, address);
}

LaneDetailView::LaneDetailView(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    setAccessibleName(tr("Lane"));
    relayout();
}

void LaneDetailView::setModel(LaneDetailModel model)
{
    m_model = std::move(model);
    m_model.update();
    relayout();
}

void LaneDetailView::setLane(int lane)
{
    if (std::exchange(m_model.lane, lane) == lane)
        return;
    m_model.update();
    relayout();
}

void LaneDetailView::relayout()
{
    m_layout = layoutLane(
        int(m_model.rows.size()), QRectF(rect()).adjusted(2, 1, -2, -1), textMetrics(font()));
    QStringList text;
    for (const LaneRow& row : m_model.rows)
        text << row.label + u' ' + row.value;
    setAccessibleDescription(joined(text));
    update();
}

void LaneDetailView::render(QPainter& painter, const LaneDetailModel& model,
    const LaneLayout& layout, const QPalette& palette)
{
    painter.save();
    const QFont font = painter.font();
    if (model.lane < 0) {
        painter.setPen(themeColor(palette, ColorRole::MutedText));
        painter.setFont(smallFont(font));
        painter.drawText(layout.title.adjusted(0, 0, 0, layout.title.height()),
            Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, tr("hover a lane, a bank or a cell"));
        painter.restore();
        return;
    }
    // A square in the lane's colour ties the table to the pictures.
    QRectF key = layout.title;
    key.setSize(QSizeF(key.height() * 0.55, key.height() * 0.55));
    key.moveCenter(QPointF(key.center().x(), layout.title.center().y() - 1));
    painter.fillRect(key, laneColor(model.lane));
    QFont bold = font;
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(themeColor(palette, ColorRole::Text));
    drawElided(
        painter, layout.title.adjusted(key.width() * 1.6, 0, 0, -2), (isBulk(model.access) ? tr("Part %1") : tr("Lane %1")).arg(model.lane));
    const QFont labels = smallFont(font), values = numberFont(font);
    for (int row = 0; row < layout.rows; ++row) {
        const LaneRow& text = model.rows[std::size_t(row)];
        painter.setFont(labels);
        painter.setPen(themeColor(palette, ColorRole::MutedText));
        drawElided(painter, layout.labelRect(row), text.label);
        painter.setFont(values);
        painter.setPen(themeColor(palette, ColorRole::Text));
        drawElided(painter, layout.valueRect(row), text.value, Qt::AlignRight | Qt::AlignVCenter,
            Qt::ElideLeft);
    }
    painter.restore();
}

QSize LaneDetailView::sizeHint() const
{
    const TextMetrics text = textMetrics(font());
    return QSize(int(28 * text.digit), int(text.line * (kMostRows * 1.25 + 1) + 6));
}

QSize LaneDetailView::minimumSizeHint() const
{
    const TextMetrics text = textMetrics(font());
    return QSize(int(18 * text.digit), int(text.line * (kMostRows + 1) + 6));
}

void LaneDetailView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    render(painter, m_model, m_layout, palette());
}

void LaneDetailView::resizeEvent(QResizeEvent*) { relayout(); }

void LaneDetailView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        m_model.update();
    if (event->type() == QEvent::FontChange || event->type() == QEvent::LanguageChange)
        relayout();
}

bool LaneDetailView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int row = m_layout.rowAt(help->pos());
    if (row < 0)
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), m_model.rows[std::size_t(row)].tip, this);
    return true;
}

} // namespace coalescope::app
