import { historyColumns, type HistoryColumns } from './columns.ts';
import type {
  Barra,
  Cambio,
  CambioDeIndice,
  CifrasDeBono,
  CifrasDeCierre,
  CodigoDeIndice,
  Cotizacion,
  Estado,
  Evento,
  FilaAncha,
  FlujoDeBono,
  HorarioDeMercado,
  Indice,
  Instrumento,
  Parameters,
  PrecioDelDolar,
  PrecioHistorico,
  Recorrido,
  Tables,
  ValorDeIndice,
} from './contract.ts';
import {
  connectionOf,
  type ClientOptions,
  type Connection,
  type RequestOptions,
} from './options.ts';
import { queryOf, withTickers, type OrTickers } from './query.ts';
import { authorization, get } from './request.ts';
import { ResponseCache } from './response-cache.ts';
import type { Result } from './result.ts';
import { streamQuotes, type StreamEvent, type StreamOptions } from './stream.ts';

/** The paths whose responses are tables, which also exist as CSV. */
export type TablePath = keyof Tables;

/** The parameters of a table, which may be left out where it needs none. */
type TableArguments<Query> =
  Partial<Query> extends Query
    ? [parameters?: Query, options?: RequestOptions]
    : [parameters: Query, options?: RequestOptions];

/** The parameters of the closes of one ticker. */
export type HistoryParameters = Omit<
  Parameters['/historicos'],
  'especie' | 'forma' | 'panel' | 'campo'
> & { readonly especie: string };

/** Tickers, a panel, or both. */
interface Several {
  readonly especie?: string | readonly string[] | undefined;
}

/** The parameters of the closes of several tickers. */
export type HistoriesParameters = Omit<Parameters['/historicos'], 'especie' | 'forma' | 'campo'> &
  Several;

/** The parameters of a table of several tickers. */
export type HistoryTableParameters = Omit<
  Parameters['/historicos'],
  'especie' | 'forma' | 'campos'
> &
  Several;

/**
 * A client of a Pizarra service, for Node 20 and later, browsers and Bun.
 *
 * The parameters and the fields of rows have the names of the contract, so its reference describes them.
 * A response that has not changed is confirmed by the service with a 304 and not sent again. After 429,
 * 503 and broken connections, a request is sent again within the limits of `retry`.
 */
export class PizarraClient {
  readonly #connection: Connection;
  readonly #cache: ResponseCache;

  /** @throws TypeError when the address is not valid. */
  constructor(options: ClientOptions) {
    this.#connection = connectionOf(options);
    this.#cache = new ResponseCache(options.cacheCharactersMax ?? 16 * 2 ** 20);
  }

  /** The latest quotes of tickers, of a panel, or of both. Unknown tickers are in `missing`. */
  quotes(
    parameters: OrTickers<Parameters['/cotizaciones']>,
    options?: RequestOptions,
  ): Promise<Result<readonly Cotizacion[]>> {
    return this.#rows('/cotizaciones', withTickers(parameters), options);
  }

  /** The first quotes of a panel by one of their values, those of the current session only. */
  ranking(
    parameters: Parameters['/ranking'],
    options?: RequestOptions,
  ): Promise<Result<readonly Cotizacion[]>> {
    return this.#rows('/ranking', parameters, options);
  }

  /** The daily closes of one ticker, in ascending order of date. */
  history(
    parameters: HistoryParameters,
    options?: RequestOptions,
  ): Promise<Result<readonly PrecioHistorico[]>> {
    return this.#rows('/historicos', parameters, options);
  }

  /** The daily closes of one ticker as columns. */
  async historyColumns(
    parameters: HistoryParameters,
    options?: RequestOptions,
  ): Promise<Result<HistoryColumns>> {
    const rows = await this.history(parameters, options);
    return { ...rows, data: historyColumns(rows.data) };
  }

  /** The closes of several tickers, of a panel, or of both: the rows of each after those of the one before. */
  histories(
    parameters: HistoriesParameters,
    options?: RequestOptions,
  ): Promise<Result<readonly PrecioHistorico[]>> {
    return this.#rows('/historicos', { ...parameters, forma: 'larga' }, options);
  }

