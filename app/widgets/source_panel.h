// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/result/run_result.h"
#include "app/widgets/card.h"
#include "kernels/catalogue/kernel_spec.h"

#include <array>
#include <map>
#include <memory>

class QHBoxLayout;
class QsciScintilla;
class QsciLexer;

namespace coalescope::app {

/// The figures of one source line as the margin shows them.
struct LineFigures {
    double sectors = 0, wavefronts = 0;
    double used = -1; ///< ideal sectors over sectors; -1: no global access
    double conflicts = 0; ///< wavefronts that bank conflicts add
};

/// The figures of each line of `file`, by line number from 1.
[[nodiscard]] std::map<int, LineFigures> figuresOf(const analysis::RunResult& result, const std::string& file);

/// The kernel's source with each line's totals beside it; a click chooses the line's instruction.
class SourcePanel : public Card {
    Q_OBJECT
public:
    explicit SourcePanel(QWidget* parent = nullptr);

    void setSource(const kernels::KernelSpec& spec); ///< of the same file: what is in view stays
    void setResult(std::shared_ptr<const analysis::RunResult> result);
    /// Says that the figures are not of what is typed, and why; empty: they are. `line` is the one at fault, 0: none.
    void setStale(const QString& why, TextStyle style, int line);
    /// Lights a line and brings it into view.
    void setCurrentLine(int line);
    [[nodiscard]] int currentLine() const { return m_line; }
    [[nodiscard]] QsciScintilla* editor() const { return m_editor; }
    [[nodiscard]] QString marginText(int line) const;

signals:
    void lineOpened(int line); ///< chosen by a double click or Enter: its instruction is asked for
    void lineChosen(int line);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    [[nodiscard]] bool isInSight(int line) const;
    void keepInSight(); ///< the current line, once all is laid out
    void applyColors();
    void showFigures();
    void showLineFigures();
    [[nodiscard]] int columnsThatFit() const; ///< of figures beside the code
    void showFaults(); ///< underlines what does not compile, else what races or leaves its buffer
    void scrollTo(int line);
    [[nodiscard]] int firstFor(int line, int visible) const; ///< where it is not in sight
    void retranslate();

    TextLabel* m_banner;
    QHBoxLayout* m_headings; ///< a space as wide as the lines' numbers, then the columns'
    std::array<TextLabel*, 3> m_columns;
    ElidedLabel* m_lineFigures;
    QsciScintilla* m_editor;
    QsciLexer* m_lexer;
    std::shared_ptr<const analysis::RunResult> m_result;
    std::string m_file;
    int m_codeBegin = 0; ///< lines of the manifest before the code
    int m_line = 0, m_errorLine = 0;
    int m_shown = 3; ///< columns of figures
    bool m_showing = false; ///< the cursor is being set: its signal is an echo
    bool m_coloring = false;
};

} // namespace coalescope::app
