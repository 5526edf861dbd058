"""Makes the modules of the checks importable."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bindings" / "julia" / "gen"), str(Path(__file__).parent)]
