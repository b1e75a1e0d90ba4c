import type { PushResult, PushedBody } from '../../domain/quotes/push-report.ts';
import type { Readiness } from '../../http/private/readyz.ts';
import type { Store } from '../../store/contract/store.ts';
import type { Listeners, ServedSite } from '../listeners/open-listeners.ts';
import type { KnownKeys } from '../keys/keep-keys.ts';
import type { MeasuredSite } from '../metrics/metrics.ts';
import type { ReloadReport, ServedParts } from './reload.ts';

/** What the listeners of this process serve. Disposing it drains the public listener first. */
export interface RunningNode extends AsyncDisposable {
  /** URL of the public listener, base path included. */
  readonly url: string;
  readonly isSimulated: boolean;
  /** What the metrics and the readiness measure. */
  readonly measured: MeasuredSite;
  /** Further checks for `/readyz`. */
  readonly checks: Readiness;

  /** Applies the updates of a body to the market, if this process runs it. */
  push(body: PushedBody): Promise<PushResult>;

  /**
   * Applies the changes of an operator.
   *
   * @throws StoreFault when the new market cannot be opened. Then nothing changes.
   */
  reload(configured: ServedParts): Promise<ReloadReport>;

  /** Hands over to other nodes, and drains the public listener. The boards stay until this is disposed. */
  closeListeners(): Promise<void>;
}

/**
 * How the roles of writing and serving are spread over processes and machines. Disposing it closes the
 * store and releases the claim.
 */
export interface Arrangement extends AsyncDisposable {
  readonly store: Pick<Store, 'keys' | 'hints'>;
  /** The keys to start with while the store cannot be read. */
  readonly knownKeys?: KnownKeys | undefined;
  /** Opens what is served, with listeners for it. */
  serve(listenersOf: (first: ServedSite) => Promise<Listeners>): Promise<RunningNode>;
}
