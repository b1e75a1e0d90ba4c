import type { MarketState } from '../domain/market-state.ts';
import { instantText } from '../lib/instant-text.ts';
import { stateNames } from './market-body.ts';

/** The state that `/healthz` reports. */
export interface Health {
  /** The service's time, in epoch milliseconds. While a recording is replayed, the recording's. */
  readonly now: number;
  /** Random id of the running service: new at every start, equal in all its processes. */
  readonly instance: string;
  readonly markets: readonly MarketState[];
  /** Whether the prices are simulated. */
  readonly isSimulated: boolean;
  /** Time since the store last confirmed the quotes, in milliseconds. Absent where they are not replicated. */
  readonly dataAgeMs?: number | undefined;
  /** Whether another node reads the store, and this one cannot. The response is then 503. */
  readonly isBehind?: boolean | undefined;
}

/** The body of `/healthz`, as JSON. */
export function healthJson({
  now,
  instance,
  markets,
  isSimulated,
  dataAgeMs,
  isBehind = false,
}: Health): string {
  return JSON.stringify({
    estado: isBehind ? 'atrasado' : 'ok',
    instancia: instance,
    datos: isSimulated ? 'simulados' : 'reales',
    ahora: instantText(now),
    ...(dataAgeMs === undefined ? {} : { edadMs: Math.round(dataAgeMs) }),
    mercados: markets.map(({ code, name, state, sessionDate, changesAt }) => ({
      codigo: code,
      nombre: name,
      estado: stateNames[state],
      rueda: sessionDate,
      cambia: instantText(changesAt),
    })),
  });
}
