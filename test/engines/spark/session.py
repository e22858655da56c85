"""One Spark session behind a port on loopback: SQL comes as the body of a request, rows go back as JSON. Starting one takes seconds."""

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

from pyspark.sql import SparkSession

builder = SparkSession.builder.master("local[2]")
for name, value in json.loads(sys.argv[1]).items():
    builder = builder.config(name, value)
spark = builder.getOrCreate()


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        sql = self.rfile.read(int(self.headers["Content-Length"])).decode()
        try:
            rows = [row.asDict() for row in spark.sql(sql.strip().rstrip(";")).collect()]
            self.answer(200, json.dumps(rows, default=str))
        except Exception as error:  # Whatever Spark says is the answer.
            self.answer(500, str(error))

    def answer(self, status, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
