import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Row } from '../market/live-quotes.ts';
import { countRows } from './count-rows.ts';

const session = '2026-11-20';

function row(ticker: string, variacion: number | null, fecha = session): Row {
  const quote = { especie: ticker, fecha, ultimo: 1, variacion };
  return { ticker, quote: { ...quote, varMTD: null, varYTD: null, volumen: null } };
}

test('only quotes of the current session are counted as rising or falling', () => {
  const rows = [
    row('UP', 0.01),
    row('UP2', 3),
    row('SAME', 0),
    row('DOWN', -0.5),
    row('NEW', null),
    row('OLD', 3612, '2022-03-04'),
    { ticker: 'NONE', quote: undefined },
  ];
  assert.deepEqual(
    countRows(rows, ({ fecha }) => (fecha < session ? 'earlier' : 'current')),
    { up: 2, same: 1, down: 1, unknown: 1, earlier: 1, missing: 1 },
  );
});
