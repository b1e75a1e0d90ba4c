import { decodedPath } from './target.ts';

/** The name of the first segment, after the base path, of a path with a key. */
const prefixSegment = 'clave';

/** What the log shows in place of a key. */
const hiddenKey = '…';

/** A path with the prefix of keys: `/clave/KEY/cotizaciones`. */
interface KeyedPath {
  /** The text in the place of the key, which may be anything. */
  readonly key: string;
  /** The path after the key: `/cotizaciones`; `/` if nothing follows. */
  readonly path: string;
  /** The path with the prefix and without the key: `/clave/…/cotizaciones`. */
  readonly hidden: string;
}

/**
 * Splits a path that begins with the prefix of keys; undefined for any other path. A percent-encoded
 * prefix is one too, so that no spelling of it gets a key into a log.
 *
 * @param basePath precedes the prefix.
 */
export function readKeyedPath(path: string, basePath: string): KeyedPath | undefined {
  const start = `${basePath}/${prefixSegment}`;
  if (!path.includes('%') && !path.startsWith(start)) return undefined;
  const prefix = start.split('/');
  const segments = path.split('/');
  const hasPrefix = prefix.every((segment, at) => decodedPath(segments[at] ?? '') === segment);
  const key = segments[prefix.length];
  if (!hasPrefix || key === undefined) return undefined;
  const rest = `/${segments.slice(prefix.length + 1).join('/')}`;
  const hidden = `/${prefixSegment}/${hiddenKey}${withoutKeys(rest)}`;
  return { key: decodedPath(key), path: rest, hidden };
}

/** The beginning of a key, and all that may be the rest of it. A mistyped key reveals most of a key. */
const keyLike = /(pzc?_)[0-9A-Za-z]+/g;

/**
 * A path with each text that may be a key hidden. People paste keys into URLs by mistake, and the path
 * of a request is logged and shown.
 */
export function withoutKeys(path: string): string {
  if (!path.includes('%') && !path.includes('pz')) return path;
  const readable = plainText(path);
  const hidden = readable.replaceAll(keyLike, `$1${hiddenKey}`);
  // A path without a key stays as it was sent.
  return hidden === readable ? path : hidden;
}

/** An escape of an ASCII character, encoded any number of times. */
const escape = /%(?:25)*([0-7][\da-f])/gi;

/** The maximum number of times that a text is decoded. An escape may be a part of another one. */
const decodingsMax = 4;

/** A text with its escapes decoded, however often it was encoded, malformed ones beside them or not. */
function plainText(text: string): string {
  let plain = text;
  for (let count = 0; count < decodingsMax && plain.includes('%'); count += 1) {
    plain = plain.replaceAll(escape, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    );
  }
  return plain;
}
