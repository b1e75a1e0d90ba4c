import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { fromEpochDay } from '../../src/domain/calendar/plain-date.ts';
import { Engine } from '../../src/engine/engine.ts';
import { mapDolarapiLine } from '../../src/feeds/sources/dolarapi.ts';
import { ReplayClock, createReplayFeed } from '../../src/feeds/replay/index.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { silentLog } from '../../src/lib/reports/log.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { pauseInRealTime } from '../../src/lib/time/pause.ts';
import { makeUniverse } from '../support/market/make-universe.ts';

/** The days of an invented recording of early 2024. Its instants are one minute old. */
const days = ['2024-02-05', '2024-02-06', '2024-02-07', '2024-02-08', '2024-02-09'];
const lines = days.flatMap((day, index) =>
  ['14:01', '21:01'].map((time) =>
    JSON.stringify({
      commit: 'c',
      committedAt: `${day}T${time}:00+00:00`,
      path: 'datos/v1/ambito/dolares/index.json',
      data: [
        {
          moneda: 'USD',
          casa: 'mayorista',
          compra: 825 + index,
          venta: 828 + index,
          fechaActualizacion: new Date(Date.parse(`${day}T${time}:00Z`) - 60_000).toISOString(),
        },
      ],
    }),
  ),
);

test('a recording with true UTC instants has all its sessions, and no update from the future', async (t) => {
  const directory = await temporaryDirectory(t);
  await writeFile(join(directory, 'week.ndjson'), lines.join('\n'));
  const clock = new ReplayClock({ real: systemClock, speed: 'max' });
  const market = 'CRIPTO';
  const universe = makeUniverse([{ ticker: 'DOLAR MAYORISTA', kind: 'exchange-rate', market }]);
  const engine = new Engine(universe, { settleDelayMs: 0, nextVersion: 1 });
  const feed = createReplayFeed(
    {
      type: 'replay',
      name: 'week',
      staleAfterSeconds: 1,
      files: ['week.ndjson'],
      format: 'dolarapi',
      speed: 'max',
    },
    { clock, directory, log: silentLog, mapLine: mapDolarapiLine, pause: pauseInRealTime },
  );
  const closes: (readonly [string, number])[] = [];
  const outcomes = new Set<unknown>();
  const keep = (given: ReturnType<Engine['settle']>['closes']): void => {
    for (const { close } of given) closes.push([fromEpochDay(close.day), close.close]);
  };
  for await (const batch of feed.batches(t.signal)) {
    keep(engine.settle(clock.now()).closes);
    const turn = engine.apply(batch.updates, clock.now());
    keep(turn.closes);
    for (const outcome of turn.outcomes) outcomes.add(outcome);
  }
  keep(engine.settle(clock.now() + 86_400_000).closes);
  assert.deepEqual([...outcomes], ['accepted']);
  assert.deepEqual(
    closes,
    days.map((day, index) => [day, 828 + index]),
  );
});
