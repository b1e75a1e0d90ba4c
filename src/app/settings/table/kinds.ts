import { addressRanges } from '../../../lib/address-ranges.ts';
import type { SettingKind } from './setting.ts';

/** Any text but the empty one. */
export function text(placeholder: string): SettingKind<string> {
  return {
    placeholder,
    valid: 'a text that is not empty',
    parse: (value) => (value === '' ? undefined : value),
  };
}

/** The path of a directory. */
export function directory(): SettingKind<string> {
  return { ...text('DIR'), valid: 'a path' };
}

/** The path of a directory; empty for none. */
export function optionalDirectory(): SettingKind<string> {
  return {
    placeholder: 'DIR',
    valid: 'empty, or a path',
    parse: (value) => (/[\r\n]/.test(value) ? undefined : value),
  };
}

/** A directory, or the URL of a PostgreSQL database. Its parts are checked when it is opened. */
export function place(): SettingKind<string> {
  return {
    placeholder: 'PLACE',
    valid: 'a path, or a URL such as postgres://pizarra@db.example/pizarra',
    parse: (value) => {
      const isOtherUrl = /^(?!postgres(?:ql)?:)[a-z][a-z0-9+.-]*:\/\//i.test(value);
      return value === '' || /[\r\n]/.test(value) || isOtherUrl ? undefined : value;
    },
  };
}

/** The path of a file; empty for none. The content of a PEM file in its place is refused. */
export function pemFile(): SettingKind<string> {
  return {
    placeholder: 'FILE',
    valid: 'empty, or the path of a PEM file',
    parse: (value) => (/-----BEGIN|[\r\n]/.test(value) ? undefined : value),
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
  };
}

/** A number of processes, or `auto`. */
export function processes(max: number): SettingKind<number | 'auto'> {
  const count = integer('N', { min: 1, max });
  return {
    ...count,
    valid: `auto, or ${count.valid}`,
    words: ['auto'],
    parse: (value) => (value === 'auto' ? value : count.parse(value)),
  };
}

/** One of some words. */
export function oneOf<const T extends string>(values: readonly T[]): SettingKind<T> {
  return {
    placeholder: 'WORD',
    valid: `one of ${values.join(', ')}`,
    words: values,
    parse: (value) => values.find((one) => one === value),
  };
}

/** The start of the path of a URL; empty for none. */
export function basePath(): SettingKind<string> {
  return {
    placeholder: 'PATH',
    valid: 'empty, or segments of letters, digits, dots, dashes and underscores, such as /v5',
    parse: (value) => (/^(?:\/[\w.-]+)*$/.test(value) ? value : undefined),
  };
}

/** IP addresses and ranges of them. */
export function addresses(): SettingKind<readonly string[]> {
  return {
    placeholder: 'ADDRS',
    valid: 'addresses and ranges, comma-separated, such as 10.0.0.7,192.168.0.0/16',
    parse: (value) => (addressRanges(listOf(value)) === undefined ? undefined : listOf(value)),
  };
}

/** Origins of web pages (RFC 6454). */
export function origins(): SettingKind<readonly string[]> {
  return {
    placeholder: 'ORIGINS',
    valid: 'origins, comma-separated, such as https://desk.example,http://localhost:5173',
    parse: (value) => (listOf(value).every(isOrigin) ? listOf(value) : undefined),
  };
}

function isOrigin(value: string): boolean {
  return URL.canParse(value) && new URL(value).origin === value;
}

/** The items of a comma-separated list. Spaces around an item do not count. */
function listOf(value: string): readonly string[] {
  return value.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));
}
