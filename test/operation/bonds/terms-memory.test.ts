import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

import { createKey } from '../../../src/node/keys/keys.ts';
import { listChanges } from '../../../src/commands/history/log.ts';
import { openPlace } from '../../../src/node/place/open-place.ts';
import { backUp } from '../../../src/operator/store/copy-store.ts';
import {
  startPizarra,
  temporaryDirectory,
  type RunningService,
} from '../../support/program/program.ts';
import { isInPostgres, storeAt } from '../../support/program/test-store.ts';
import { until } from '../../support/wait.ts';

test('an edit of bonds.csv is a change after a reload and after a restart, once, and a backup has it', async () => {
  await using directory = await temporaryDirectory();
  const [universe, data] = [join(directory.path, 'universe'), join(directory.path, 'data')];
  await cp(resolve(import.meta.dirname, '../../../universe'), universe, { recursive: true });
  const { key } = await createKey(storeAt(data), { name: 'read', scope: 'read' });
  const edit = async (change: (text: string) => string): Promise<void> => {
    const file = join(universe, 'bonds.csv');
    await writeFile(file, change(await readFile(file, 'utf8')));
  };
  const start = (): Promise<RunningService> =>
    startPizarra(['--store', data, '--universe', universe]);
  const changesOf = async (
    { url }: RunningService,
    ticker: string,
  ): Promise<readonly unknown[]> => {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${url}/cambios?especie=${ticker}`, { headers });
    const rows = (await answer.json()) as readonly Readonly<Record<string, unknown>>[];
    return rows.map(({ especie, campo, antes, despues, origen }) => [
      especie,
      campo,
      antes,
      despues,
      origen,
    ]);
  };
  const [before, after] = ['1.75', '1.5'].map(
    (last) => `2020-09-04=0.125;2021-07-09=0.5;2023-07-09=0.75;2027-07-09=${last}`,
  ) as [string, string];
  const corrected = ['AL30D', 'tasa', before, after, 'universo'];
  {
    await using service = await start();
    await service.logged('"msg":"terms of bonds recorded"');
    assert.deepEqual(await changesOf(service, 'AL30D'), []);
    await edit((text) => text.replace(`6,2021-07-09,,${before},`, `6,2021-07-09,,${after},`));
    service.child.kill('SIGHUP');
    await until('the rate is a change', async () => (await changesOf(service, 'AL30D')).length > 0);
    assert.deepEqual(await changesOf(service, 'AL30D'), [corrected]);
  }
  await edit((text) => text.replace(/^AN29,.*\n/m, ''));
  {
    await using service = await start();
    // The record after the restart has compared all issues at once.
    await until('the terms of AN29 are gone', async () => {
      const rows = (await changesOf(service, 'AN29')) as readonly (readonly unknown[])[];
      return rows.some(
        ([, field, held, now]) => field === 'titulo' && held === 'AN29' && now === null,
      );
    });
    assert.deepEqual(await changesOf(service, 'AL30D'), [corrected]);
  }
  // A database is backed up by its own tools.
  if (isInPostgres) return;
  const [backup, restored] = [join(directory.path, 'backup.db'), join(directory.path, 'restored')];
  await backUp(data, backup);
  await using place = openPlace(restored);
  await place.restore(backup, 0);
  await using original = await openPlace(data).open({ mode: 'read' });
  await using copy = await place.open({ mode: 'read' });
  for (const ticker of ['AL30', 'AN29']) {
    const changes = await listChanges(original, { ticker });
    assert.ok(changes.length > 0);
    assert.deepEqual(await listChanges(copy, { ticker }), changes);
  }
});
