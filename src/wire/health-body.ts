import type { MarketState } from '../domain/market-state.ts';

/** What `/healthz` tells besides that the process is alive. */
export interface Health {
  /** The service's own time, in epoch milliseconds; that of the recording while one is replayed. */
  readonly now: number;
  /** The id of the running service: random, another one after each start, the same in all processes. */
  readonly instance: string;
  readonly markets: readonly MarketState[];
  /** Whether the prices are made up, for a demonstration. */
  readonly isSimulated: boolean;
}

/** The body of `/healthz`, as JSON. */
export function healthJson({ now, instance, markets, isSimulated }: Health): string {
  return JSON.stringify({
    estado: 'ok',
    instancia: instance,
    datos: isSimulated ? 'simulados' : 'reales',
    ahora: instantText(now),
    mercados: markets.map(({ code, name, state, sessionDate, changesAt }) => ({
      codigo: code,
      nombre: name,
      estado: state === 'open' ? 'abierto' : 'cerrado',
      rueda: sessionDate,
      cambia: instantText(changesAt),
    })),
  });
}

function instantText(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
