import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Writable } from 'node:stream';

import { runExport, type ExportRequest } from '../../../src/commands/export/export.ts';
import { requireUniverse } from '../../../src/node/market/require-universe.ts';
import { storeAt } from '../../support/program/test-store.ts';
import { ImportRig } from './import-into.ts';

export const universeDirectory = join(import.meta.dirname, '../../../universe');

export const universe = await requireUniverse(universeDirectory);

/** What `pizarra export` writes of the store in `directory`. */
export async function exportText(directory: string, wishes: Partial<ExportRequest> = {}) {
  const chunks: (string | Uint8Array)[] = [];
  const output = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  const summary = await runExport({
    storeAt: storeAt(directory),
    universeDirectory,
    tickers: [],
    output,
    ...wishes,
  });
  return { summary, text: chunks.join(''), chunks };
}

export function exportOf(directory: string, tickers: readonly string[] = []) {
  return exportText(directory, { tickers, withChanges: true });
}

/** Imports `text` into an empty store, and checks that it is refused and that nothing is stored. */
export async function refusesWith(text: string, message: RegExp) {
  await using rig = await ImportRig.open();
  const { summary } = await rig.import(['-'], { universe, stdin: Buffer.from(text) });
  const [file] = summary.files;
  assert.match(file?.outcome === 'refused' ? file.reason : '', message);
  assert.equal(await rig.revision(), 0);
  const { actions, indices, terms } = rig.store;
  const kept = [actions, indices, terms].map((part) => part.readVersions());
  assert.deepEqual(await Promise.all(kept), [[], [], []]);
}
