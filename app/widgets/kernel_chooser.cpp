// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/widgets/kernel_chooser.h"

#include "app/core/texts.h"
#include "app/views/draw/draw.h"
#include "app/widgets/theme.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>
#include <QStyleOptionToolButton>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace coalescope::app {
namespace {

    constexpr int kPageRows = 5;
    constexpr int kIdRole = Qt::UserRole, kTitleRole = Qt::UserRole + 1, kSummaryRole = Qt::UserRole + 2;

    /// Draws a kernel in two lines: id and title, then the summary.
    class KernelDelegate : public QStyledItemDelegate {
    public:
        using QStyledItemDelegate::QStyledItemDelegate;

        QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
        {
            const TextMetrics text = textMetrics(option.font);
            return { 200, int(text.line + text.smallLine) + 12 };
        }

        void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
        {
            painter->save();
            const bool chosen = option.state & QStyle::State_Selected;
            const bool under = option.state & QStyle::State_MouseOver;
            if (chosen || under) {
                painter->setRenderHint(QPainter::Antialiasing);
                painter->setPen(Qt::NoPen);
                painter->setBrush(themeColor(option.palette, chosen ? ColorRole::Accent : ColorRole::Quiet));
                painter->drawRoundedRect(QRectF(option.rect).adjusted(2, 1, -2, -1), 4, 4);
            }
            const QColor strong = themeColor(option.palette, chosen ? ColorRole::OnAccent : ColorRole::Text);
            const QColor quiet = themeColor(option.palette, chosen ? ColorRole::OnAccent : ColorRole::MutedText);
            const TextMetrics text = textMetrics(option.font);
            const QRectF area = QRectF(option.rect).adjusted(10, 5, -10, -5);
            const QRectF first(area.left(), area.top(), area.width(), text.line);
            const QString id = index.data(kIdRole).toString();
            painter->setFont(numberFont(option.font));
            painter->setPen(strong);
            drawElided(*painter, first, id);
            const qreal used = QFontMetricsF(painter->font()).horizontalAdvance(id) + 14;
            painter->setFont(option.font);
            painter->setPen(quiet);
            if (used < first.width())
                drawElided(*painter, first.adjusted(used, 0, 0, 0), index.data(kTitleRole).toString());
            painter->setFont(smallFont(option.font));
            drawElided(*painter, QRectF(area.left(), first.bottom(), area.width(), text.smallLine),
                index.data(kSummaryRole).toString());
            painter->restore();
        }
    };

}

