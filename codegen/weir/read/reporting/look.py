"""Look of drawn flowgraphs: look.json has the colours, sizes and shapes of `weir export` and the editor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

LOOK: dict[str, Any] = json.loads((Path(__file__).parent / "look.json").read_text(encoding="utf-8"))
LIGHT: dict[str, Any] = LOOK["themes"]["light"]
