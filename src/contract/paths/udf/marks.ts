import { fromEpochDay } from '../../../domain/calendar/plain-date.ts';
import type {
  ActionType,
  CorporateAction,
  FactorAction,
} from '../../../domain/history/corporate-action.ts';
import type { Instrument, InstrumentKind } from '../../../domain/instruments/instrument.ts';
import { withoutBinaryError } from '../../../domain/values/rounding.ts';
import { actionNames, inEventOrder } from '../../../wire/texts/action-names.ts';
import { operation } from '../../operation.ts';
import { secondsPerDay } from './history.ts';
import { clause, second, symbol } from './parts.ts';

/** The corporate actions of an instrument as marks on the time scale (contract 4.15.10). */
export const timescaleMarks = operation({
  path: '/udf/timescale_marks',
  clause,
  params: {
    symbol,
    /** Both instants are included. */
    from: second('from', { es: 'Primer instante, en segundos desde 1970.' }),
    to: second('to', { es: 'Último instante, en segundos desde 1970.' }),
  },
});

/** The color of each type of action on the time scale, and its letter. */
const signs: Readonly<Record<ActionType, { readonly color: string; readonly label: string }>> = {
  split: { color: 'blue', label: 'S' },
  'stock-dividend': { color: 'blue', label: 'A' },
  'cash-dividend': { color: 'green', label: 'D' },
  'ratio-change': { color: 'yellow', label: 'R' },
  'rights-issue': { color: 'blue', label: 'P' },
  'spin-off': { color: 'blue', label: 'E' },
  'ticker-change': { color: 'yellow', label: 'T' },
};

/** What one unit of an instrument is called. Other kinds have units. */
const unitNames: Readonly<Partial<Record<InstrumentKind, string>>> = {
  share: 'acción',
  cedear: 'CEDEAR',
  adr: 'ADR',
  etf: 'cuotaparte',
};

/** The body of `/udf/timescale_marks` (contract 4.15.10): the actions of an instrument, ascending by date. */
export function marksJson(instrument: Instrument, actions: readonly CorporateAction[]): string {
  return JSON.stringify(
    inEventOrder(actions).map((action) => ({
      id: `${action.ticker}-${fromEpochDay(action.exDay)}-${actionNames[action.type]}`,
      time: action.exDay * secondsPerDay,
      ...signs[action.type],
      tooltip: [tooltipOf(action, unitNames[instrument.kind] ?? 'unidad')],
    })),
  );
}

function tooltipOf(action: CorporateAction, unit: string): string {
  switch (action.type) {
    case 'split':
      return `Split: ${proportion(action)}`;
    case 'stock-dividend':
      return `Dividendo en acciones: ${decimal((action.factor - 1) * 100)} %`;
    case 'ratio-change':
      return `Cambio de ratio: ${proportion(action)}`;
    case 'rights-issue':
      return `Derechos de suscripción: factor ${decimal(action.factor)}`;
    case 'spin-off':
      return `Escisión: factor ${decimal(action.factor)}`;
    case 'cash-dividend':
      return `Dividendo: ${decimal(action.amount)} ${action.currency} por ${unit}`;
    case 'ticker-change':
      return `Cambio de ticker: de ${action.ticker} a ${action.newTicker}`;
  }
}

/** How many new units are how many old ones. A reverse split is one of so many. */
function proportion({ factor }: FactorAction): string {
  return factor < 1 ? `1 por ${decimal(1 / factor)}` : `${decimal(factor)} por 1`;
}

/** Made when it is needed, because the first use of `Intl` takes 6 MiB and 9 ms. */
let spanish: Intl.NumberFormat | undefined;

function decimal(value: number): string {
  spanish ??= new Intl.NumberFormat('es-AR', { maximumFractionDigits: 8 });
  return spanish.format(withoutBinaryError(value));
}
