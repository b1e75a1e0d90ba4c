/**
 * The cost of a refused client compared with a served one: processor time of the whole program per response,
 * with the demonstration's data.
 *
 * Usage: node bench/requests/rate-limit.ts [REQUESTS]
 */
import { randomBytes } from 'node:crypto';

import { createKey } from '../../src/node/keys/keys.ts';
import { generateKey } from '../../src/auth/api-key.ts';
import type { Allowance } from '../../src/domain/access/rate-limit.ts';
import { TokenBuckets } from '../../src/lib/network/token-buckets.ts';
import { readNumbers } from '../support/arguments.ts';
import { unusedPort } from '../../test/support/program/unused-ports.ts';
import { HttpConnection } from '../support/http-connection.ts';
import { PinnedProcess, cores } from '../support/pinned-process.ts';
import { say } from '../support/print.ts';
import { processorTime } from '../support/process-tree.ts';
import { report, secondsOf } from '../support/report.ts';
import { scratchDirectory } from '../support/scratch-directory.ts';

const launcher = new URL('../../bin/pizarra', import.meta.url).pathname;
const { requests } = readNumbers(import.meta.filename, { requests: 20_000 });
const connectionsOpen = 8;

const oneTicker = '/cotizaciones?especie=GGAL';
const onePanel = '/cotizaciones?panel=LIDGEN';
const strict: Allowance = { requests: 1, seconds: 86_400, burst: 1 };
const generous: Allowance = { requests: 1_000_000, seconds: 1, burst: 1_000_000 };

await using directory = await scratchDirectory();
const makeKey = async (name: string, limit?: Allowance): Promise<string> =>
  (await createKey(directory.path, { name, scope: 'read', limit })).key;
const unlimitedKey = await makeKey('unlimited');
const limitedKey = await makeKey('limited', generous);
const exhaustedKey = await makeKey('exhausted', strict);

for (const accessLog of ['all', 'refused']) {
  say(`\naccess log: ${accessLog}`);
  for (const failuresPerAddress of ['unlimited', '1/day']) {
    const port = await unusedPort();
    const ports = ['--port', String(port), '--private-port', '0'];
    await using program = new PinnedProcess({
      core: cores.server,
      command: launcher,
      args: [
        'serve',
        ...ports,
        '--store',
        directory.path,
        '--log-format',
        'json',
        '--access-log',
        accessLog,
        '--failures-per-address',
        failuresPerAddress,
      ],
    });
    await program.listens(port);
    const measure = measuring(program.pid, port);
    if (failuresPerAddress === 'unlimited') {
      await measure('200, one quote, unlimited key', oneTicker, unlimitedKey);
      await measure('200, one quote, key within its limit', oneTicker, limitedKey);
      await measure('200, panel LIDGEN, unlimited key', onePanel, unlimitedKey);
      await measure('429, key over its limit', onePanel, exhaustedKey);
      await measure('401, unknown key', onePanel, generateKey(randomBytes));
    } else {
      await measure('429, address over its limit of failures', onePanel, generateKey(randomBytes));
    }
  }
}
await measureFloor();
await measureBuckets();

/** Measures the time that Node alone needs to read such a request and to write such a refusal. */
async function measureFloor(): Promise<void> {
  const port = await unusedPort();
  const program = `require('node:http').createServer((_, response) => {
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '9' });
    response.end('{"error":"Se superó la cantidad de pedidos admitida."}');
  }).listen(${port}, '127.0.0.1')`;
  const launch = { core: cores.server, command: process.execPath, args: ['-e', program] };
  await using server = new PinnedProcess(launch);
  await server.listens(port);
  say('');
  await measuring(server.pid, port)('429, bare node:http', onePanel, exhaustedKey);
}

function measuring(
  pid: number,
  port: number,
): (what: string, target: string, key: string) => Promise<void> {
  return async (what, target, key) => {
    const request = `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    // The first half warms up, and uses up the limit.
    await askAll(port, request, requests);
    const before = processorTime([pid]);
    const seconds = await secondsOf(() => askAll(port, request, requests));
    const after = processorTime([pid]);
    const used = after.user + after.kernel - before.user - before.kernel;
    report(what, (used / requests) * 1e6, `µs CPU (${Math.round(requests / seconds)} answers/s)`);
  };
}

async function askAll(port: number, request: string, count: number): Promise<void> {
  let left = count;
  const connections = await Promise.all(
    Array.from({ length: connectionsOpen }, () => HttpConnection.open(port)),
  );
  await Promise.all(
    connections.map(async (connection) => {
      using open = connection;
      while ((left -= 1) >= 0) {
        await new Promise<number>((answered) => open.exchange(request, answered));
      }
    }),
  );
}

async function measureBuckets(): Promise<void> {
  const buckets = new TokenBuckets({ bucketsMax: 20_000 });
  const limit = { burst: 20, refillMs: 1_000 };
  const draws = 2_000_000;
  const seconds = await secondsOf(() => {
    for (let draw = 0; draw < draws; draw += 1) {
      buckets.draw(`key-${draw % 10_000}`, limit, 1_790_000_000_000 + draw);
    }
  });
  say('');
  report('one draw of a token bucket, 10,000 names', (seconds / draws) * 1e9, 'ns');
}
