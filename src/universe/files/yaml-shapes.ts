import type { Node } from 'yaml';
import { parseMinute } from '../../domain/calendar/market.ts';
import { parsePlainDate, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { JsonSchema } from '../../lib/text/json-schema.ts';
import type { YamlEntry, YamlFile } from './yaml-file.ts';
import { noDate } from './universe-fault.ts';

/**
 * A part of a YAML file: how it is read, and its JSON Schema. The schema refuses nothing that is read. It does not
 * know references: to calendars, panels, tickers and time zones.
 */
export interface Shape<T> {
  readonly schema: JsonSchema;
  /**
   * Reads a node. Undefined after a fault, which is recorded.
   *
   * @param key the key of the node in the map that contains it.
   */
  read(yaml: YamlFile, node: Node | null, key: string): T | undefined;
}

/** A text. YAML makes a number or a word such as `true` of some texts. */
const anyText = { anyOf: [{ type: 'string', minLength: 1 }, { type: ['number', 'boolean'] }] };

export function text(what: string, schema: JsonSchema = anyText): Shape<string> {
  return { schema, read: (yaml, node) => yaml.text(node, what) };
}

/** A text with a meaning. `parse` gives undefined for a text without one, which is a fault with this message. */
export function parsed<T>(
  what: string,
  parse: (text: string) => T | undefined,
  message: string,
  schema: JsonSchema = anyText,
): Shape<T> {
  return {
    schema,
    read(yaml, node) {
      const written = yaml.text(node, what);
      const value = written === undefined ? undefined : parse(written);
      if (written !== undefined && value === undefined) yaml.fault(node, message);
      return value;
    },
  };
}

/** One of a few words. */
export function choice<T extends string>(
  what: string,
  words: readonly T[],
  message: string,
): Shape<T> {
  return parsed(what, (written) => words.find((one) => one === written), message, { enum: words });
}

/** A part that the caller reads, after another one to which it refers. */
export function later(schema: JsonSchema): Shape<Node | null> {
  return { schema, read: (_, node) => node };
}

const datePattern = String.raw`\d{4}-\d{2}-\d{2}`;

export const date = parsed('a date', parsePlainDate, noDate, {
  type: 'string',
  pattern: `^${datePattern}$`,
});

/** Dates with white space between them. */
export const dates: Shape<readonly PlainDate[]> = {
  schema: { type: 'string', pattern: String.raw`^${datePattern}(?:\s+${datePattern})*$` },
  read(yaml, node) {
    const texts = yaml.text(node, 'a list of dates')?.split(/\s+/) ?? [];
    return texts.flatMap((one) => {
      const day = parsePlainDate(one);
      if (day === undefined) yaml.fault(node, noDate, one);
      return day ?? [];
    });
  },
};

/** A time of day, as minutes since midnight. */
export const minute = parsed(
  'a time',
  parseMinute,
  'not a valid time; use HH:MM, from 00:00 to 24:00',
  { type: 'string', pattern: String.raw`^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$` },
);

/** A list of at least one item. */
export function list<T>(what: string, item: Shape<T>): Shape<readonly T[]> {
  return {
    schema: { type: 'array', minItems: 1, items: item.schema },
    read: (yaml, node) => yaml.items(node, what).flatMap((one) => item.read(yaml, one, '') ?? []),
  };
}

/** An entry of a map with its value. */
interface MapEntry<T> extends YamlEntry {
  readonly read: T;
}

export function mapSchema(values: JsonSchema, keys: JsonSchema = { minLength: 1 }): JsonSchema {
  return { type: 'object', propertyNames: keys, additionalProperties: values };
}

/** A map with any keys. An entry with a fault is left out. */
export function map<T>(what: string, value: Shape<T>): Shape<readonly MapEntry<T>[]> {
  return {
    schema: mapSchema(value.schema),
    read: (yaml, node) =>
      yaml.entries(node, what).flatMap((entry) => {
        const read = value.read(yaml, entry.value, entry.key);
        return read === undefined ? [] : [{ ...entry, read }];
      }),
  };
}

/** A map whose keys are dates. */
export function byDate<T>(
  what: string,
  value: Shape<T>,
): Shape<readonly (MapEntry<T> & { readonly date: PlainDate })[]> {
  return {
    schema: mapSchema(value.schema, date.schema),
    read: (yaml, node) =>
      map(what, value)
        .read(yaml, node, '')
        ?.flatMap((entry) => {
          const day = parsePlainDate(entry.key);
          if (day === undefined) yaml.fault(entry.keyNode, noDate);
          return day === undefined ? [] : [{ ...entry, date: day }];
        }),
  };
}

/** What is read of a shape. */
export type ReadOf<S> = S extends Shape<infer T> ? T : never;

/** The fields of a record that the file has. One with a fault is undefined. */
type Fields<Shapes> = { readonly [Name in keyof Shapes]?: ReadOf<Shapes[Name]> | undefined };

/** A map with known keys. `what` may depend on the key of the record itself. */
export function record<const Shapes extends Readonly<Record<string, Shape<unknown>>>>(
  what: string | ((key: string) => string),
  shapes: Shapes,
  required: readonly (keyof Shapes & string)[],
  descriptions: { readonly [Name in keyof Shapes]?: string } = {},
): Shape<Fields<Shapes>> {
  const optional = Object.keys(shapes).filter((name) => !required.includes(name));
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(shapes).map(([name, { schema }]) => {
          const description = descriptions[name];
          return [name, { ...schema, ...(description !== undefined && { description }) }];
        }),
      ),
      required,
      additionalProperties: false,
    },
    read(yaml, node, key) {
      const name = typeof what === 'string' ? what : what(key);
      const fields = yaml.fields(node, name, { required, optional });
      if (!yaml.isMap(node)) return undefined;
      const values = Array.from(fields, ([one, { value }]): [string, unknown] => [
        one,
        shapes[one]?.read(yaml, value, one),
      ]);
      return Object.fromEntries(values) as Fields<Shapes>;
    },
  };
}
