import { decodedPath, isPath } from './target.ts';
import type { Route } from './visit.ts';

/** The routes of one listener, by path. */
export class RouteTable {
  readonly #routes: ReadonlyMap<string, Route>;
  readonly #methods: readonly string[];
  readonly #basePath: string;

  constructor(routes: readonly Route[], basePath: string) {
    this.#basePath = basePath;
    this.#routes = new Map(routes.map((route) => [basePath + route.path, route]));
    this.#methods = [...new Set(routes.flatMap(methodsOf))];
  }

  get routes(): readonly Route[] {
    return [...this.#routes.values()];
  }

  /** The route of a path, whatever the method. */
  at(path: string): Route | undefined {
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
  methodsAt(path: string, method: string): readonly string[] | undefined {
    const route = this.at(path);
    if (route !== undefined) return methodsOf(route);
    return isPath(path) || this.#methods.includes(method) ? undefined : this.#methods;
  }
}

const methods = { GET: ['GET', 'HEAD'], POST: ['POST'] } as const;

/** The methods that a route answers. */
export function methodsOf({ method }: Route): readonly string[] {
  return methods[method];
}
