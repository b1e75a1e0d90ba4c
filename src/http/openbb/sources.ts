import type { Universe } from '../../domain/instruments/universe.ts';
import { appsJson } from '../../wire/openbb/apps-body.ts';
import { widgetsOf } from '../../wire/openbb/widgets-body.ts';
import type { ContentSource } from '../content/content.ts';
import { fixedContent } from './fixed-content.ts';
import { widgetsEspecies } from './widgets-especies.ts';

/**
 * What OpenBB Workspace requests to show the data of a service: its widgets, an app of them, and the options of
 * their tickers (contract 4.17). They depend on the universe alone, so each is rendered once, when it is first
 * requested.
 */
export function openbbSources(universe: Universe): readonly ContentSource[] {
  return [
    fixedContent('/widgets.json', () => JSON.stringify(widgetsOf(universe))),
    fixedContent('/apps.json', () => appsJson(widgetsOf(universe))),
    widgetsEspecies(universe),
  ];
}
