import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';

import { Ajv } from 'ajv';
import { parse, stringify } from 'yaml';

import { readDerived } from './read-derived.ts';
import { readInstruments } from './read-instruments.ts';
import { readMarkets } from './read-markets.ts';
import { readPanels } from './read-panels.ts';
import type { UniverseFault } from './files/universe-fault.ts';
import { universeSchemas } from './universe-schemas.ts';

const directory = resolve(import.meta.dirname, '../../universe');
const original = (file: string): string => readFileSync(resolve(directory, file), 'utf8');

const { codes } = readMarkets({ file: 'markets.yaml', text: original('markets.yaml') });
const { rules } = readPanels({ file: 'panels.yaml', text: original('panels.yaml') });
const instruments = readInstruments(
  { file: 'instruments.csv', text: original('instruments.csv') },
  { markets: codes, panels: rules },
);

const readers: Readonly<Record<string, (text: string) => readonly UniverseFault[]>> = {
  'markets.yaml': (text) => readMarkets({ file: 'markets.yaml', text }).faults,
  'panels.yaml': (text) => readPanels({ file: 'panels.yaml', text }).faults,
  'derived.yaml': (text) => readDerived({ file: 'derived.yaml', text }, instruments).faults,
};

/** What only a reader can tell: references, days that do not exist, and the order of times. */
const ofReaders = [
  /^unknown (?:calendar|time zone|ticker)/,
  /not a valid date/,
  /the close must be after the open/,
  /a "since" that is later/,
  /not open at this time/,
  /cannot close early/,
  /must not have "of" or "aliasOf"/,
  /is an alias itself/,
  /no derivation; remove it/,
  /cannot be derived from itself/,
  /circle|circular/,
  /instruments\.csv/,
];

/** What an edit may put at any place. A key without a value is null. */
const odd: readonly unknown[] = [
  null,
  '',
  'x',
  0,
  -1,
  1.5,
  true,
  '11:00',
  '25:00',
  '24:30',
  '2026-02-30',
  '2026-01-05',
  '2026-01-05 2026-01-06',
  'mon',
  'LID',
  [],
  ['x'],
  ['LID'],
  {},
  { x: 'y' },
];

type Place = readonly (string | number)[];

function placesIn(value: unknown, place: Place = []): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [place];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [place, ...entries.flatMap(([key, one]) => placesIn(one, [...place, key]))];
}

/** A document with two days of each list of days, and three of its markets. They stand for the others. */
function shortened(value: unknown, key = ''): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, shortened(one, name)] as const);
  const max = /^(?:holidays|earlyCloses)/.test(key) ? 2 : key === 'markets' ? 3 : entries.length;
  return Object.fromEntries(entries.slice(0, max));
}

/** A copy of a document with another value at a place; without one, the place is removed. */
function changed(document: unknown, place: Place, ...put: readonly unknown[]): unknown {
  const [step, ...rest] = place;
  if (step === undefined) return put[0];
  const copy = (Array.isArray(document) ? [...document] : { ...(document as object) }) as Record<
    string | number,
    unknown
  >;
  if (rest.length > 0) copy[step] = changed(copy[step], rest, ...put);
  else if (put.length > 0) copy[step] = put[0];
  else if (Array.isArray(copy)) copy.splice(Number(step), 1);
  else Reflect.deleteProperty(copy, step);
  return copy;
}

for (const [file, schema] of Object.entries(universeSchemas)) {
  const validate = new Ajv({
    allErrors: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
  }).compile(schema);
  const read = readers[file] ?? assert.fail(file);
  const document: unknown = parse(original(file));

  test(`the schema of ${file} accepts the default file`, () => {
    assert.ok(validate(document), JSON.stringify(validate.errors));
  });

  test(`the schema of ${file} agrees with its reader after a change at any place`, () => {
    let [accepted, refused, byReader] = [0, 0, 0];
    const short = shortened(document);
    for (const place of placesIn(short)) {
      const changes = [
        changed(short, place),
        ...odd.map((value) => changed(short, place, value)),
        changed(short, [...place, 'unknownKey'], 'x'),
      ];
      for (const one of place.length === 0 ? changes.slice(1) : changes) {
        if (typeof one !== 'object' || one === null) continue;
        const text = stringify(one, { nullStr: '' });
        const faults = read(text).map(({ message }) => message);
        const isValid = validate(parse(text));
        const where = `${place.join('.')} in\n${text.slice(0, 400)}`;
        if (faults.length === 0) {
          assert.ok(isValid, `${where}\n${JSON.stringify(validate.errors?.slice(0, 3))}`);
          accepted += 1;
        } else if (!isValid) {
          refused += 1;
        } else {
          const unexpected = faults.filter(
            (fault) => !ofReaders.some((known) => known.test(fault)),
          );
          assert.deepEqual(unexpected, [], where);
          byReader += 1;
        }
      }
    }
    assert.ok(accepted > 20 && refused > 200, `${accepted}, ${refused}, ${byReader}`);
  });
}
