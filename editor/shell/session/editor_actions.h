#pragma once

class Editor;

/// Puts what the editor itself can do on its list of actions. Controllers add their own.
void registerEditorActions(Editor &editor);
