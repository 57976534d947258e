#pragma once

class Editor;

/// Puts what can be done to the flowgraph on the list of actions.
void registerGraphActions(Editor &editor);
