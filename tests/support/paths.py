"""Where the checkout is, and its packages in it."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = (
    *("impulse_env", "agents/impulse_agents"),
    *("agents/impulse_table", "training/impulse_training"),
)
"""The folders of the packages that the wheel holds."""
PACKAGES = os.pathsep.join(str(ROOT / folder) for folder in (".", "agents", "training"))
"""For `PYTHONPATH`: whoever is started finds this checkout's packages, and no others."""
