import type { KeyRing } from '../../auth/key-ring.ts';
import { toEpochDay } from '../../domain/calendar/plain-date.ts';
import { InstrumentSearch } from '../../domain/instruments/instrument-search.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { remembered } from '../../lib/results/remembered.ts';
import { closestTo } from '../../lib/text/closest.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import { InstantTexts } from '../../wire/texts/instant-texts.ts';
import { Bonds } from '../../domain/bonds/bonds.ts';
import { ConversionRates } from '../../domain/dollars/conversion-rates.ts';
import { DollarRates } from '../../domain/dollars/dollar-rates.ts';
import type { RateLimits } from '../admission/rate-limits.ts';
import { ResponseMemory, type Answering, type AnsweringRoute } from '../answers/answers.ts';
import type { ContentLimits } from '../content/content.ts';
import type { PlaygroundFile } from '../content/playground-file.ts';
import { BondPayments } from '../history/bond-payments.ts';
import { KnownSources } from '../history/known-sources.ts';
import { ReadQueue, type ReadLimits } from '../answers/read-queue.ts';
import { missingNamesMax } from '../handler/response.ts';
import { RouteTable } from '../handler/route-table.ts';
import { QuoteStreams, type StreamObserver } from '../stream/quote-streams.ts';
import type { StreamCounts, StreamLimits } from '../stream/stream-limits.ts';
import { udfPaths } from '../udf/paths.ts';
import { bonosFlujos } from './bonos-flujos.ts';
import { bonosHistoricos } from './bonos-historicos.ts';
import { bonos } from './bonos.ts';
import { cambios } from './cambios.ts';
import { cotizacionesStream } from './cotizaciones-stream.ts';
import { cotizaciones } from './cotizaciones.ts';
import { dolares } from './dolares.ts';
import { especiesJson } from './especies-json.ts';
import { eventos } from './eventos.ts';
import { healthz, type HealthParts } from './healthz.ts';
import { historicos } from './historicos.ts';
import { indices } from './indices.ts';
import { intradiarios } from './intradiarios.ts';
import { mercados } from './mercados.ts';
import { playground } from './playground.ts';
import { ranking } from './ranking.ts';
import { recorridos } from './recorridos.ts';
import { textRoutes, type ContractFigures } from './texts.ts';
import type { PathParts } from './path-parts.ts';

/** What the paths of the public listener work with. */
export interface PublicRoutesParts
  extends
    Pick<
      PathParts,
      'board' | 'history' | 'versions' | 'bars' | 'actions' | 'indices' | 'revisions'
    >,
    Omit<HealthParts, 'universe' | 'isSimulated'> {
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly log: Log;
  /** Gives the OpenAPI document, parsed. Called when it is first requested. */
  readonly openapi: () => Readonly<Record<string, unknown>>;
  /** The built playground; without it, its pages are unknown paths. */
  readonly playground?: readonly PlaygroundFile[] | undefined;
  /** Reported to every client, by a header of every response and in `/healthz`. */
  readonly dataSource?: 'simulated' | undefined;
  readonly streamObserver?: StreamObserver | undefined;
  /** The streams of each key in all processes. By default those of this server. */
  readonly streamCounts?: StreamCounts | undefined;
  /** Number of sessions of each instrument whose bars the store keeps. */
  readonly intradaySessions?: number;
  /** The limits of clients, which the OpenAPI document states; absent for none. */
  readonly rateLimits?: Pick<RateLimits, 'failures' | 'ofKeysWithoutPlan'>;
  /** Origins whose scripts may read responses. Default: none. */
  readonly corsOrigins?: readonly string[];
  /** Whether keys in URLs are accepted. Default: no. */
  readonly urlKeys?: boolean;
}

/** The limits that the OpenAPI document names. */
type MessageFigures = Pick<
  ContractFigures,
  'requestLineBytesMax' | 'requestHeadBytesMax' | 'headersTimeoutMs' | 'requestTimeoutMs'
>;

/** The paths of the public listener, with what they own. */
interface PublicRoutes {
  readonly table: RouteTable;
  readonly streams: QuoteStreams;
  /** Drops all that was rendered from data: another server answers from now on. */
  readonly clear: () => void;
  /** Cancels what is being read, and resolves when nothing is read any more. */
  readonly stop: () => Promise<void>;
}

