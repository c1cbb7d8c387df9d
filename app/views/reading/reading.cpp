// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/reading/reading.h"

namespace coalescope::app {

Reading readGlobal(const analysis::WarpAccess&, const analysis::SectorReport&) { return {}; }
Reading readShared(const analysis::WarpAccess&, const analysis::BankReport&) { return {}; }
Reading readAccess(const analysis::WarpAccess&) { return {}; }

} // namespace coalescope::app
