import { closestTo } from '../lib/text/closest.ts';
import { pricePerQuery } from './fields.ts';
import type { ResponseRow, ServiceClient } from './service-client.ts';

/** The maximum number of unknown tickers for which a similar one is looked up. */
const meantMax = 5;

const timeZone = 'America/Argentina/Buenos_Aires';

/** What an agent must know about every price: whether it is real, and what time it is at the service. */
export interface ServiceState {
  readonly datos: 'reales' | 'simulados' | 'desconocido';
  /** The time of the service, with the offset of Buenos Aires (RFC 3339). */
  readonly consultado?: string;
  /** `abierto` or `cerrado` of each market, by its code. */
  readonly mercados: ReadonlyMap<string, string>;
  /** What the sources do not give, for people. */
  readonly fuentes: readonly string[];
}

/** Reads `/healthz`, which also says when a demonstration invents the prices. */
export async function readState(client: ServiceClient): Promise<ServiceState> {
  const { datos, ahora, mercados, sinFuentes, fuentesAtrasadas } = await client.object('/healthz');
  const states = Array.isArray(mercados) ? (mercados as readonly ResponseRow[]) : [];
  return {
    datos: datos === 'reales' || datos === 'simulados' ? datos : 'desconocido',
    ...(isInstant(ahora) ? { consultado: buenosAires(ahora) } : {}),
    mercados: new Map(states.map(({ codigo, estado }) => [String(codigo), String(estado)])),
    fuentes: [
      ...(sinFuentes === undefined
        ? []
        : ['Ninguna fuente de precios responde. Los precios son los últimos conocidos.']),
      ...(Array.isArray(fuentesAtrasadas) ? fuentesAtrasadas : []).map(staleText),
    ],
  };
}

function staleText({ fuente, mercados, desde }: ResponseRow): string {
  const since = isInstant(desde) ? `desde ${buenosAires(desde)}` : 'todavía';
  return `La fuente ${String(fuente)} no da precios ${since}, con mercados abiertos (${String(mercados)}). Los precios con "atrasada" no son los actuales.`;
}

function isInstant(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

function buenosAires(instant: string): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(Date.parse(instant)).toZonedDateTimeISO(
    timeZone,
  );
  return zoned.toString({ timeZoneName: 'never', smallestUnit: 'second' });
}

/** What the names of unknown tickers may mean, for people. Tickers without a quote or data are known. */
export async function meantBy(
  client: ServiceClient,
  missing: readonly string[],
): Promise<readonly string[]> {
  if (missing.length === 0) return [];
  const instruments = await client.keptRows('/especies.json', pricePerQuery);
  const tickers = instruments.map(({ especie }) => String(especie));
  return missing.slice(0, meantMax).flatMap((name) => {
    const closest = closestTo(name, tickers);
    return closest === undefined || closest.toUpperCase() === name.toUpperCase()
      ? []
      : [`La especie "${name}" no existe. La más parecida es "${closest}".`];
  });
}

/** The warnings that belong to every response with prices. */
export function warningsOf({ datos, fuentes }: ServiceState): readonly string[] {
  const isInvented = datos === 'simulados';
  return [
    ...(isInvented
      ? [
          'Los precios son inventados: el servicio ejecuta una demostración. No usarlos como reales.',
        ]
      : []),
    ...fuentes,
  ];
}
