/** Serves fixed responses from memory, for `bench/compare/sides/bare-node.ts`. Arguments: DIRECTORY PORT. */
import { readFileSync } from 'node:fs';
import { createServer, type OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';

interface Answer {
  readonly body: Buffer;
  readonly headers: OutgoingHttpHeaders;
}

const [directory = '', port = ''] = process.argv.slice(2);
const authorization = `Bearer ${process.env['BENCH_KEY'] ?? ''}`;
const index = JSON.parse(readFileSync(join(directory, 'index.json'), 'utf8')) as Record<
  string,
  string
>;
const plain = answersOf('');
const compressed = answersOf('.gz');

const server = createServer((request, response) => {
  const { headers, url = '' } = request;
  const takesGzip = headers['accept-encoding']?.includes('gzip') === true;
  const answer = (takesGzip ? compressed : plain).get(url);
  if (headers.authorization !== authorization || answer === undefined) {
    response.writeHead(401).end();
  } else if (headers['if-none-match'] === answer.headers.etag) {
    response.writeHead(304, { etag: answer.headers.etag }).end();
  } else {
    response.writeHead(200, answer.headers).end(answer.body);
  }
});
server.keepAliveTimeout = 600_000;
server.listen(Number(port), '127.0.0.1');

function answersOf(suffix: '' | '.gz'): ReadonlyMap<string, Answer> {
  return new Map(
    Object.entries(index).map(([target, file], position) => {
      const body = readFileSync(join(directory, `${file}${suffix}`));
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'content-length': body.length,
        'cache-control': 'private, no-cache',
        etag: `"${position}${suffix}"`,
        ...(suffix === '.gz' ? { 'content-encoding': 'gzip' } : {}),
      };
      return [target, { body, headers }];
    }),
  );
}
