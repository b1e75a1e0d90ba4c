import type { Instrument } from '../../domain/instruments/instrument.ts';
import { operation } from '../operation.ts';
import { optionalPanel } from '../parts.ts';

/** The paths whose bodies depend on the universe and the settings alone. */

/** The list of instruments (contract 4.3). */
export const especiesTxt = operation({
  path: '/especies.txt',
  clause: '4.3',
  params: { panel: optionalPanel },
});

/** The body of `/especies.txt`: one ticker per line, in the order given, with a final newline (contract 4.3.1). */
export function listText(instruments: readonly Instrument[]): string {
  return instruments.map(({ ticker }) => `${ticker}\n`).join('');
}

/** What OpenBB Workspace requests to show the data of a service (contract 4.17): its widgets, and an app of them. */
export const widgetsJson = operation({ path: '/widgets.json', clause: '4.17', params: {} });
export const appsJson = operation({ path: '/apps.json', clause: '4.17', params: {} });

/** The options of a ticker: all instruments, or the members of a panel (contract 4.17.5). */
export const tickerOptions = operation({
  path: '/widgets/especies.json',
  clause: '4.17',
  params: { panel: optionalPanel },
});

/** This contract, for programs. */
export const openapiJson = operation({ path: '/openapi.json', clause: '4.4', params: {} });
