#pragma once

class Editor;

void registerMappingActions(Editor &editor);
