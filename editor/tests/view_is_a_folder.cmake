# Adds a view and an overlay, one folder each, to a copy of the editor. Checks that the configured editor has both.
#   cmake -DWORK=scratch -DGENERATOR=Ninja -DCXX=c++ -P view_is_a_folder.cmake
cmake_minimum_required(VERSION 3.22)
set(root "${CMAKE_CURRENT_LIST_DIR}/../..")
file(REMOVE_RECURSE "${WORK}")
foreach(folder editor/app editor/core editor/shell editor/features editor/CMakeLists.txt cmake block-library/categories
        codegen/weir/schema codegen/weir/read/reporting)
  get_filename_component(above "${folder}" DIRECTORY)
  file(COPY "${root}/${folder}" DESTINATION "${WORK}/${above}")
endforeach()
file(WRITE "${WORK}/editor/features/extra/view.h" [=[
#pragma once

#include "shell/session/views.h"

namespace weir::editor {

inline View extraView() { return {9, QStringLiteral("extra"), {}, {}, QStringLiteral("ExtraPage.qml")}; }

} // namespace weir::editor
]=])
file(WRITE "${WORK}/editor/features/extra/ExtraPage.qml" "import QtQuick\n\nItem {}\n")
file(WRITE "${WORK}/editor/features/more/MoreOverlay.qml" "Overlay {}\n")
execute_process(COMMAND ${CMAKE_COMMAND} -S "${WORK}/editor" -B "${WORK}/build" -G "${GENERATOR}"
                        -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=Debug -DWEIR_EDITOR_TESTS=OFF
                RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "it does not configure:\n${said}")
endif()
file(READ "${WORK}/build/embedded/found_views.h" views)
file(GLOB resources "${WORK}/build/.rcc/*.qrc")
set(listed "")
foreach(resource ${resources})
  file(READ "${resource}" text)
  string(APPEND listed "${text}")
endforeach()
foreach(wanted "extraView" "canvasView" "features/extra/view.h")
  if(NOT views MATCHES "${wanted}")
    message(FATAL_ERROR "no ${wanted} among the views:\n${views}")
  endif()
endforeach()
foreach(wanted "ExtraPage.qml" "MoreOverlay.qml" "HeatOverlay.qml")
  if(NOT listed MATCHES "${wanted}")
    message(FATAL_ERROR "no ${wanted} in the window's resources")
  endif()
endforeach()
file(REMOVE_RECURSE "${WORK}")
