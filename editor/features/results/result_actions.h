#pragma once

class Editor;

void registerResultActions(Editor &editor);
