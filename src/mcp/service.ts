import {
  PizarraClient,
  PizarraConnectionError,
  PizarraHttpError,
  PizarraResponseError,
  PizarraTimeoutError,
  type Estado,
} from '../../clients/typescript/src/index.ts';
import { failureReason } from '../lib/network/failure-reason.ts';
import { closestTo } from '../lib/text/closest.ts';

/** Maximum time for a response, in milliseconds. Agents give up on a tool after a minute or so. */
const answerWithinMs = 15_000;

/** Maximum number of unknown tickers for which a similar one is looked up. */
const meantMax = 5;

const timeZone = 'America/Argentina/Buenos_Aires';

/** The parameter of the instruments that the tools read. One list of them is shared. */
export const instrumentFields = { campos: ['precioPor'] } as const;

/** A running service, and how the agent reads it. */
export interface ServiceAccess {
  /** The root of the public listener, base path included. */
  readonly url: string;
  readonly client: PizarraClient;
}

/** Opens a service with a key. Nothing is sent yet. */
export function openService({
  url,
  key,
}: {
  readonly url: string;
  readonly key: string;
}): ServiceAccess {
  const client = new PizarraClient({
    url,
    key,
    timeoutMs: answerWithinMs,
    // The agent decides whether to call a tool again.
    retry: { attemptsMax: 1 },
    // A redirect is not followed, and its status is reported.
    fetch: (input, init) => fetch(input, { ...init, redirect: 'manual' }),
  });
  return { url: url.replace(/\/+$/, ''), client };
}

/** What an agent must know about every price: whether it is real, and what time it is at the service. */
export interface ServiceState {
  readonly datos: 'reales' | 'simulados' | 'desconocido';
  /** The time of the service, with the offset of Buenos Aires (RFC 3339). */
  readonly consultado?: string;
  /** `abierto` or `cerrado` of each market, by its code. */
  readonly mercados: ReadonlyMap<string, string>;
  /** The warnings that belong to every response with prices. */
  readonly avisos: readonly string[];
}

/** Reads `/healthz`, which also says when a demonstration invents the prices. */
export async function readState({ client }: ServiceAccess): Promise<ServiceState> {
  // Another server may answer any object.
  const state: Partial<Estado> = await client.health();
  const { datos = 'desconocido', ahora, mercados = [], sinFuentes, fuentesAtrasadas = [] } = state;
  return {
    datos: ['reales', 'simulados'].includes(datos) ? datos : 'desconocido',
    ...(isInstant(ahora) ? { consultado: buenosAires(ahora) } : {}),
    mercados: new Map(mercados.map(({ codigo, estado }) => [codigo, estado])),
    avisos: [
      ...(datos === 'simulados'
        ? [
            'Los precios son inventados: el servicio ejecuta una demostración. No usarlos como reales.',
          ]
        : []),
      ...(sinFuentes === undefined
        ? []
        : ['Ninguna fuente de precios responde. Los precios son los últimos conocidos.']),
      ...fuentesAtrasadas.map(({ fuente, mercados: codes, desde }) => {
        const since = isInstant(desde) ? `desde ${buenosAires(desde)}` : 'todavía';
        return `La fuente ${fuente} no da precios ${since}, con mercados abiertos (${String(codes)}). Los precios con "atrasada" no son los actuales.`;
      }),
    ],
  };
}

function isInstant(value: string | null | undefined): value is string {
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
  { client }: ServiceAccess,
  missing: readonly string[],
): Promise<readonly string[]> {
  if (missing.length === 0) return [];
  const { data } = await client.instruments(instrumentFields);
  const tickers = data.map(({ especie }) => especie);
  return missing.slice(0, meantMax).flatMap((name) => {
    const closest = closestTo(name, tickers);
    return closest === undefined || closest.toUpperCase() === name.toUpperCase()
      ? []
      : [`La especie "${name}" no existe. La más parecida es "${closest}".`];
  });
}

/**
 * What an agent can do about an error of the client, in Spanish as the errors of the contract, because an agent shows
 * it to its user. It contains no key. Undefined for any other error.
 */
export function adviceOn(error: unknown, { url }: ServiceAccess): string | undefined {
  if (error instanceof PizarraHttpError) return refusalText(error, url);
  if (error instanceof PizarraResponseError) {
    return `La respuesta de ${url} no es la de un servicio Pizarra. Comprobar la dirección de --url.`;
  }
  if (!(error instanceof PizarraConnectionError)) return undefined;
  const reason =
    error instanceof PizarraTimeoutError
      ? `no respondió en ${answerWithinMs / 1000} s`
      : failureReason(error).text;
  return `No se pudo leer ${url}: ${reason}. Comprobar que el servicio esté en marcha ("pizarra doctor") y la dirección de --url.`;
}

/** The text of the service is complete, in Spanish, and names what would be valid (contract 2.3). */
function refusalText({ status, text, retryAfter }: PizarraHttpError, url: string): string {
  if (status === 401) {
    return `El servicio de ${url} no acepta la clave. ${text} Crear una con "pizarra keys create --name agente" y configurarla en PIZARRA_KEY.`;
  }
  if (status >= 300 && status < 400) {
    return `${url} redirige a otra dirección (${status}). Configurar la dirección definitiva en --url.`;
  }
  const advice = retryAfter === undefined ? '' : ` Reintentar en ${retryAfter} s.`;
  return `${text === '' ? `El servicio de ${url} respondió ${status}.` : text}${advice}`;
}
