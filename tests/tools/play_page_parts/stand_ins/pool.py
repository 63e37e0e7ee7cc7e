"""In place of `impulse_table.workers.pool`: agents think in the page's one worker."""

import asyncio


class WorkerError(ValueError):
    """An agent gave no answer."""

    details = ""


class WorkerPool:
    """Answers questions in this thread."""

    async def ask(self, question, *args, **kwargs):
        """Return the answer to a question; raises `WorkerError` if it fails."""
        await asyncio.sleep(0)  # pages get the news first
        try:
            return question(*args, **kwargs)
        except ValueError as error:
            raise WorkerError(str(error)) from error
