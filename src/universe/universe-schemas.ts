import { panelCodes } from '../domain/instruments/panel.ts';
import type { JsonSchema } from '../lib/text/json-schema.ts';
import { derivationTypes } from './read-derived.ts';
import { weekdayNames } from './read-markets.ts';
import { panelSources } from './read-panels.ts';
import { timePattern } from './read-values.ts';

// The readers decide. These schemas refuse nothing that a reader accepts, and a test changes every place of
// the default files to show it. They do not know references: to calendars, panels, tickers and time zones.

/** A text. YAML makes a number or a word such as `true` of some texts. */
const text = { anyOf: [{ type: 'string', minLength: 1 }, { type: ['number', 'boolean'] }] };

const datePattern = '\\d{4}-\\d{2}-\\d{2}';
const date = { type: 'string', pattern: `^${datePattern}$` };
const time = { type: 'string', pattern: timePattern };

function record(properties: Readonly<Record<string, unknown>>, required: readonly string[]) {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** A map of any keys. */
function map(values: JsonSchema, keys: JsonSchema = { minLength: 1 }): JsonSchema {
  return { type: 'object', propertyNames: keys, additionalProperties: values };
}

function list(items: JsonSchema): JsonSchema {
  return { type: 'array', minItems: 1, items };
}

/** That a map has at most one of some keys. */
function atMostOne(keys: readonly string[]): JsonSchema {
  const pairs = keys.flatMap((one, index) => keys.slice(index + 1).map((other) => [one, other]));
  return { allOf: pairs.map((required) => ({ not: { required } })) };
}

const calendar = record(
  {
    extends: { ...text, description: 'A calendar above this one, whose days this one has too.' },
    holidays: { ...map(text, date), description: 'Days without a session, with their names.' },
    holidaysByName: {
      ...map({ type: 'string', pattern: `^${datePattern}(?:\\s+${datePattern})*$` }),
      description: 'The days of a holiday in many years, with white space between them.',
    },
    earlyCloses: { ...map(time, date), description: 'Days with an early close, with its time.' },
  },
  [],
);

const hours = { open: time, close: time };

const market = record(
  {
    name: text,
    timeZone: { type: 'string', pattern: '^[A-Za-z]', description: 'An IANA name.' },
    weekdays: list({ enum: weekdayNames }),
    hours: {
      type: 'array',
      minItems: 1,
      // The first hours apply from the beginning, the others from a day.
      items: [record(hours, ['open', 'close'])],
      additionalItems: record({ ...hours, since: date }, ['open', 'close', 'since']),
    },
    calendar: { ...text, description: 'The calendar of the days without a session.' },
    settlementCalendar: {
      ...text,
      description: 'The calendar of the days without settlement. By default, each session settles.',
    },
  },
  ['name', 'timeZone', 'weekdays', 'hours'],
);

const panel = {
  ...record(
    {
      name: text,
      of: { ...list({ enum: panelCodes }), description: 'The members of other panels.' },
      aliasOf: { enum: panelCodes, description: 'The members of another panel.' },
      members: { ...list(text), description: 'Tickers, in the order of the panel.' },
    },
    ['name'],
  ),
  ...atMostOne(panelSources),
};

/** BON is an alias of BONOS (contract 2.4). */
const bon = record({ name: text, aliasOf: { const: 'BONOS' } }, ['name', 'aliasOf']);

const factor = {
  anyOf: [
    { type: 'number', exclusiveMinimum: 0 },
    { type: 'string', pattern: '^(?!0*(?:\\.0*)?$)\\d+(?:\\.\\d+)?$' },
  ],
};

const derivation = {
  ...record(
    {
      ratio: record({ numerator: text, denominator: text }, ['numerator', 'denominator']),
      gap: record({ value: text, base: text }, ['value', 'base']),
      scaled: text,
      factors: {
        ...map(factor, date),
        minProperties: 1,
        description: 'Factors by the day from which they apply.',
      },
      alias: text,
    },
    [],
  ),
  oneOf: derivationTypes.map((type) => ({ required: [type] })),
  dependencies: { factors: ['scaled'], scaled: ['factors'] },
};

/** The JSON Schemas of the YAML files of a universe, by the name of the file. */
export const universeSchemas: Readonly<Record<string, JsonSchema>> = {
  'markets.yaml': {
    title: 'Markets of a universe of Pizarra',
    ...record({ calendars: map(calendar), markets: map(market) }, ['markets']),
  },
  'panels.yaml': {
    title: 'Panels of a universe of Pizarra',
    ...record(
      { ...Object.fromEntries(panelCodes.map((code) => [code, panel])), BON: bon },
      panelCodes,
    ),
  },
  'derived.yaml': {
    title: 'Derived instruments of a universe of Pizarra',
    ...record({ derived: map(derivation), direct: { type: 'array', items: text } }, ['derived']),
  },
};
