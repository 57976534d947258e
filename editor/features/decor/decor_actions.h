#pragma once

class Editor;

void registerDecorActions(Editor &editor);
