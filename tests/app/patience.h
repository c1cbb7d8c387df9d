// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// How long a test waits for what must happen: a loaded machine is slow, not wrong.
inline constexpr int kPatienceMs = 60'000;
