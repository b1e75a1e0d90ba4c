import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { PanelCode } from '../../domain/instruments/panel.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { panelNames } from './choice-names.ts';
import type { WidgetOption } from './widget.ts';

/** The panels of a universe that a condition selects, in the order of the contract. */
export function panelOptions(
  universe: Universe,
  isOption: (code: PanelCode, members: readonly Instrument[]) => boolean,
): readonly WidgetOption[] {
  const codes = Object.keys(panelNames) as readonly (keyof typeof panelNames)[];
  return codes
    .filter((code) => isOption(code, universe.listOf(code)))
    .map((code) => ({ label: panelNames[code], value: code }));
}

/** Instruments as the options of a ticker. People know an instrument by its ticker or by its name. */
export function tickerOptions(instruments: readonly Instrument[]): readonly WidgetOption[] {
  return instruments.map(({ ticker, name }) => ({
    label: name === ticker ? ticker : `${ticker} · ${name}`,
    value: ticker,
  }));
}
