// SPDX-License-Identifier: Apache-2.0
#pragma once

// NVRTC makes machine code on threads of its own, and the leak checker of the address sanitizer
// now and then breaks off over one that is just ending. Included once in a test program that has
// machine code made; its other checks stay.
#ifdef __SANITIZE_ADDRESS__
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }
#endif
