import type { KeyRing } from '../../auth/key-ring.ts';
import type { Board } from '../../board/board.ts';
import type { CorporateActions } from '../../domain/history/corporate-actions.ts';
import type { IndexSeries } from '../../domain/indices/index-series.ts';
import type { SourcesState } from '../../domain/quotes/sources-state.ts';
import { toEpochDay, type EpochDay } from '../../domain/calendar/plain-date.ts';
import { InstrumentSearch } from '../../domain/instruments/instrument-search.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/reports/log.ts';
import type { BarReader } from '../../store/contract/bar-store.ts';
import type { IndexStore } from '../../store/contract/index-store.ts';
import type { StoreMemory } from '../../store/contract/store-memory.ts';
import { InstantTexts } from '../../wire/texts/instant-texts.ts';
import type { RateLimits } from '../admission/rate-limits.ts';
import { Bonds } from '../../domain/bonds/bonds.ts';
import { ConversionRates } from '../../domain/dollars/conversion-rates.ts';
import { DollarRates } from '../../domain/dollars/dollar-rates.ts';
import { ResponseMemory } from '../answers/answers.ts';
import { HistoryRevisions } from '../answers/history-revisions.ts';
import type { ContentLimits, ContentSource } from '../content/content.ts';
import type { PlaygroundFile } from '../content/playground-file.ts';
import { BondPayments } from '../history/bond-payments.ts';
import { KnownSources } from '../history/known-sources.ts';
import type { SeriesSources } from '../history/read-table.ts';
import { ReadQueue, type ReadLimits } from '../answers/read-queue.ts';
import { RouteTable } from '../handler/route-table.ts';
import { QuoteStreams, type StreamObserver } from '../stream/quote-streams.ts';
import type { StreamCounts, StreamLimits } from '../stream/stream-limits.ts';
import { udfPaths } from '../udf/paths.ts';
import { TickerSuggestions, contentRoute, tableRoute } from './content-route.ts';
import { bonosFlujos } from './bonos-flujos.ts';
import { bonosHistoricos } from './bonos-historicos.ts';
import { bonos } from './bonos.ts';
import { cambios } from './cambios.ts';
import { cotizacionesStream } from './cotizaciones-stream.ts';
import { cotizaciones } from './cotizaciones.ts';
import { dolares } from './dolares.ts';
import { especiesJson } from './especies-json.ts';
import { eventos } from './eventos.ts';
import { healthz } from './healthz.ts';
import { historicos } from './historicos.ts';
import { indices } from './indices.ts';
import { intradiarios } from './intradiarios.ts';
import { mercados } from './mercados.ts';
import { playground } from './playground.ts';
import { ranking } from './ranking.ts';
import { recorridos } from './recorridos.ts';
import { textRoutes, type ContractFigures } from './texts.ts';

