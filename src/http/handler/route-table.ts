import { decodedPath, isPath, type PathMatch, type Route } from './request.ts';

/** The routes of one listener, by path. */
export class RouteTable {
  /** Whether keys in URLs are accepted (contract 5.5). */
  readonly acceptsUrlKeys: boolean;
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #methods: readonly string[];
  readonly #basePath: string;

  constructor(
    routes: readonly Route[],
    basePath: string,
    { urlKeys = false }: { readonly urlKeys?: boolean } = {},
  ) {
    this.#basePath = basePath;
    this.#routes = new Map(routes.map((route) => [basePath + route.path, route]));
    this.#methods = [...new Set(routes.flatMap(methodsOf))];
    this.acceptsUrlKeys = urlKeys;
  }

  get routes(): readonly Route[] {
    return [...this.#routes.values()];
  }

  /**
   * Finds what a path names. A path with the prefix of keys names what follows the prefix: this is the only
   * place that sees the key in a path. A path without it is found first, and costs one look-up.
   */
  find(sent: string): PathMatch {
    const at = this.#at(sent);
    if (at !== undefined) return { path: sent, at, hasKeyPrefix: false, urlKey: undefined };
    const keyed = readKeyedPath(sent, this.#basePath);
    if (keyed === undefined) {
      return { path: withoutKeys(sent), at: undefined, hasKeyPrefix: false, urlKey: undefined };
    }
    const path = this.#basePath + keyed.path;
    if (!this.acceptsUrlKeys) {
      const hidden = `${this.#basePath}${keyed.hidden}`;
      return { path: hidden, at: undefined, hasKeyPrefix: true, urlKey: undefined };
    }
    const route = this.#at(path);
    return {
      path: withoutKeys(path),
      at: route?.opensToUrlKeys === true ? route : undefined,
      hasKeyPrefix: true,
      urlKey: keyed.key,
    };
  }

  #at(path: string): Route | undefined {
    return this.#routes.get(path) ?? this.#routes.get(decodedPath(path));
  }

  /** The whole path of a route. */
  nameOf({ path }: Route): string {
    return this.#basePath + path;
  }

  /**
   * The methods of a path; undefined for a path that does not exist. A target that is no path names no
   * resource: there it is the methods of the listener, unless the method is one of them.
   */
  methodsAt(
    { path, at }: Pick<PathMatch, 'path' | 'at'>,
    method: string,
  ): readonly string[] | undefined {
    if (at !== undefined) return methodsOf(at);
    return isPath(path) || this.#methods.includes(method) ? undefined : this.#methods;
  }
}

const methods = { GET: ['GET', 'HEAD'], POST: ['POST'] } as const;

/** The methods that a route answers. */
export function methodsOf({ method }: Route): readonly string[] {
  return methods[method];
}

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
