/** A database that nodes connect to: one server, or several of which one is writable. */
export interface ClusterDatabase extends AsyncDisposable {
  /** The ports of its servers, on 127.0.0.1. */
  readonly ports: readonly number[];
  /** The URL of the place over other ports, one for each server. */
  url(ports: readonly number[]): string;
}
