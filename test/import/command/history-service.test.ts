import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { startPizarra, temporaryDirectory } from '../../support/program/program.ts';
import { fixed, healthy, SourceServer } from '../../support/http/source-server.ts';
import { until } from '../../support/wait.ts';

const daySeconds = 86_400;

const history = '/historicos?especie=GGAL&desde=2025-01-01&hasta=2026-12-31';

/** The price of a day: the number of days since 1970. */
const priceOf = (date: string): number => Date.parse(date) / 1_000 / daySeconds;

/** The bars of the days of a request, as the source sends them. Each begins at 11:00 in Buenos Aires. */
function chart(from: number, to: number): string {
  const timestamp: number[] = [];
  for (let at = from + 11 * 3_600; at < to; at += daySeconds) timestamp.push(at);
  const close = timestamp.map((at) => Math.floor(at / daySeconds));
  const volume = close.map(() => 1_000);
  const quote = [{ open: close, high: close, low: close, close, volume }];
  const meta = { symbol: 'GGAL.BA', currency: 'ARS' };
  return JSON.stringify({ chart: { result: [{ meta, timestamp, indicators: { quote } }] } });
}

test('a running service fills its history after the start, and the last day after the close of its session', async () => {
  await using directory = await temporaryDirectory();
  await using source = await SourceServer.start();
  const requested: string[] = [];
  source.respond = (request, response) => {
    const { searchParams } = new URL(request.url, source.url);
    const [from, to] = ['period1', 'period2'].map((name) => Number(searchParams.get(name)));
    // The source has history only.
    if (!from || !to) return fixed(503)(request, response);
    requested.push([from, to].map((at) => new Date(at * 1_000).toISOString()).join(' '));
    healthy(() => ({ body: chart(from, to) }))(request, response);
  };
  const [config, time] = ['pizarra.yaml', 'time'].map((name) => join(directory.path, name));
  assert.ok(config !== undefined && time !== undefined);
  const feed = `{ name: yahoo, type: yahoo, url: '${source.url}', instruments: { include: [GGAL] } }`;
  await writeFile(config, `feeds:\n  - ${feed}\n`);
  // A Friday. The session ends at 17:00.
  await writeFile(time, '2026-11-20T16:00:00-03:00');
  const data = join(directory.path, 'data');
  await using service = await startPizarra(['--store', data, '--config', config], undefined, {
    env: {
      TIME_MACHINE: time,
      NODE_OPTIONS: `--import=${resolve(import.meta.dirname, '../../support/market/time-machine.ts')}`,
    },
  });
  const authorization = `Bearer ${await service.firstKey()}`;
  const lastOf = async (path: string): Promise<readonly [unknown, unknown] | undefined> => {
    const response = await fetch(service.url + path, { headers: { authorization } });
    // An instrument without a close has no history.
    const rows = (await response.json()) as readonly { fecha: string; ultimo: number }[];
    const last = rows.at(-1);
    return last && [last.fecha, last.ultimo];
  };
  const goTo = async (instant: string): Promise<void> => {
    await writeFile(time, instant);
    service.child.kill('SIGUSR2');
  };
  const filledUntil = async (date: string): Promise<void> => {
    await until(`the close of ${date} is served`, async () => {
      return (await lastOf(history))?.[0] === date;
    });
    assert.deepEqual(await lastOf(history), [date, priceOf(date)]);
    await until(`the quote is that of ${date}`, async () => {
      return (await lastOf('/cotizaciones?especie=GGAL'))?.[0] === date;
    });
    assert.deepEqual(await lastOf('/cotizaciones?especie=GGAL'), [date, priceOf(date)]);
  };

  assert.equal(await lastOf(history), undefined);
  await goTo('2026-11-20T16:01:30-03:00');
  await filledUntil('2026-11-19');
  // From the first session of the last 400 days. A request of this source always reaches to the present.
  assert.deepEqual(requested.splice(0), ['2025-10-16T03:00:00.000Z 2026-11-21T03:00:00.000Z']);

  await goTo('2026-11-20T17:46:00-03:00');
  await filledUntil('2026-11-20');
  assert.deepEqual(requested, ['2026-11-20T03:00:00.000Z 2026-11-21T03:00:00.000Z']);
  assert.equal(await service.stop(), 0);
});