KernelPopup::KernelPopup(QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_search(new QLineEdit)
    , m_list(new QListView)
    , m_none(new QLabel)
    , m_model(new QStandardItemModel(this))
{
    makePanel(*this);
    setObjectName(QStringLiteral("kernelPopup"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(6);
    m_search->setClearButtonEnabled(true);
    m_search->setObjectName(QStringLiteral("kernelSearch"));
    m_list->setObjectName(QStringLiteral("kernelList"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new KernelDelegate(m_list));
    m_list->setMouseTracking(true);
    m_list->setProperty("bare", true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setUniformItemSizes(true);
    m_list->setFocusPolicy(Qt::NoFocus); // the search line has the keys and hands on what is the list's
    column->addWidget(m_search);
    m_none->setObjectName(QStringLiteral("noKernel"));
    m_none->hide();
    column->addWidget(m_none);
    column->addWidget(m_list, 1);
    auto* open = new QPushButton;
    open->setObjectName(QStringLiteral("openKernelFile"));
    open->setProperty("quiet", true);
    column->addWidget(open, 0, Qt::AlignLeft);
    connect(open, &QPushButton::clicked, this, [this] {
        close();
        emit openFileAsked();
    });
    m_search->installEventFilter(this);
    connect(m_search, &QLineEdit::textChanged, this, &KernelPopup::filter);
    connect(m_list, &QListView::clicked, this, &KernelPopup::choose);
}

void KernelPopup::setFileKernels(std::vector<SpecPointer> kernels)
{
    m_ofFile = std::move(kernels);
}

void KernelPopup::openAt(const QRect& anchor, const SpecPointer& current)
{
    m_search->setPlaceholderText(tr("Search kernels by name or by what they do"));
    m_search->setAccessibleName(tr("Search kernels"));
    m_list->setAccessibleName(tr("Kernels"));
    m_none->setText(tr("No kernel is called so, or does that."));
    findChild<QPushButton*>(QStringLiteral("openKernelFile"))->setText(tr("&Open kernel file…"));
    m_search->clear();
    fill(current);
    const int rows = std::min(9, std::max(1, m_model->rowCount()));
    const int height = rows * m_list->sizeHintForRow(0) + m_search->sizeHint().height() + 70;
    setGeometry(anchor.left(), anchor.bottom() + 4, std::max(anchor.width(), fontMetrics().averageCharWidth() * 76),
        height);
    show();
    m_search->setFocus();
}

void KernelPopup::fill(const SpecPointer& current)
{
    m_model->clear();
    for (const SpecPointer& spec : m_ofFile) {
        const bool isCurrent = current && current->path == spec->path && current->entry == spec->entry;
        append(*spec, localized(spec->title), kernelName(*spec), isCurrent);
    }
    for (const kernels::KernelSpec& spec : kernels::catalogue())
        append(spec, QString::fromStdString(spec.id), localized(spec.title), current && current->path.empty() && current->id == spec.id);
}

void KernelPopup::append(const kernels::KernelSpec& spec, const QString& name, const QString& title, bool isCurrent)
{
    auto* item = new QStandardItem(name);
    item->setData(name, kIdRole);
    item->setData(title, kTitleRole);
    const QString summary = summaryOf(spec);
    item->setData(summary, kSummaryRole);
    item->setData(title + QStringLiteral(". ") + summary, Qt::AccessibleDescriptionRole);
    item->setToolTip(localized(spec.teaches));
    m_model->appendRow(item);
    if (isCurrent)
        m_list->setCurrentIndex(item->index());
}

void KernelPopup::filter(const QString& text)
{
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    QModelIndex best;
    int bestRank = -1;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const QModelIndex index = m_model->index(row, 0);
        const QString id = index.data(kIdRole).toString();
        const QString whole = id + QLatin1Char('\n') + index.data(kTitleRole).toString() + QLatin1Char('\n')
            + index.data(kSummaryRole).toString();
        const bool shown = std::all_of(words.begin(), words.end(),
            [&](const QString& word) { return whole.contains(word, Qt::CaseInsensitive); });
        m_list->setRowHidden(row, !shown);
        const int rank = id.compare(text, Qt::CaseInsensitive) == 0 ? 2
            : id.contains(text, Qt::CaseInsensitive)                ? 1
                                                                    : 0;
        if (shown && rank > bestRank) {
            best = index;
            bestRank = rank;
        }
    }
    m_list->setCurrentIndex(best);
    m_none->setVisible(bestRank < 0);
}

bool KernelPopup::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        switch (key->key()) {
        case Qt::Key_Up: move(-1); return true;
        case Qt::Key_Down: move(1); return true;
        case Qt::Key_PageUp: move(-kPageRows); return true;
        case Qt::Key_PageDown: move(kPageRows); return true;
        case Qt::Key_Return:
        case Qt::Key_Enter: choose(m_list->currentIndex()); return true;
        default: break;
        }
    }
    return QFrame::eventFilter(watched, event);
}

void KernelPopup::move(int rows)
{
    const int step = rows < 0 ? -1 : 1;
    int row = m_list->currentIndex().isValid() ? m_list->currentIndex().row() : -1;
    for (int left = std::abs(rows); left > 0; --left) {
        int next = row + step;
        while (next >= 0 && next < m_model->rowCount() && m_list->isRowHidden(next))
            next += step;
        if (next < 0 || next >= m_model->rowCount())
            break;
        row = next;
    }
    if (row >= 0)
        m_list->setCurrentIndex(m_model->index(row, 0));
}

void KernelPopup::choose(const QModelIndex& index)
{
    if (!index.isValid() || m_list->isRowHidden(index.row()))
        return;
    const auto row = std::size_t(index.row());
    const SpecPointer chosen = row < m_ofFile.size() ? m_ofFile[row] : catalogueSpec(index.data(kIdRole).toString().toStdString());
    close();
    emit kernelChosen(chosen);
}

KernelChooser::KernelChooser(QWidget* parent)
    : QToolButton(parent)
    , m_popup(new KernelPopup(this))
{
    setObjectName(QStringLiteral("kernelChooser"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(this, &QToolButton::clicked, this, &KernelChooser::openPopup);
    connect(m_popup, &KernelPopup::kernelChosen, this, &KernelChooser::kernelChosen);
    connect(m_popup, &KernelPopup::openFileAsked, this, &KernelChooser::openFileAsked);
    retranslate();
}

void KernelChooser::setSpec(SpecPointer spec)
{
    m_spec = std::move(spec);
    retranslate();
    update();
}

void KernelChooser::openPopup()
{
    m_popup->openAt(QRect(mapToGlobal(QPoint(0, 0)), size()), m_spec);
}

QSize KernelChooser::sizeHint() const
{
    return { fontMetrics().averageCharWidth() * 46, QToolButton::sizeHint().height() + 2 };
}

QSize KernelChooser::minimumSizeHint() const
{
    return { fontMetrics().averageCharWidth() * 18, QToolButton::sizeHint().height() + 2 };
}

void KernelChooser::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    QStyleOptionToolButton option;
    initStyleOption(&option);
    option.text.clear();
    style()->drawComplexControl(QStyle::CC_ToolButton, &option, &painter, this);
    QRectF area = QRectF(rect()).adjusted(10, 0, -10, 0);
    painter.setFont(font());
    painter.setPen(themeColor(palette(), ColorRole::MutedText));
    const qreal arrow = fontMetrics().horizontalAdvance(QChar(0x25be));
    painter.drawText(area, int(Qt::AlignRight | Qt::AlignVCenter), QString(QChar(0x25be)));
    area.adjust(0, 0, -arrow - 6, 0);
    if (!m_spec)
        return;
    const QString id = kernelName(*m_spec);
    painter.setFont(numberFont(font()));
    painter.setPen(themeColor(palette(), ColorRole::Text));
    drawElided(painter, area, id, Qt::AlignLeft | Qt::AlignVCenter, Qt::ElideMiddle); // many begin alike
    const qreal used = QFontMetricsF(painter.font()).horizontalAdvance(id) + 12;
    if (area.width() - used > arrow * 4) {
        painter.setFont(smallFont(font()));
        painter.setPen(themeColor(palette(), ColorRole::MutedText));
        drawElided(painter, area.adjusted(used, 0, 0, 0), localized(m_spec->title));
    }
}

void KernelChooser::changeEvent(QEvent* event)
{
    QToolButton::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

void KernelChooser::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Down || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        openPopup();
    else
        QToolButton::keyPressEvent(event);
}

void KernelChooser::retranslate()
{
    setAccessibleName(tr("Kernel: %1").arg(m_spec ? QString::fromStdString(m_spec->id) : QString()));
    setToolTip(!m_spec ? QString()
                       : QStringLiteral("%1: %2\n%3").arg(kernelName(*m_spec), localized(m_spec->title), tr("Choose a kernel (Ctrl+K)")));
    update();
}

} // namespace coalescope::app