/** What the paths of the public listener work with. */
export interface PublicTableParts {
  /** The id of the running service, shown in `/healthz`. */
  readonly instance: string;
  /** Time since the store last confirmed the quotes, in milliseconds. Absent where they are not replicated. */
  readonly dataAgeMs?: (() => number) | undefined;
  /** Whether another node reads the store, and this one cannot. Absent where there is one node. */
  readonly isBehind?: (() => boolean) | undefined;
  /** What the node knows of the history of its database. Absent where there is one node. */
  readonly lineage?: (() => string | undefined) | undefined;
  /** The state of the sources. Gives undefined where the node does not know it. */
  readonly sources?: (() => SourcesState | undefined) | undefined;
  /** The ids of the services that this one follows. Absent for none. */
  readonly origins?: (() => readonly string[]) | undefined;
  readonly board: Board;
  readonly history: SeriesSources['history'];
  /** Gives what was stored at an instant. */
  readonly memory: StoreMemory;
  /** Gives the values of indices that others have replaced. */
  readonly indexMemory: Pick<IndexStore, 'readAll' | 'readReplaced'>;
  readonly bars: BarReader;
  /** Gives the corporate actions in force. */
  readonly actions: () => CorporateActions;
  /** Gives the values of indices. */
  readonly indices: () => IndexSeries;
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
export interface PublicTable {
  readonly table: RouteTable;
  readonly streams: QuoteStreams;
  /** Notes a change of the closes, corporate actions or terms of instruments. */
  readonly noteChange: (tickers: readonly Ticker[]) => void;
  /** Drops all that was rendered from data: another server answers from now on. */
  readonly clear: () => void;
  /** Cancels what is being read, and resolves when nothing is read any more. */
  readonly stop: () => Promise<void>;
}

/** Builds the paths of the public listener. */
export function publicTable(
  parts: PublicTableParts,
  {
    basePath,
    limits,
    streamLimits,
  }: {
    readonly basePath: string;
    readonly limits: ContentLimits & MessageFigures & ReadLimits;
    readonly streamLimits: StreamLimits;
  },
): PublicTable {
  const {
    board,
    clock,
    instance,
    dataSource,
    dataAgeMs,
    isBehind,
    lineage,
    sources,
    urlKeys = false,
  } = parts;
  const { universe } = board;
  const { tickersMax } = limits;
  const { perKeyMax, heartbeatMs, stallMs } = streamLimits;
  const observer = parts.streamObserver;
  const streams = new QuoteStreams({
    ...parts,
    limits: streamLimits,
    observer,
    counts: parts.streamCounts,
  });
  const queue = new ReadQueue({ ...limits, clock });
  const answerMemory = new ResponseMemory({ clock, queue, bytesMax: limits.responsesBytesMax });
  const answering = { memory: answerMemory, tickersMax };
  const revisions = new HistoryRevisions();
  const { actions } = parts;
  const sessionDay = (instrument: Instrument): EpochDay | undefined => {
    const quote = board.quote(instrument);
    return quote === undefined ? undefined : toEpochDay(quote.sessionDate);
  };
  const instants = new InstantTexts(universe);
  const bonds = new Bonds(universe);
  const dollars = new DollarRates(universe, bonds);
  const rates = new ConversionRates(universe, dollars);
  const payments = new BondPayments({ ...parts, universe, bonds });
  const known = new KnownSources({ ...parts, revisions, responses: answerMemory, payments });
  const rowsMax = limits.historyRowsMax;
  const search = new InstrumentSearch(universe.instruments);
  const udf = udfPaths({ ...parts, revisions, search, rowsMax: limits.historyRowsMax }, answering);
  const tables: readonly ContentSource[] = [
    cotizaciones({ ...parts, instants, revisions }, answering),
    historicos({ ...parts, payments, sessionDay, known, revisions, instants, rowsMax }, answering),
    intradiarios({ ...parts, revisions, instants }, answering),
    eventos({ board, actions, revisions, sources: known }, answering),
    indices(parts.indices, answering),
    especiesJson({ board, search, sources }, answering),
    mercados(universe, answering),
    bonos({ ...parts, bonds, rates }, answering),
    bonosFlujos({ ...parts, universe, bonds }, answering),
    bonosHistoricos({ ...parts, bonds, rates, revisions }, answering),
    dolares({ board, dollars }, answering),
    ranking({ board, instants }, answering),
  ];
  const suggestions = new TickerSuggestions(universe);
  const changes = cambios({ ...parts, sources: known, rowsMax, universe, revisions }, answering);
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
    ...tables.map((source) => tableRoute(suggestions.of(source))),
    // No key in a URL opens it: contract 5.5 lists what such a key opens.
    tableRoute(suggestions.of(changes), {}),
    contentRoute(recorridos({ ...parts, revisions }, answering)),
    ...udf.map((source) => contentRoute(source, { opensToUrlKeys: true })),
    cotizacionesStream({ board, streams, tickersMax, perKeyMax }),
    ...textRoutes({ ...parts, universe, basePath, figures }, answering),
    healthz({
      universe,
      instance,
      isSimulated: dataSource === 'simulated',
      dataAgeMs,
      isBehind,
      lineage,
      sources,
      origins: parts.origins,
    }),
    ...playground({ files: parts.playground ?? [], basePath }),
  ];
  return {
    table: new RouteTable(routes, basePath, { urlKeys }),
    streams,
    stop: () => queue[Symbol.asyncDispose](),
    noteChange: (tickers) => revisions.increase(tickers),
    clear: () => answerMemory.clear(),
  };
}
