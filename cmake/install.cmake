# Installs bin/weir, which finds everything else in share/weir, and bin/weir-editor if it is built. Weir never writes to
# these folders; it writes to the user's folders and ~/.cache/weir.
include(GNUInstallDirs)

set(weir_share ${CMAKE_INSTALL_DATADIR}/weir)
install(PROGRAMS weir DESTINATION ${weir_share})
install(FILES README.md CONTRIBUTING.md CHANGELOG.md CITATION.cff LICENSE mkdocs.yml DESTINATION ${weir_share})
install(DIRECTORY setup codegen runtime block-library templates examples docs DESTINATION ${weir_share}
        PATTERN tests EXCLUDE REGEX "/runtime/model$" EXCLUDE PATTERN runs EXCLUDE
        PATTERN __pycache__ EXCLUDE PATTERN ".*" EXCLUDE)

# This file tells the launcher that it is installed, and where the editor is.
file(RELATIVE_PATH weir_bin_from_share ${CMAKE_INSTALL_FULL_DATADIR}/weir ${CMAKE_INSTALL_FULL_BINDIR})
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/installed "${weir_bin_from_share}\n")
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/installed DESTINATION ${weir_share})
file(RELATIVE_PATH weir_share_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/weir)
file(CREATE_LINK ${weir_share_from_bin}/weir ${CMAKE_CURRENT_BINARY_DIR}/weir-command SYMBOLIC)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/weir-command DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME weir)

# bash-completion finds its file itself; zsh does if the prefix is in its `fpath`.
install(FILES setup/completion/weir DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES setup/completion/_weir DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
set(weir_manual ${CMAKE_CURRENT_BINARY_DIR}/weir.1)
install(CODE "execute_process(
    COMMAND \"${Python3_EXECUTABLE}\" -B \"${CMAKE_CURRENT_SOURCE_DIR}/codegen/make_manual.py\"
    OUTPUT_FILE \"${weir_manual}\" RESULT_VARIABLE failed ERROR_QUIET)
  if(failed)
    file(REMOVE \"${weir_manual}\")
    message(WARNING \"weir(1) is not installed; on Debian: apt-get install python3-argparse-manpage\")
  endif()")
install(FILES ${weir_manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
