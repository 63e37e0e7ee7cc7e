"""A window that shows drawings one after another, with pygame (the extra `render`)."""

import io
import os
from typing import Any, Final

from impulse_env.drawing.raster import RenderError, png_bytes, require_rasteriser

_DRIVER: Final = "SDL_VIDEODRIVER"
_BLIND_DRIVERS: Final = ("dummy", "offscreen")
"""What SDL draws with where there is no display, and nobody sees."""
_FRAME: Final = 90
"""Pixels that a desktop needs for bars and the window's own frame."""


def require_display() -> Any:
    """Return pygame with a display to draw on; raises `RenderError` if there is none.

    Who names one of SDL's drivers that show nothing, as tests do, gets it.
    """
    _, pygame = require_rasteriser()
    try:
        pygame.display.init()
        driver = pygame.display.get_driver()
    except pygame.error as error:
        driver = str(error)
    if driver in _BLIND_DRIVERS and os.environ.get(_DRIVER) != driver:
        pygame.display.quit()
    if not pygame.display.get_init():
        raise RenderError(
            f'render_mode "human" opens a window, and there is no display ({driver}); '
            'use "rgb_array" or "ansi"'
        )
    return pygame


class Window:
    """A window of its own; pygame has one a process, so a second `Window` takes it over.

    Attributes:
        is_closed: Whether it was closed; it then stays so, and drawings are not shown any more.
    """

    def __init__(self, title: str, pace: float) -> None:
        """Open nothing yet: the first drawing does.

        Args:
            title: What stands above it.
            pace: Most drawings a second; `show` waits.

        Raises:
            RenderError: There is no display, or nothing to draw with.
        """
        self._pygame = require_display()
        self._clock = self._pygame.time.Clock()
        self._title = title
        self._pace = pace
        self.is_closed = False

    def show(self, svg: str, width: int, height: int) -> None:
        """Show a drawing of that size, smaller if the desktop is."""
        pygame = self._pygame
        if self.is_closed or any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
            return
        across, down = pygame.display.get_desktop_sizes()[0]
        zoom = min(1.0, (across - _FRAME) / width, (down - _FRAME) / height)
        picture = pygame.image.load(io.BytesIO(png_bytes(svg, round(width * zoom))))
        surface = pygame.display.get_surface()
        if surface is None or surface.get_size() != picture.get_size():
            surface = pygame.display.set_mode(picture.get_size())
            pygame.display.set_caption(self._title)
        surface.blit(picture, (0, 0))
        pygame.display.flip()
        self._clock.tick(self._pace)

    def close(self) -> None:
        """Close the window; again does nothing."""
        if not self.is_closed:
            self.is_closed = True
            self._pygame.display.quit()
