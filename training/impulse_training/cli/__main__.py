"""Runs `impulse` as ``python -m impulse_training.cli``."""

import sys

from impulse_training.cli.framework.main import main

sys.exit(main())
