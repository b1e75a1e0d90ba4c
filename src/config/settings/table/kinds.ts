import { addressRanges } from '../../../lib/network/address-ranges.ts';
import { caseless, rangePattern, type JsonSchema } from '../../../lib/text/json-schema.ts';
import type { SettingKind } from './setting.ts';

/** Texts of a pattern. A number or a word such as `true` without quotes is a text, too. */
function texts(pattern: string): JsonSchema {
  return { anyOf: [{ type: 'string', pattern }, { type: ['number', 'boolean'] }] };
}

/** The values whose text matches a pattern. */
function matching(pattern: string): (value: string) => string | undefined {
  const expression = new RegExp(pattern, 'u');
  return (value) => (expression.test(value) ? value : undefined);
}

/** Any text but the empty one. */
export function text(placeholder: string): SettingKind<string> {
  return {
    placeholder,
    valid: 'a text that is not empty',
    parse: (value) => (value === '' ? undefined : value),
    schema: texts('^[\\s\\S]+$'),
  };
}

/** The path of a directory. */
export function directory(): SettingKind<string> {
  return { ...text('DIR'), valid: 'a path' };
}

/** A directory, or the URL of a PostgreSQL database. Its parts are checked when it is opened. */
export function place(): SettingKind<string> {
  // One line, and no URL of another scheme.
  const postgres = `${caseless('postgres')}(?:${caseless('ql')})?:`;
  const pattern = `^(?!(?!${postgres})[a-zA-Z][a-zA-Z0-9+.-]*://)[^\\r\\n]+$`;
  return {
    placeholder: 'PLACE',
    valid: 'a path, or a URL such as postgres://pizarra@db.example/pizarra',
    parse: matching(pattern),
    schema: texts(pattern),
  };
}

/** The path of a file; empty for none. The content of a PEM file in its place is refused. */
export function pemFile(): SettingKind<string> {
  const pattern = '^(?![^\\r\\n]*-----BEGIN)[^\\r\\n]*$';
  return {
    placeholder: 'FILE',
    valid: 'empty, or the path of a PEM file',
    parse: matching(pattern),
    schema: texts(pattern),
  };
}

/** A whole number within bounds, both included. */
export function integer(
  placeholder: string,
  { min, max }: { readonly min: number; readonly max: number },
): SettingKind<number> {
  return {
    placeholder,
    valid: `a whole number from ${min} to ${max}`,
    parse: (value) => {
      const number = Number(value);
      return /^\d+$/.test(value) && number >= min && number <= max ? number : undefined;
    },
    schema: {
      anyOf: [
        { type: 'integer', minimum: min, maximum: max },
        { type: 'string', pattern: rangePattern(min, max) },
      ],
    },
  };
}

/** A number of processes, or `auto`. */
export function processes(max: number): SettingKind<number | 'auto'> {
  const count = integer('N', { min: 1, max });
  return {
    ...count,
    valid: `auto, or ${count.valid}`,
    words: ['auto'],
    schema: { anyOf: [{ const: 'auto' }, count.schema] },
    parse: (value) => (value === 'auto' ? value : count.parse(value)),
  };
}

/** One of some words. */
export function oneOf<const T extends string>(values: readonly T[]): SettingKind<T> {
  return {
    placeholder: 'WORD',
    valid: `one of ${values.join(', ')}`,
    words: values,
    schema: { enum: values },
    parse: (value) => values.find((one) => one === value),
  };
}

/** On or off. YAML and other files write it as a boolean, too. */
export function onOff(): SettingKind<'on' | 'off'> {
  const states = { on: 'on', true: 'on', off: 'off', false: 'off' } as const;
  return {
    placeholder: 'WORD',
    valid: 'on or off',
    words: ['off', 'on'],
    schema: { enum: ['off', 'on', 'false', 'true', false, true] },
    parse: (value) =>
      Object.hasOwn(states, value) ? states[value as keyof typeof states] : undefined,
  };
}

/** The origin of a URL, without a path; empty for none. An address that stands for all addresses is refused. */
export function optionalOrigin(): SettingKind<string> {
  const hosts = '(?:[A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+\\])';
  const pattern = `^(?:https?://(?!0\\.0\\.0\\.0(?:[:/]|$)|\\[::\\])${hosts}(?::[1-9]\\d{0,4})?/?)?$`;
  return {
    placeholder: 'URL',
    valid: 'empty, or a URL without a path, such as https://node1.example:8443',
    schema: { type: 'string', pattern },
    parse: (value) => {
      if (!new RegExp(pattern).test(value)) return undefined;
      if (value === '') return value;
      return URL.canParse(value) ? new URL(value).origin : undefined;
    },
  };
}

/** The start of the path of a URL; empty for none. */
export function basePath(): SettingKind<string> {
  const pattern = '^(?:/[\\w.-]+)*$';
  return {
    placeholder: 'PATH',
    valid: 'empty, or segments of letters, digits, dots, dashes and underscores, such as /v5',
    parse: matching(pattern),
    schema: { type: 'string', pattern },
  };
}

/** IP addresses and ranges of them. */
export function addresses(): SettingKind<readonly string[]> {
  return {
    placeholder: 'ADDRS',
    valid: 'addresses and ranges, comma-separated, such as 10.0.0.7,192.168.0.0/16',
    parse: (value) => (addressRanges(listOf(value)) === undefined ? undefined : listOf(value)),
    schema: { type: 'string', pattern: '^[0-9a-fA-F:./,\\s]*$' },
  };
}

/** Origins of web pages (RFC 6454). */
export function origins(): SettingKind<readonly string[]> {
  return {
    placeholder: 'ORIGINS',
    valid: 'origins, comma-separated, such as https://desk.example,http://localhost:5173',
    parse: (value) => (listOf(value).every(isOrigin) ? listOf(value) : undefined),
    schema: { type: 'string' },
  };
}

function isOrigin(value: string): boolean {
  return URL.canParse(value) && new URL(value).origin === value;
}

/** The items of a comma-separated list. Spaces around an item do not count. */
function listOf(value: string): readonly string[] {
  return value.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));
}
