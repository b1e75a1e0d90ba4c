/** Serves fixed responses from memory, for `bench/compare/measured/rivals.ts`. Arguments: FOLDER PORT [CERTIFICATE KEY]. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createSecureServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { join } from 'node:path';

import type { FixedResponse } from './rivals.ts';

const [folder = '', port = '', cert, key] = process.argv.slice(2);
const authorization = `Bearer ${process.env['BENCH_KEY'] ?? ''}`;
const index = JSON.parse(
  readFileSync(join(folder, 'index.json'), 'utf8'),
) as readonly FixedResponse[];
const responses = new Map(
  index.map((one) => [one.target, { ...one, body: readFileSync(join(folder, one.file)) }]),
);

if (cert === undefined || key === undefined) {
  const server = createServer((request, response) => {
    const { headers, url = '' } = request;
    const found = responses.get(url);
    if (headers.authorization !== authorization || found === undefined) {
      response.writeHead(401).end();
    } else if (headers['if-none-match'] === found.head['etag']) {
      response.writeHead(304, found.unchangedHead).end();
    } else {
      response.writeHead(200, found.head).end(found.body);
    }
  });
  server.keepAliveTimeout = 600_000;
  server.listen(Number(port), '127.0.0.1');
} else {
  const server = createSecureServer({ cert: readFileSync(cert), key: readFileSync(key) });
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    const found = responses.get(headers[':path'] ?? '');
    if (headers.authorization !== authorization || found === undefined) {
      stream.respond({ ':status': 401 }, { endStream: true });
    } else if (headers['if-none-match'] === found.head['etag']) {
      stream.respond({ ...found.unchangedHead, ':status': 304 }, { endStream: true });
    } else {
      stream.respond({ ...found.head, ':status': 200 });
      stream.end(found.body);
    }
  });
  server.listen(Number(port), '127.0.0.1');
}
