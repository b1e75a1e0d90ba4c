/** Serves fixed responses from memory over HTTP/2, for `bench/compare/sides/bare-http2.ts`. Arguments: DIRECTORY PORT. */
import { readFileSync } from 'node:fs';
import { createSecureServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import { join } from 'node:path';
import type { Http2Answer } from './http2-answer.ts';

const [directory = '', port = ''] = process.argv.slice(2);
const authorization = `Bearer ${process.env['BENCH_KEY'] ?? ''}`;
const [cert, key] = ['cert.pem', 'key.pem'].map((name) => readFileSync(join(directory, name)));
const index = JSON.parse(
  readFileSync(join(directory, 'index.json'), 'utf8'),
) as readonly Http2Answer[];
const answers = new Map(
  index.map((one) => [one.target, { ...one, bytes: Buffer.from(one.body, 'base64') }]),
);

const server = createSecureServer({ cert: cert ?? '', key: key ?? '' });
server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
  const answer = answers.get(headers[':path'] ?? '');
  if (headers.authorization !== authorization || answer === undefined) {
    stream.respond({ ':status': 401 }, { endStream: true });
  } else if (headers['if-none-match'] === answer.head['etag']) {
    stream.respond(answer.unchangedHead, { endStream: true });
  } else {
    stream.respond(answer.head);
    stream.end(answer.bytes);
  }
});
server.listen(Number(port), '127.0.0.1');
