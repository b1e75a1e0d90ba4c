import { reloadSettings, type SettingName } from '../../config/settings/settings.ts';
import { compareUniverses, type UniverseChanges } from '../../universe/compare-universes.ts';
import type { SiteParts } from '../site/open-site.ts';

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
