import type { Universe } from '../../domain/instruments/universe.ts';
import { bondWidgets } from './bond-widgets.ts';
import { dollarWidgets } from './dollar-widgets.ts';
import { tickerOptions } from './instrument-options.ts';
import { quoteWidgets } from './quote-widgets.ts';
import { indexWidgets, instrumentWidgets } from './series-widgets.ts';
import { preferred } from './widget-params.ts';
import type { Widget } from './widget.ts';

/**
 * The widgets of a universe by their ids, in the order of a list of them (contract 4.17). A widget whose options
 * would be empty is left out.
 */
export function widgetsOf(universe: Universe): Readonly<Record<string, Widget>> {
  const ticker = preferred(tickerOptions(universe.instruments), 'GGAL');
  return {
    ...quoteWidgets(universe),
    ...(ticker === undefined ? {} : instrumentWidgets(ticker)),
    ...dollarWidgets,
    ...bondWidgets(universe),
    ...indexWidgets,
  };
}
