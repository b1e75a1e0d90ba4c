import { decodedPath, isPath } from './target.ts';
import { readKeyedPath, withoutKeys } from './url-key.ts';
import type { Place, Route } from './visit.ts';

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
  find(sent: string): Place {
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
    { path, at }: Pick<Place, 'path' | 'at'>,
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
