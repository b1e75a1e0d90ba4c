/**
 * Pushes updates at a steady rate until it is told to stop, for `bench/compare/updates.ts`:
 * URL FORMAT TICKERS_FILE RATE, with BENCH_AUTHORIZATION in the environment. It prints "pushing" when
 * the first are taken, and at its end how many were and how long it took.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { HttpConnection, requestText } from '../../support/http-connection.ts';
import { seededRandom } from '../../support/random.ts';

const updatesPerBatch = 20;

/** Batches that may be under way at once: a busy server answers each late, and still keeps up. */
const batchesUnderWayMax = 32;

const [address = '', format = '', tickersFile = '', rate = '1000'] = process.argv.slice(2);
const url = new URL(address);
const headers = {
  authorization: process.env['BENCH_AUTHORIZATION'] ?? '',
  'content-type': format === 'ndjson' ? 'application/x-ndjson' : 'application/json',
};
const tickers = readFileSync(tickersFile, 'utf8').trimEnd().split('\n');
const msPerBatch = (updatesPerBatch / Number(rate)) * 1e3;
const random = seededRandom(1);
const prices = new Map(tickers.map((ticker) => [ticker, 100 + random() * 1_000]));
const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());
let next = 0;

const connections = await Promise.all(
  Array.from({ length: batchesUnderWayMax }, () => HttpConnection.open(Number(url.port))),
);
const idle = [...connections];
await new Promise<void>((taken) => push(taken));
process.stdout.write('pushing\n');
const started = performance.now();
let pushed = 0;
for (let batch = 1; !stopping.signal.aborted; batch += 1) {
  push(() => (pushed += updatesPerBatch));
  // By the clock and not by the last answer, so that a slow one does not lower the rate.
  await delay(Math.max(started + batch * msPerBatch - performance.now(), 0));
}
const seconds = (performance.now() - started) / 1e3;
process.stdout.write(`${JSON.stringify({ pushed, seconds })}\n`);
for (const connection of connections) connection[Symbol.dispose]();

/** Pushes a batch, or none while too many are under way: those are missing from what was pushed. */
function push(taken: () => void): void {
  const connection = idle.pop();
  if (connection === undefined) return;
  connection.exchange(requestText('POST', url, headers, body()), (status) => {
    if (status >= 300) throw new Error(`updates were answered ${status}`);
    idle.push(connection);
    taken();
  });
}

function body(): string {
  const batch = Array.from({ length: updatesPerBatch }, nextUpdate);
  const now = Date.now();
  const at = new Date(now).toISOString();
  switch (format) {
    case 'ndjson':
      return batch.map((one) => JSON.stringify({ ...one, at })).join('\n');
    case 'json':
      return JSON.stringify(batch.map((one) => ({ ...one, at })));
    default:
      return batch
        .map(({ ticker, last }) => {
          return `quotes,especie=${ticker.replaceAll(' ', String.raw`\ `)} ultimo=${last} ${now}`;
        })
        .join('\n');
  }
}

function nextUpdate(): { readonly ticker: string; readonly last: number } {
  const ticker = tickers[next] ?? '';
  next = (next + 1) % tickers.length;
  const last = Number(((prices.get(ticker) ?? 100) * (1 + (random() - 0.5) / 100)).toFixed(2));
  prices.set(ticker, last);
  return { ticker, last };
}
