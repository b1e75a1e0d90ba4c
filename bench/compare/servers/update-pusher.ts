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

using connection = await HttpConnection.open(Number(url.port));
await push();
process.stdout.write('pushing\n');
const started = performance.now();
let pushed = 0;
for (let batch = 1; !stopping.signal.aborted; batch += 1) {
  await push();
  pushed += updatesPerBatch;
  // By the clock and not by the last answer, so that a slow one does not lower the rate.
  const ahead = started + batch * msPerBatch - performance.now();
  if (ahead > 0) await delay(ahead);
}
const seconds = (performance.now() - started) / 1e3;
process.stdout.write(`${JSON.stringify({ pushed, seconds })}\n`);

async function push(): Promise<void> {
  const status = await new Promise<number>((answered) => {
    connection.exchange(requestText('POST', url, headers, body()), answered);
  });
  if (status >= 300) throw new Error(`updates were answered ${status}`);
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
