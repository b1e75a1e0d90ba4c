import type { HistoryColumns } from './columns.ts';
import type { Barra, Cotizacion, Estado, Evento, HorarioDeMercado, Instrumento, Panel, Parameters, PrecioHistorico } from './contract.ts';
import type { ClientOptions, RequestOptions } from './options.ts';
import type { Result } from './result.ts';
import type { StreamEvent, StreamOptions } from './stream.ts';
/** The paths whose responses are tables, which also exist as CSV. */
export type TablePath = Exclude<keyof Parameters, '/cotizaciones/stream' | '/especies.txt'>;
/**
 * A client of a Pizarra service, for Node 20 and later, browsers and Bun.
 *
 * The parameters and the fields of rows have the names of the contract, so its reference describes them.
 * A response that has not changed is confirmed by the service with a 304 and not sent again. After 429,
 * 503 and broken connections, a request is sent again within the limits of `retry`.
 */
export declare class PizarraClient {
    #private;
    /** @throws TypeError when the address is not valid. */
    constructor(options: ClientOptions);
    /** The latest quotes of tickers, of a panel, or of both. Unknown tickers are in `missing`. */
    quotes(parameters: Parameters['/cotizaciones'], options?: RequestOptions): Promise<Result<readonly Cotizacion[]>>;
    /** The daily closes of one ticker, in ascending order of date. */
    history(parameters: Parameters['/historicos'], options?: RequestOptions): Promise<Result<readonly PrecioHistorico[]>>;
    /** The daily closes of one ticker as columns. */
    historyColumns(parameters: Parameters['/historicos'], options?: RequestOptions): Promise<Result<HistoryColumns>>;
    /** The bars of minutes of one ticker, by default those of its last session. */
    intraday(parameters: Parameters['/intradiarios'], options?: RequestOptions): Promise<Result<readonly Barra[]>>;
    /** The corporate actions of one ticker. `tipo` tells which fields an event has. */
    events(parameters: Parameters['/eventos'], options?: RequestOptions): Promise<Result<readonly Evento[]>>;
    /** The instruments with their data, of the whole universe or of a panel. */
    instruments(parameters?: {
        readonly panel?: Panel | undefined;
    }, options?: RequestOptions): Promise<Result<readonly Instrumento[]>>;
    /** The instruments whose ticker or name contains all words of a text, at most 50, the best first. */
    search(buscar: string, parameters?: {
        readonly panel?: Panel | undefined;
    }, options?: RequestOptions): Promise<Result<readonly Instrumento[]>>;
    /** The tickers of the universe or of a panel, in their order. */
    tickers(parameters?: Parameters['/especies.txt'], options?: RequestOptions): Promise<Result<readonly string[]>>;
    /** The markets: whether each is open, its hours and its holidays. */
    markets(parameters?: Parameters['/mercados'], options?: RequestOptions): Promise<Result<readonly HorarioDeMercado[]>>;
    /** The state of the service and of its markets. It needs no key, and sends none. */
    health(options?: RequestOptions): Promise<Estado>;
    /** The contract as OpenAPI, with the limits of this installation. It needs no key, and sends none. */
    contract(options?: RequestOptions): Promise<Readonly<Record<string, unknown>>>;
    /** A table as CSV (RFC 4180). With `decimal: 'coma'`, as spreadsheets in Spanish read it. */
    csv<P extends TablePath>(path: P, parameters: Parameters[P] & {
        readonly decimal?: 'coma' | undefined;
    }, options?: RequestOptions): Promise<Result<string>>;
    /**
     * The quotes now, then each change, until the loop is left or the signal aborts it. A stream that breaks
     * is resumed without a gap.
     */
    stream(parameters: Parameters['/cotizaciones/stream'], options?: StreamOptions): AsyncGenerator<StreamEvent, never, undefined>;
}
//# sourceMappingURL=client.d.ts.map