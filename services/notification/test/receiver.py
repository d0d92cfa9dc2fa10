"""Receives webhooks and verifies them by Standard Webhooks 1.0, with Python's own library alone.

Prints its port, and then for each request a line of JSON: {"valid": true, "id": "evt_…"}. The secret is in WEBHOOK_SECRET.
"""

import base64
import hashlib
import hmac
import http.server
import json
import os
import time

SECRET = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
TOLERANCE_SECONDS = 300


def is_valid(headers, body: bytes) -> bool:
    message_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(SECRET, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(expected, each) for each in headers["webhook-signature"].split(" "))


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        valid = is_valid(self.headers, body)
        print(json.dumps({"valid": valid, "id": json.loads(body)["id"]}), flush=True)
        self.send_response(204 if valid else 400)
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
print(server.server_port, flush=True)
server.serve_forever()
