import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { readBonds } from './bonds/read-bonds.ts';
import { composePanels } from './load-universe.ts';
import { decodeText, formatUniverseFaults, type UniverseFault } from './files/universe-fault.ts';
import { readDerived } from './read-derived.ts';
import { readInstruments } from './read-instruments.ts';
import { readMarkets } from './read-markets.ts';
import { readPanels } from './read-panels.ts';

const directory = resolve(import.meta.dirname, '../../universe');
const original = (file: string) => readFileSync(resolve(directory, file), 'utf8');
const header = original('instruments.csv').split('\n').slice(0, 12).join('\n');
const files = {
  instruments: `${header}\nAL30,a,bond,BYMA,ARS,,,BONOS,,\n`,
  markets: original('markets.yaml').replace(/ {6}202\d-\d\d-(?!01).*\n/g, ''),
  panels: original('panels.yaml'),
  derived: original('derived.yaml'),
  bonds: `especie,emision,vencimiento,moneda,frecuencia,primer_cupon,tasa,base,amortizacion
AL30,2020-09-04,2030-07-09,USD,6,2021-07-09,2020-09-04=0.125;2021-07-09=0.5,30/360,2024-07-09=4;2025-01-09/2030-07-09=8
`,
};

/** Replaces a piece of a text by another piece, as an accidental edit does. */
const edit = fc.record({
  at: fc.nat(),
  length: fc.nat({ max: 12 }),
  put: fc.oneof(
    fc.constantFrom('"', ':', ' ', '\n', ';', ',', '{', '}', '[', ']', '&a', '*a', '- ', '\t', '#'),
    fc.string({ maxLength: 6 }),
  ),
});

function spoil(text: string, edits: readonly { at: number; length: number; put: string }[]) {
  let spoiled = text;
  for (const { at, length, put } of edits) {
    const start = at % (spoiled.length + 1);
    spoiled = spoiled.slice(0, start) + put + spoiled.slice(start + length);
  }
  return spoiled;
}

function readAll(texts: typeof files): readonly UniverseFault[] {
  const markets = readMarkets({ file: 'markets.yaml', text: texts.markets });
  const panels = readPanels({ file: 'panels.yaml', text: texts.panels });
  const instruments = readInstruments(
    { file: 'instruments.csv', text: texts.instruments },
    { markets: markets.codes, panels: panels.rules },
  );
  const composed = composePanels(panels.rules, instruments);
  const derived = readDerived({ file: 'derived.yaml', text: texts.derived }, instruments);
  const bonds = readBonds({ file: 'bonds.csv', text: texts.bonds }, instruments);
  return [markets, panels, instruments, composed, derived, bonds].flatMap(({ faults }) => faults);
}

test('any accidental edit of a file gives a universe or faults with positions', () => {
  const names = Object.keys(files) as (keyof typeof files)[];
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.array(edit, { minLength: 1, maxLength: 3 }),
      (name, edits) => {
        const text = spoil(files[name], edits);
        const lines = text.split('\n').length;
        const faults = readAll({ ...files, [name]: text });
        for (const fault of faults.filter(({ file }) => file.startsWith(name))) {
          assert.ok(fault.line >= 1 && fault.line <= lines, JSON.stringify(fault));
          assert.ok(fault.column >= 0, JSON.stringify(fault));
          assert.notEqual(fault.message, '');
        }
        const formatted = formatUniverseFaults(faults);
        assert.equal(formatted === '' ? 0 : formatted.split('\n').length, faults.length);
      },
    ),
    { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 100) },
  );
});

test('any bytes are decoded, or refused with a line number', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const faults: UniverseFault[] = [];
      const text = decodeText('x', bytes, faults);
      if (text === undefined) assert.ok((faults[0]?.line ?? 0) >= 1);
      else assert.ok(!text.includes('\r') && faults.length === 0);
    }),
  );
});
