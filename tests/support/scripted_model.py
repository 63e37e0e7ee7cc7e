"""A local server that answers chat completions with scripted replies, good and bad."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextmanager
def serving(answer):
    """Serve on a free port; yield the address and the list of requests.

    Args:
        answer: Takes the request's JSON and its number, from 0; returns a status and a body: a
            text is put into a completion, bytes are sent as they are.
    """
    requests = []
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            size = int(self.headers["Content-Length"])
            request = json.loads(self.rfile.read(size))
            with lock:
                number = len(requests)
                requests.append((self.path, self.headers.get("Authorization"), request))
            status, body = answer(request, number)
            if isinstance(body, str):
                message = {"role": "assistant", "content": body}
                usage = {"prompt_tokens": 10, "completion_tokens": 2}
                body = json.dumps({"choices": [{"message": message}], "usage": usage}).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", requests
    finally:
        server.shutdown()
        server.server_close()


def legal_reply(request, number):
    """Choose the first legal action of the prompt."""
    legal = request["messages"][-1]["content"].rpartition("Legal: ")[2]
    return 200, "Let me see.\n" + legal.partition(")")[0].split("|")[0] + ")"
