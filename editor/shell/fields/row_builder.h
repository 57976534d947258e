#pragma once

#include "core/catalog/catalog.h"
#include "shell/fields/parameter_model.h"

#include <string>
#include <vector>

namespace weir::editor {

QString qt(const std::string& utf8);
/// Return a field for the value at `pointer` of any object.
ParameterRow valueRow(const Json& object, const Pointer& pointer, const char* type, const QString& title,
                      const QString& placeholder = {});
/// Return a field for the value at `pointer` of a project, with the choices and the range of the schema.
ParameterRow fieldRow(const Json& project, const Pointer& pointer, const char* type, const QString& title,
                      const QString& placeholder = {});
/// Return a field for a parameter of a descriptor.
ParameterRow describedRow(const Json& project, const Pointer& pointer, const ParameterType& type);
ParameterRow asChoice(ParameterRow row, const QStringList& options);
/// Return the row as text of several lines.
ParameterRow asNote(ParameterRow row);
ParameterRow documented(ParameterRow row, const QString& documentation, const QString& unit = {});
/// Return a switch for a text that the list at `pointer` may hold.
ParameterRow memberRow(const Json& project, const Pointer& pointer, const char* member, const QString& title);
/// Adds fields for members of the file that no descriptor knows, so that the user can see and correct them.
void addUnknown(std::vector<ParameterRow>& rows, const Json& project, const Pointer& container);
QStringList qtList(const std::vector<std::string>& texts);

} // namespace weir::editor
