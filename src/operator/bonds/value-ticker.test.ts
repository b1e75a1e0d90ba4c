import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../../../test/store/temporary-directory.ts';
import { day } from '../../../test/support/market/bond-samples.ts';
import { toEpochDay } from '../../domain/calendar/plain-date.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { listFlows, valueTicker } from './value-ticker.ts';
import { changeAt } from '../../../test/support/market/test-change.ts';

const universeDirectory = resolve(import.meta.dirname, '../../../universe');
const noon = Date.parse('2026-11-20T15:00:00Z');

/** The value of CER ten settlement days before 2026-11-24, over three holidays and the closed banks of 2026-11-06. */
const cer = {
  index: 'CER',
  day: toEpochDay(day('2026-11-04')),
  value: 802.9134,
  source: 'test',
} as const;

test('the stored value of the index of the lag multiplies the flows, and no other day takes its place', async (t) => {
  const storeAt = await temporaryDirectory(t);
  const request = {
    ticker: 'TZX28',
    price: 360,
    convention: 'pizarra',
    universeDirectory,
    storeAt,
    now: noon,
  } as const;
  const value = async () => (await valueTicker(request)).row;
  const flows = async () => (await listFlows(request)).rows;
  assert.equal((await value())['estado'], 'sin-indice');
  {
    await using store = await openSqliteStore({ directory: storeAt });
    const around = ['2026-11-03', '2026-11-05'].map((date) => ({
      ...cer,
      day: toEpochDay(day(date)),
    }));
    await store.indices.apply({ put: around }, changeAt(noon));
  }
  const without = await valueTicker(request);
  assert.match(without.advice.join(''), /The store has no CER of 2026-11-04\. .*--coeficiente/);
  const { advice } = await listFlows(request);
  assert.match(advice.join(''), /^The store has no CER of 2026-11-04\. Fetch it/);
  assert.deepEqual(
    (await flows()).map(({ ajustado }) => ajustado),
    [null],
  );
  {
    await using store = await openSqliteStore({ directory: storeAt });
    await store.indices.apply({ put: [cer] }, changeAt(noon));
  }
  assert.deepEqual((await listFlows(request)).advice, []);
  const { estado, indice, fechaIndice, valorIndice, valorTecnico, liquidacion } = await value();
  assert.deepEqual(
    { estado, indice, fechaIndice, valorIndice, liquidacion },
    {
      estado: 'ok',
      indice: 'CER',
      fechaIndice: '2026-11-04',
      valorIndice: 802.9134,
      liquidacion: '2026-11-24',
    },
  );
  // 802.9134 ÷ 200.388 for each nominal.
  assert.equal(valorTecnico, 400.679382);
  assert.deepEqual(
    (await flows()).map(({ total, ajustado }) => [total, ajustado]),
    [[100, 400.679382]],
  );
});

test('the settlement is by default that of a trade of today, by the convention', async (t) => {
  const storeAt = await temporaryDirectory(t);
  const settled = async (convention: 'pizarra' | 'bonarg') => {
    const request = { ticker: 'AL30', price: 60, universeDirectory, storeAt, now: noon };
    const { row } = await valueTicker({ ...request, convention });
    return [row['fecha'], row['liquidacion']];
  };
  // 2026-11-20 is a Friday, and the Monday after it a holiday.
  assert.deepEqual(await settled('pizarra'), ['2026-11-20', '2026-11-24']);
  assert.deepEqual(await settled('bonarg'), ['2026-11-20', '2026-11-20']);
});

test('a trade before a bridge day settles after it, and a settlement on it is advised against', async (t) => {
  const storeAt = await temporaryDirectory(t);
  const value = async (fecha?: string) => {
    const { row, advice } = await valueTicker({
      ticker: 'TZXD6',
      price: 298.5,
      coefficient: 3,
      convention: 'pizarra',
      universeDirectory,
      storeAt,
      now: Date.parse('2026-12-04T15:00:00Z'),
      ...(fecha === undefined ? {} : { settlement: day(fecha) }),
    });
    return [row['liquidacion'], Number(row['tir']).toFixed(1), advice.join()];
  };
  assert.deepEqual(await value(), ['2026-12-09', '35.7', '']);
  assert.deepEqual(await value('2026-12-07'), [
    '2026-12-07',
    '25.7',
    'Nothing settles on 2026-12-07. Set --fecha to the next settlement day, 2026-12-09.',
  ]);
});
