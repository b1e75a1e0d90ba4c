import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { ImportRig } from '../support/import-into.ts';
import { makeZip } from '../support/make-zip.ts';

const universe = makeUniverse([{ ticker: 'GGAL' }, { ticker: 'MEP-CCL', kind: 'spread' }]);
const csv = Buffer.from(
  'especie,fecha,apertura,maximo,minimo,cierre,volumen\nGGAL,2026-11-16,1,3,1,2,10\nGGAL,2026-11-17,1,3,1,2,10\n',
);
const json = Buffer.from('[{"casa":"blue","compra":1,"venta":2,"fecha":"2026-11-16"}]');
const samples = [csv, json, gzipSync(csv), makeZip({ 'GGAL.csv': csv, 'b.json': json })];

/** A sample with some of its bytes changed, removed or repeated. */
const damaged = fc
  .record({
    sample: fc.constantFrom(...samples),
    edits: fc.array(
      fc.record({
        at: fc.nat(400),
        bytes: fc.oneof(
          fc.uint8Array({ maxLength: 4 }),
          fc
            .constantFrom('"', ',', '\n', '1e999', '-', '0', '{', ']', '9'.repeat(400), '\ufeff')
            .map((text) => new Uint8Array(Buffer.from(text))),
        ),
        removed: fc.nat(8),
      }),
      { maxLength: 6 },
    ),
  })
  .map(({ sample, edits }) => {
    let bytes: Uint8Array = sample;
    for (const { at, bytes: inserted, removed } of edits) {
      const place = at % (bytes.length + 1);
      bytes = Buffer.concat([bytes.subarray(0, place), inserted, bytes.subarray(place + removed)]);
    }
    return bytes;
  });

test('a file with any bytes is imported or refused, every close is counted, and every stored close is a number', async () => {
  await using rig = await ImportRig.open();
  let imported = 0;
  const input = fc.oneof(damaged, fc.uint8Array({ maxLength: 300 }));
  await fc.assert(
    fc.asyncProperty(input, async (stdin) => {
      const { summary } = await rig.import(['-'], { universe, stdin });
      if (summary.files[0]?.outcome === 'imported') imported += 1;
      const { read, added, changed, same, rejected } = summary.totals;
      assert.equal(read, added + changed + same + rejected);
      for (const close of (await rig.closes('GGAL')).values())
        assert.ok(close > 0 && close < Infinity);
    }),
    { numRuns: 300 },
  );
  assert.ok(imported > 10, `only ${imported} files were imported`);
});
