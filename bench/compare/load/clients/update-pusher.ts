/**
 * Pushes updates at a steady rate until it is stopped, for `bench/compare/load/updates.ts`. Arguments: URL FORMAT
 * TICKERS_FILE RATE, with BENCH_AUTHORIZATION in the environment. It prints "pushing" when the first updates
 * are accepted, and at the end the number of accepted updates and the duration.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { HttpConnection } from '../../../support/http-connection.ts';
import { UpdateBodies, updatesPerBatch } from './update-bodies.ts';

/** Maximum number of batches in flight. A busy server responds late, but may still keep up. */
const batchesUnderWayMax = 32;

const [url = '', format = '', tickersFile = '', rate = '1000'] = process.argv.slice(2);
const authorization = process.env['BENCH_AUTHORIZATION'] ?? '';
const bodies = new UpdateBodies({ url, format, tickersFile, authorization });
const msPerBatch = (updatesPerBatch / Number(rate)) * 1e3;
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());

const connections = await Promise.all(
  Array.from({ length: batchesUnderWayMax }, () => HttpConnection.open(bodies.port)),
);
const idle = [...connections];
await new Promise<void>((taken) => push(taken));
process.stdout.write('pushing\n');
const started = performance.now();
let pushed = 0;
for (let batch = 1; !stopping.signal.aborted; batch += 1) {
  push(() => (pushed += updatesPerBatch));
  // The clock determines the next batch, not the last response, so a slow response does not lower the rate.
  await delay(Math.max(started + batch * msPerBatch - performance.now(), 0));
}
const seconds = (performance.now() - started) / 1e3;
process.stdout.write(`${JSON.stringify({ pushed, seconds })}\n`);
for (const connection of connections) connection[Symbol.dispose]();

/** Pushes a batch. While too many are in flight, the batch is skipped, and is not counted as accepted. */
function push(taken: () => void): void {
  const connection = idle.pop();
  if (connection === undefined) return;
  connection.exchange(bodies.nextRequest(), (status) => {
    if (status >= 300) throw new Error(`the updates got ${status}`);
    idle.push(connection);
    taken();
  });
}
