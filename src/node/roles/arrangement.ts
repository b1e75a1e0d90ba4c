import type { PushedBody, PushResult } from '../../domain/quotes/push-report.ts';
import type { Readiness } from '../../http/private/table.ts';
import type { Store } from '../../store/contract/store.ts';
import type { Listeners, ServedSite } from '../listeners/open-listeners.ts';
import type { MeasuredSite } from '../metrics/metrics.ts';
import { reloadSettings, type SettingName } from '../../config/settings/settings.ts';
import { compareUniverses, type UniverseChanges } from '../../universe/compare-universes.ts';
import type { SiteParts } from '../site/open-site.ts';

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
  /** Opens what is served, with listeners for it. */
  serve(listenersOf: (first: ServedSite) => Promise<Listeners>): Promise<RunningNode>;
}

/** The parts of a site that do not depend on the holder of the claim. */
export type ServedParts = Omit<SiteParts, 'claim' | 'onFenced' | 'onQuotes' | 'firstVersion'>;

/** The changes of a reload. */
export interface ReloadReport {
  readonly universe: UniverseChanges;
  readonly settings: readonly SettingName[];
  /** Changed settings whose new value applies after a restart. */
  readonly needRestart: readonly SettingName[];
}

/** What is in force after a reload of the configuration, and the changes. */
export function reloadedParts<Parts extends ServedParts>(
  current: Parts,
  configured: ServedParts,
): { readonly parts: Parts; readonly report: ReloadReport } {
  const { settings, changed, needRestart } = reloadSettings(current.settings, configured.settings);
  const universe = compareUniverses(current.universe, configured.universe);
  return {
    parts: { ...current, ...configured, settings },
    report: { universe, settings: changed, needRestart },
  };
}
