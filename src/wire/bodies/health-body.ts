import type { MarketSchedule } from '../../domain/calendar/market-schedule.ts';
import type { FaultReason } from '../../domain/values/fault-reason.ts';
import type { SourcesState, StaleSource } from '../../domain/quotes/sources-state.ts';
import type { MarketState } from '../../domain/calendar/market-state.ts';
import { instantText } from '../../lib/time/instant-text.ts';

/** The names of the states in the public contract. */
export const stateNames: Readonly<Record<MarketSchedule['state'], string>> = {
  open: 'abierto',
  closed: 'cerrado',
};

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
  /** Absent where the node does not know it. */
  readonly sources?: SourcesState | undefined;
}

/** The reasons of an outage of all sources, as clients read them. */
const outageNames: Readonly<Record<FaultReason, string>> = {
  name: 'nombre',
  connection: 'conexion',
  timeout: 'demora',
  certificate: 'certificado',
  refused: 'rechazo',
  limited: 'limite',
  request: 'pedido',
  server: 'servidor',
  format: 'formato',
  program: 'programa',
};

function staleJson({ name, markets, lastPriceAt }: StaleSource): object {
  const desde = lastPriceAt === undefined ? null : instantText(lastPriceAt);
  return { fuente: name, mercados: markets, desde };
}

/** The body of `/healthz`, as JSON. */
export function healthJson({
  now,
  instance,
  markets,
  isSimulated,
  dataAgeMs,
  isBehind = false,
  sources: { outage, stale } = { stale: [] },
}: Health): string {
  return JSON.stringify({
    estado: isBehind ? 'atrasado' : 'ok',
    instancia: instance,
    datos: isSimulated ? 'simulados' : 'reales',
    ahora: instantText(now),
    ...(dataAgeMs === undefined ? {} : { edadMs: Math.round(dataAgeMs) }),
    ...(outage === undefined ? {} : { sinFuentes: outageNames[outage] }),
    ...(stale.length === 0 ? {} : { fuentesAtrasadas: stale.map((one) => staleJson(one)) }),
    mercados: markets.map(({ code, name, state, sessionDate, changesAt }) => ({
      codigo: code,
      nombre: name,
      estado: stateNames[state],
      rueda: sessionDate,
      cambia: instantText(changesAt),
    })),
  });
}