  /**
   * The same as a table: a row for each date, with the value that `campo` names of each ticker. Unknown
   * tickers are in `missing`, and in no row.
   */
  historyTable(
    parameters: HistoryTableParameters,
    options?: RequestOptions,
  ): Promise<Result<readonly FilaAncha[]>> {
    return this.#rows('/historicos', { ...parameters, forma: 'ancha' }, options);
  }

  /** The bars of minutes of one ticker, by default those of its last session. */
  intraday(
    parameters: Parameters['/intradiarios'],
    options?: RequestOptions,
  ): Promise<Result<readonly Barra[]>> {
    return this.#rows('/intradiarios', parameters, options);
  }

  /** The paths of the prices of tickers, of a panel, or of both, each in the session of its quote. */
  paths(
    parameters: OrTickers<Parameters['/recorridos']>,
    options?: RequestOptions,
  ): Promise<Result<readonly Recorrido[]>> {
    return this.#rows('/recorridos', withTickers(parameters), options);
  }

  /** The corporate actions of one ticker. `tipo` tells which fields an event has. */
  events(
    parameters: Parameters['/eventos'],
    options?: RequestOptions,
  ): Promise<Result<readonly Evento[]>> {
    return this.#rows('/eventos', parameters, options);
  }

  /** The changes of the closes and the corporate actions of one ticker, the latest first. */
  changes(
    parameters: Omit<Parameters['/cambios'], 'especie' | 'indice'> & { readonly especie: string },
    options?: RequestOptions,
  ): Promise<Result<readonly Cambio[]>> {
    return this.#rows('/cambios', parameters, options);
  }

  /** The changes of the values of one index, the latest first. */
  indexChanges(
    parameters: Omit<Parameters['/cambios'], 'especie' | 'indice'> & {
      readonly indice: CodigoDeIndice;
    },
    options?: RequestOptions,
  ): Promise<Result<readonly CambioDeIndice[]>> {
    return this.#rows('/cambios', parameters, options);
  }

  /** The indices and rates, each with its first and its last day. */
  indices(options?: RequestOptions): Promise<Result<readonly Indice[]>> {
    return this.#rows('/indices', {}, options);
  }

  /** The values of one index, ascending, days to come included. A day without a row has no known value. */
  index(
    parameters: Parameters['/indices'] & { readonly indice: CodigoDeIndice },
    options?: RequestOptions,
  ): Promise<Result<readonly ValorDeIndice[]>> {
    return this.#rows('/indices', parameters, options);
  }

  /**
   * The instruments with their data: of tickers, of a panel, of both, or of the whole universe. With
   * `campos: ['precioPor']`, `positionValue` values a position in them.
   */
  instruments(
    parameters: Omit<Parameters['/especies.json'], 'buscar'> = {},
    options?: RequestOptions,
  ): Promise<Result<readonly Instrumento[]>> {
    return this.#rows('/especies.json', parameters, options);
  }

  /** The instruments whose ticker or name contains all words of a text, at most 50, the best first. */
  search(
    buscar: string,
    parameters: Omit<Parameters['/especies.json'], 'buscar'> = {},
    options?: RequestOptions,
  ): Promise<Result<readonly Instrumento[]>> {
    return this.#rows('/especies.json', { buscar, ...parameters }, options);
  }

  /** The tickers of the universe or of a panel, in their order. */
  async tickers(
    parameters: Parameters['/especies.txt'] = {},
    options?: RequestOptions,
  ): Promise<Result<readonly string[]>> {
    const text = { read: readLines, type: 'text/plain', options };
    return this.#get('/especies.txt', parameters, text);
  }

  /** The markets: whether each is open, its hours and its holidays. */
  markets(
    parameters: Parameters['/mercados'] = {},
    options?: RequestOptions,
  ): Promise<Result<readonly HorarioDeMercado[]>> {
    return this.#rows('/mercados', parameters, options);
  }

  /** The yields, durations and parities of bonds at their latest prices, by a convention. */
  bonds(
    parameters: OrTickers<Parameters['/bonos']>,
    options?: RequestOptions,
  ): Promise<Result<readonly CifrasDeBono[]>> {
    return this.#rows('/bonos', withTickers(parameters), options);
  }

