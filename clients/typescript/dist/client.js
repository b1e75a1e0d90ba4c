import { historyColumns } from './columns.js';
import { connectionOf } from './options.js';
import { queryOf } from './query.js';
import { authorization, get } from './request.js';
import { ResponseCache } from './response-cache.js';
import { streamQuotes } from './stream.js';
/**
 * A client of a Pizarra service, for Node 20 and later, browsers and Bun.
 *
 * The parameters and the fields of rows have the names of the contract, so its reference describes them.
 * A response that has not changed is confirmed by the service with a 304 and not sent again. After 429,
 * 503 and broken connections, a request is sent again within the limits of `retry`.
 */
export class PizarraClient {
    #connection;
    #cache;
    /** @throws TypeError when the address is not valid. */
    constructor(options) {
        this.#connection = connectionOf(options);
        this.#cache = new ResponseCache(options.cacheCharactersMax ?? 16 * 2 ** 20);
    }
    /** The latest quotes of tickers, of a panel, or of both. Unknown tickers are in `missing`. */
    quotes(parameters, options) {
        return this.#rows('/cotizaciones', parameters, options);
    }
    /** The daily closes of one ticker, in ascending order of date. */
    history(parameters, options) {
        return this.#rows('/historicos', parameters, options);
    }
    /** The daily closes of one ticker as columns. */
    async historyColumns(parameters, options) {
        const rows = await this.history(parameters, options);
        return { ...rows, data: historyColumns(rows.data) };
    }
    /** The bars of minutes of one ticker, by default those of its last session. */
    intraday(parameters, options) {
        return this.#rows('/intradiarios', parameters, options);
    }
    /** The corporate actions of one ticker. `tipo` tells which fields an event has. */
    events(parameters, options) {
        return this.#rows('/eventos', parameters, options);
    }
    /** The instruments with their data, of the whole universe or of a panel. */
    instruments(parameters = {}, options) {
        return this.#rows('/especies.json', parameters, options);
    }
    /** The instruments whose ticker or name contains all words of a text, at most 50, the best first. */
    search(buscar, parameters = {}, options) {
        return this.#rows('/especies.json', { buscar, ...parameters }, options);
    }
    /** The tickers of the universe or of a panel, in their order. */
    async tickers(parameters = {}, options) {
        const read = (body) => body.split('\n').slice(0, -1);
        return this.#get('/especies.txt', parameters, { read, type: 'text/plain', options });
    }
    /** The markets: whether each is open, its hours and its holidays. */
    markets(parameters = {}, options) {
        return this.#rows('/mercados', parameters, options);
    }
    /** The state of the service and of its markets. It needs no key, and sends none. */
    async health(options = {}) {
        const url = `${this.#connection.base}/healthz`;
        const { data } = await get(this.#connection, { url, ...json(isObject), options });
        return data;
    }
    /** The contract as OpenAPI, with the limits of this installation. It needs no key, and sends none. */
    async contract(options = {}) {
        const url = `${this.#connection.base}/openapi.json`;
        const { data } = await get(this.#connection, { url, ...json(isObject), options });
        return data;
    }
    /** A table as CSV (RFC 4180). With `decimal: 'coma'`, as spreadsheets in Spanish read it. */
    csv(path, parameters, options) {
        const read = (body) => body;
        const all = { ...parameters, formato: 'csv' };
        return this.#get(path, all, { read, type: 'text/csv', options });
    }
    /**
     * The quotes now, then each change, until the loop is left or the signal aborts it. A stream that breaks
     * is resumed without a gap.
     */
    stream(parameters, options = {}) {
        return streamQuotes(this.#connection, parameters, options);
    }
    #rows(path, parameters, options) {
        return this.#get(path, parameters, { ...json(Array.isArray), options });
    }
    async #get(path, parameters, request) {
        const url = this.#connection.base + path + queryOf({ ...parameters });
        const headers = await authorization(this.#connection);
        const { options = {} } = request;
        return get(this.#connection, { ...request, url, headers, cache: this.#cache, options });
    }
}
/** Reads a JSON body, and checks its outermost type. */
function json(isExpected) {
    const read = (body) => {
        const value = JSON.parse(body);
        if (!isExpected(value))
            throw new TypeError('another type of value');
        return value;
    };
    return { read, type: 'application/json' };
}
function isObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
//# sourceMappingURL=client.js.map