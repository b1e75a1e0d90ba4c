import assert from 'node:assert/strict';
import { appendFile, cp } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

import { createKey } from '../../../src/node/keys/keys.ts';
import { textOf } from '../../docs/blocks.ts';
import { startPizarra, temporaryDirectory } from '../../support/program/program.ts';
import { until } from '../../support/wait.ts';
import { storeAt } from '../../support/program/test-store.ts';

/** The row that docs/universe.md adds to a file for the next LECAP. */
function rowFor(file: string): string {
  const text = textOf('docs/universe.md');
  const [, row] =
    new RegExp(String.raw`^\$ echo '(S31G7,.*)' >> mine/${RegExp.escape(file)}$`, 'm').exec(text) ??
    [];
  return `${row ?? assert.fail(file)}\n`;
}

interface ChangeRow {
  readonly campo: string;
  readonly antes: unknown;
  readonly despues: unknown;
  readonly origen: string;
}

test('after a reload with the rows of docs/universe.md, the next LECAP is served with its terms and its payment', async () => {
  await using directory = await temporaryDirectory();
  const [universe, data] = [join(directory.path, 'universe'), join(directory.path, 'data')];
  await cp(resolve(import.meta.dirname, '../../../universe'), universe, { recursive: true });
  const { key } = await createKey(storeAt(data), { name: 'read', scope: 'read' });
  await using service = await startPizarra(['--store', data, '--universe', universe]);
  const get = (path: string) =>
    fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${key}` } });

  const before = await get('/bonos?especie=S31G7&precio=102.5');
  assert.deepEqual([await before.text(), before.headers.get('missing-especies')], ['[]', 'S31G7']);

  await service.logged('"msg":"terms of bonds recorded"');
  for (const file of ['instruments.csv', 'bonds.csv']) {
    await appendFile(join(universe, file), rowFor(file));
  }
  service.child.kill('SIGHUP');
  await service.logged('"msg":"configuration reloaded"');

  const flows = (await (
    await get('/bonos/flujos?especie=S31G7&desde=2026-12-01')
  ).json()) as object;
  assert.deepEqual(flows, [
    {
      fecha: '2027-08-31',
      pago: '2027-08-31',
      interes: 20.56789505,
      amortizacion: 100,
      total: 120.56789505,
      residual: 0,
      ajustado: 120.56789505,
    },
  ]);
  const [row] = (await (await get('/bonos?especie=S31G7&precio=102.5')).json()) as readonly Record<
    string,
    unknown
  >[];
  assert.deepEqual(
    [row?.['especie'], row?.['vencimiento'], row?.['moneda'], row?.['supuesto']],
    ['S31G7', '2027-08-31', 'ARS', null],
  );
  const panel = await (await get('/especies.txt?panel=BONOS')).text();
  assert.match(panel, /^S31G7$/m);

  const changes = await until('the terms are a change', async () => {
    const all = (await (await get('/cambios?especie=S31G7')).json()) as readonly ChangeRow[];
    return all.length === 0 ? undefined : all;
  });
  const added = changes.find(({ campo }) => campo === 'tem');
  assert.deepEqual([added?.antes, added?.origen], [null, 'universo']);
});
