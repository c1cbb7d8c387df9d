# SPDX-License-Identifier: Apache-2.0
set(CMAKE_AUTOMOC ON)
# moc 6.4 stops at the C++20 parts of the standard headers that GCC's predefined macros switch on.
set(CMAKE_AUTOMOC_COMPILER_PREDEFINES OFF)
file(GLOB guiSources CONFIGURE_DEPENDS core/*.cpp core/*.h views/*.cpp views/*.h views/*/*.cpp views/*/*.h
    widgets/*.cpp widgets/*.h)

# Translations and icons become one resource file inside the library, so that the program is one file.
set(translations ${CMAKE_SOURCE_DIR}/resources/translations)
set(languages en zh_CN)
file(GLOB guiResources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/resources/icons/*.svg)
set(qrc "<RCC><qresource>\n")
foreach(icon ${guiResources})
    get_filename_component(name ${icon} NAME)
    string(APPEND qrc "<file alias=\"icons/${name}\">${icon}</file>\n")
endforeach()
foreach(language ${languages})
    set(ts ${translations}/coalescope_${language}.ts)
    set(qm ${CMAKE_CURRENT_BINARY_DIR}/coalescope_${language}.qm)
    add_custom_command(OUTPUT ${qm} COMMAND Qt6::lrelease -silent ${ts} -qm ${qm} DEPENDS ${ts} VERBATIM)
    list(APPEND guiResources ${qm})
    string(APPEND qrc "<file alias=\"i18n/coalescope_${language}.qm\">${qm}</file>\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/coalescope.qrc CONTENT "${qrc}</qresource></RCC>\n" @ONLY)
add_custom_command(OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/qrc_coalescope.cpp
    COMMAND Qt6::rcc --name coalescope -o ${CMAKE_CURRENT_BINARY_DIR}/qrc_coalescope.cpp
        ${CMAKE_CURRENT_BINARY_DIR}/coalescope.qrc
    DEPENDS ${guiResources} ${CMAKE_CURRENT_BINARY_DIR}/coalescope.qrc VERBATIM)

add_library(coalescope_app STATIC ${guiSources} ${CMAKE_CURRENT_BINARY_DIR}/qrc_coalescope.cpp)
set_target_properties(coalescope_app PROPERTIES LINKER_LANGUAGE CXX AUTOGEN_ORIGIN_DEPENDS OFF UNITY_BUILD_BATCH_SIZE 32)
target_include_directories(coalescope_app PUBLIC ${CMAKE_SOURCE_DIR})
target_link_libraries(coalescope_app PUBLIC coalescope_kernels Qt6::Widgets Qt6::Svg Qt6::PrintSupport
    QCustomPlotQt6 ${QSCINTILLA})

add_executable(coalescope-gui main.cpp)
target_link_libraries(coalescope-gui PRIVATE coalescope_app)
target_compile_definitions(coalescope-gui PRIVATE COALESCOPE_VERSION="${PROJECT_VERSION}")

# Brings the translation files up to date with the sources: ninja translations
add_custom_target(translations
    COMMAND Qt6::lupdate -silent -no-obsolete -locations none -tr-function-alias QT_TRANSLATE_NOOP+=translatable
        -I ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/analysis/result/time_terms.h
        -ts ${translations}/coalescope_zh_CN.ts
    COMMAND Qt6::lupdate -silent -no-obsolete -locations none -pluralonly -I ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}
        -ts ${translations}/coalescope_en.ts
    VERBATIM)
