# SPDX-License-Identifier: Apache-2.0
set(CMAKE_AUTOMOC ON)
# moc 6.4 stops at the C++20 parts of the standard headers that GCC's predefined macros switch on.
set(CMAKE_AUTOMOC_COMPILER_PREDEFINES OFF)
set(CMAKE_AUTORCC ON)
file(GLOB guiSources CONFIGURE_DEPENDS core/*.cpp core/*.h views/*.cpp views/*.h views/*/*.cpp views/*/*.h
    widgets/*.cpp widgets/*.h)
add_library(coalescope_app STATIC ${guiSources})
set_target_properties(coalescope_app PROPERTIES LINKER_LANGUAGE CXX)
target_include_directories(coalescope_app PUBLIC ${CMAKE_SOURCE_DIR})
target_link_libraries(coalescope_app PUBLIC coalescope_kernels Qt6::Widgets Qt6::Svg Qt6::PrintSupport
    QCustomPlotQt6 ${QSCINTILLA})
