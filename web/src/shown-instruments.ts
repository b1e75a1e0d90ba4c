import { hasPane } from './board/pane/pane-layout.ts';
import { alerts } from './market/alerts/stored-alerts.ts';
import type { Selection } from './market/stream/joined-selection.ts';
import { route } from './places/location.ts';
import { stripSelection } from './shell/strip/quote-strip.tsx';

/**
 * The instruments that the page shows: those of a panel and of the strip. Undefined for a page that needs more, such
 * as the siblings of one instrument, or the instruments of the alerts.
 */
export function shownInstruments(): readonly Selection[] | undefined {
  const place = route.value;
  if (place.page !== 'board' || place.view !== 'tabla' || place.currency !== undefined) {
    return undefined;
  }
  if (hasPane(place) || alerts.value.length > 0) return undefined;
  const panel = { panel: place.panel };
  const strip = stripSelection();
  return strip === undefined ? [panel] : [panel, strip];
}