/** The paths whose responses are made of market data, one file each. */
const dataPaths: readonly ((parts: PathParts, answering: Answering) => AnsweringRoute)[] = [
  cotizaciones,
  historicos,
  intradiarios,
  eventos,
  indices,
  especiesJson,
  mercados,
  bonos,
  bonosFlujos,
  bonosHistoricos,
  dolares,
  ranking,
  cambios,
  recorridos,
];

/** Builds the paths of the public listener. */
export function publicRoutes(
  parts: PublicRoutesParts,
  {
    basePath,
    limits,
    streamLimits,
  }: {
    readonly basePath: string;
    readonly limits: ContentLimits & MessageFigures & ReadLimits;
    readonly streamLimits: StreamLimits;
  },
): PublicRoutes {
  const { board, clock, urlKeys = false } = parts;
  const { universe } = board;
  const { tickersMax } = limits;
  const { perKeyMax, heartbeatMs, stallMs } = streamLimits;
  const streams = new QuoteStreams({
    ...parts,
    limits: streamLimits,
    observer: parts.streamObserver,
    counts: parts.streamCounts,
  });
  const queue = new ReadQueue({ ...limits, clock });
  const responses = new ResponseMemory({ clock, queue, bytesMax: limits.responsesBytesMax });
  const answering = { memory: responses, tickersMax, suggest: tickerSuggestions(universe) };
  const bonds = new Bonds(universe);
  const dollars = new DollarRates(universe, bonds);
  const payments = new BondPayments({ ...parts, universe, bonds });
  const paths: PathParts = {
    ...parts,
    universe,
    search: new InstrumentSearch(universe.instruments),
    known: new KnownSources({ ...parts, responses, payments }),
    bonds,
    dollars,
    payments,
    rates: new ConversionRates(universe, dollars),
    instants: new InstantTexts(universe),
    rowsMax: limits.historyRowsMax,
    sessionDay: (instrument) => {
      const quote = board.quote(instrument);
      return quote && toEpochDay(quote.sessionDate);
    },
  };
  const figures: ContractFigures = {
    ...limits,
    tickersPerRequestMax: tickersMax,
    streamsPerKeyMax: perKeyMax,
    streamHeartbeatMs: heartbeatMs,
    streamStallMs: stallMs,
    intradaySessions: parts.intradaySessions ?? 0,
    defaultPlan: parts.rateLimits?.ofKeysWithoutPlan,
    failuresPerAddress: parts.rateLimits?.failures,
    corsOrigins: (parts.corsOrigins ?? []).length > 0,
    urlKeys,
  };
  const routes = [
    ...dataPaths.map((open) => open(paths, answering)),
    ...udfPaths(paths, answering),
    cotizacionesStream({ board, streams, tickersMax, perKeyMax }),
    ...textRoutes({ ...parts, universe, basePath, figures }, answering),
    healthz({ ...parts, universe, isSimulated: parts.dataSource === 'simulated' }),
    ...playground({ files: parts.playground ?? [], basePath }),
  ];
  return {
    table: new RouteTable(routes, basePath, { urlKeys }),
    streams,
    stop: () => queue[Symbol.asyncDispose](),
    clear: () => responses.clear(),
  };
}

/** Maximum number of unknown tickers of a response for which a similar one is looked up. */
const suggestedMax = 5;

/** Maximum number of tickers whose suggestion is remembered: a client repeats its mistake. */
const rememberedMax = 1_000;

/** Maximum length of a text that may be a mistyped ticker, in characters. */
const tickerCharsMax = 40;

/** Suggests a similar ticker for each unknown one that the header `Missing-Especies` names (contract 4.1.5). */
function tickerSuggestions(universe: Universe): Answering['suggest'] {
  const tickers = universe.instruments.map(({ ticker }) => ticker);
  const meantBy = remembered(rememberedMax, (name: string) => closestTo(name, tickers));
  return (missing) => {
    const unknown = missing
      .slice(0, missingNamesMax)
      .filter((name) => name.length <= tickerCharsMax && universe.find(name) === undefined);
    return [...new Set(unknown.slice(0, suggestedMax).flatMap((name) => meantBy(name) ?? []))];
  };
}