  /** The yields, durations and parities of one bond at its closes; with `contra`, also the difference of the yields. */
  bondHistory(
    parameters: Parameters['/bonos/historicos'],
    options?: RequestOptions,
  ): Promise<Result<readonly CifrasDeCierre[]>> {
    return this.#rows('/bonos/historicos', parameters, options);
  }

  /** The payments of one bond from a date on, by default from today. */
  flows(
    parameters: Parameters['/bonos/flujos'],
    options?: RequestOptions,
  ): Promise<Result<readonly FlujoDeBono[]>> {
    return this.#rows('/bonos/flujos', parameters, options);
  }

  /** What a dollar costs in pesos: as published, and as securities imply it. */
  dollars(
    parameters: Parameters['/dolares'] = {},
    options?: RequestOptions,
  ): Promise<Result<readonly PrecioDelDolar[]>> {
    return this.#rows('/dolares', parameters, options);
  }

  /** The state of the service and of its markets. It needs no key, and sends none. */
  async health(options: RequestOptions = {}): Promise<Estado> {
    return (await this.#document('/healthz', options)) as Estado;
  }

  /** The contract as OpenAPI, with the limits of this installation. It needs no key, and sends none. */
  async contract(options: RequestOptions = {}): Promise<Readonly<Record<string, unknown>>> {
    return (await this.#document('/openapi.json', options)) as Readonly<Record<string, unknown>>;
  }

  /** The rows of any table, by its path. The methods above are names for such requests. */
  table<P extends TablePath>(
    path: P,
    ...[parameters, options]: TableArguments<Parameters[P]>
  ): Promise<Result<readonly Tables[P][]>> {
    return this.#rows(path, parameters ?? {}, options);
  }

  /** A table as CSV (RFC 4180). With `decimal: 'coma'`, as spreadsheets in Spanish read it. */
  csv<P extends TablePath>(
    path: P,
    ...[parameters, options]: TableArguments<
      Parameters[P] & { readonly decimal?: 'coma' | undefined }
    >
  ): Promise<Result<string>> {
    const all = { ...withTickers(parameters ?? {}), formato: 'csv' };
    return this.#get(path, all, { read: readText, type: 'text/csv', options });
  }

  /**
   * The quotes now, then each change, until the loop is left or the signal aborts it. A stream that breaks
   * is resumed without a gap.
   */
  stream(
    parameters: OrTickers<Parameters['/cotizaciones/stream']>,
    options: StreamOptions = {},
  ): AsyncGenerator<StreamEvent, never, undefined> {
    return streamQuotes(this.#connection, withTickers(parameters), options);
  }

  #rows<T>(
    path: string,
    parameters: object,
    options: RequestOptions | undefined,
  ): Promise<Result<readonly T[]>> {
    const read = (body: string): readonly T[] => readArray(body) as readonly T[];
    return this.#get(path, parameters, { read, type: jsonType, options });
  }

  async #document(path: string, options: RequestOptions): Promise<object> {
    const url = this.#connection.base + path;
    const request = { url, read: readObject, type: jsonType, options };
    return (await get(this.#connection, request)).data;
  }

  async #get<T>(
    path: string,
    parameters: object,
    request: {
      readonly read: (body: string) => T;
      readonly type: string;
      readonly options: RequestOptions | undefined;
    },
  ): Promise<Result<T>> {
    const url = this.#connection.base + path + queryOf(parameters);
    const headers = await authorization(this.#connection);
    const { options = {} } = request;
    return get(this.#connection, { ...request, url, headers, cache: this.#cache, options });
  }
}

const jsonType = 'application/json';

function readArray(body: string): readonly unknown[] {
  const value: unknown = JSON.parse(body);
  if (Array.isArray(value)) return value;
  throw new TypeError('not an array');
}

function readObject(body: string): object {
  const value: unknown = JSON.parse(body);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new TypeError('not an object');
}

function readLines(body: string): readonly string[] {
  return body.split('\n').slice(0, -1);
}

function readText(body: string): string {
  return body;
}
