import { ServiceFault } from './service-fault.ts';

/** Maximum time for a response, in milliseconds. Agents give up on a tool after a minute or so. */
const answerWithinMs = 15_000;

/** Maximum size of a body, in bytes. Thirty years of closes of an instrument have less than one million. */
const bodyBytesMax = 32 * 1024 * 1024;

/** An object of a JSON body. */
export type ResponseRow = Readonly<Record<string, unknown>>;

/**
 * The rows of a table of the contract, and the names in its headers. If the service leaves names out, the
 * last one is `…+N` (contract 4.1.5).
 */
export interface Rows {
  readonly rows: readonly ResponseRow[];
  /** Unknown tickers, and tickers without a quote. */
  readonly missing: readonly string[];
  /** The ex dates of dividends that an adjustment leaves out (contract 4.2.7). */
  readonly missingDividends: readonly string[];
}

export type Query = Readonly<Record<string, string | undefined>>;

interface Kept {
  readonly etag: string;
  readonly body: unknown;
}

/**
 * Reads the public listener of a running service with a key. It has no other way to the data, so the rules
 * of the listener (keys, limits, adjustment) apply to agents as to every other client.
 */
export class ServiceClient {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;
  /** The last body of each kept path, for `If-None-Match` (contract 4.5.4). */
  readonly #kept = new Map<string, Kept>();

  /** @param options.url the root of the public listener, base path included. */
  constructor({ url, key }: { readonly url: string; readonly key: string }) {
    this.#base = url.replace(/\/+$/, '');
    this.#headers = { authorization: `Bearer ${key}`, accept: 'application/json' };
  }

  /**
   * Requests a table.
   *
   * @throws ServiceFault when the service does not respond, or not with 200 and rows.
   */
  async rows(path: string, query: Query = {}): Promise<Rows> {
    const response = await this.#request(path, query);
    const { headers } = response;
    return {
      rows: this.#rowsIn(await this.#json(response)),
      missing: [
        ...namesIn(headers.get('missing-especies')),
        ...namesIn(headers.get('missing-terminos')),
      ],
      missingDividends: namesIn(headers.get('missing-dividendos')),
    };
  }

  /** As {@link rows}, for a whole table that changes rarely: an unchanged one is not sent again. */
  async keptRows(path: string, query: Query = {}): Promise<readonly ResponseRow[]> {
    const target = `${path} ${JSON.stringify(query)}`;
    const kept = this.#kept.get(target);
    const response = await this.#request(path, query, kept?.etag);
    if (response.status === 304 && kept !== undefined) return this.#rowsIn(kept.body);
    const body = await this.#json(response);
    const etag = response.headers.get('etag');
    if (etag !== null) this.#kept.set(target, { etag, body });
    return this.#rowsIn(body);
  }

  /** Requests a path whose body is one object. @throws ServiceFault as {@link rows}. */
  async object(path: string): Promise<ResponseRow> {
    const body = await this.#json(await this.#request(path, {}));
    if (isRow(body)) return body;
    throw this.#notPizarra();
  }

  async #request(path: string, query: Query, etag?: string): Promise<Response> {
    const given = Object.entries(query).filter(
      (one): one is [string, string] => one[1] !== undefined,
    );
    const search = given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
    const headers =
      etag === undefined ? this.#headers : { ...this.#headers, 'if-none-match': etag };
    let response: Response;
    try {
      response = await fetch(`${this.#base}${path}${search}`, {
        headers,
        // The key must not follow a redirect to another server.
        redirect: 'manual',
        signal: AbortSignal.timeout(answerWithinMs),
      });
    } catch (fault) {
      throw this.#unreachable(fault);
    }
    if (response.status === 200 || (response.status === 304 && etag !== undefined)) return response;
    throw await this.#refusal(response);
  }

  async #json(response: Response): Promise<unknown> {
    const text = await this.#text(response);
    try {
      return JSON.parse(text);
    } catch {
      throw this.#notPizarra();
    }
  }

  async #text(response: Response): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    let bytes = 0;
    try {
      for await (const chunk of response.body ?? []) {
        bytes += chunk.byteLength;
        if (bytes > bodyBytesMax) break;
        text += decoder.decode(chunk, { stream: true });
      }
    } catch (fault) {
      throw this.#unreachable(fault);
    }
    if (bytes <= bodyBytesMax) return text + decoder.decode();
    throw new ServiceFault(
      `La respuesta de ${this.#base} supera ${bodyBytesMax} bytes. Pedir un rango más corto.`,
    );
  }

  #rowsIn(body: unknown): readonly ResponseRow[] {
    if (Array.isArray(body) && body.every(isRow)) return body;
    throw this.#notPizarra();
  }

  /** The error text of the service is complete, in Spanish, and names what would be valid (contract 2.3). */
  async #refusal(response: Response): Promise<ServiceFault> {
    const { status } = response;
    const body = await this.#json(response).catch(() => undefined);
    const text = isRow(body) && typeof body['error'] === 'string' ? body['error'] : '';
    if (status === 401) {
      return new ServiceFault(
        `El servicio de ${this.#base} no acepta la clave. ${text} Crear una con "pizarra keys create --name agente" y configurarla en PIZARRA_KEY.`,
      );
    }
    const after = response.headers.get('retry-after');
    const advice = after === null ? '' : ` Reintentar en ${after} s.`;
    if (text !== '') return new ServiceFault(`${text}${advice}`);
    return status >= 300 && status < 400
      ? new ServiceFault(
          `${this.#base} redirige a otra dirección (${status}). Configurar la dirección definitiva en --url.`,
        )
      : new ServiceFault(`El servicio de ${this.#base} respondió ${status}.${advice}`);
  }

  #unreachable(fault: unknown): ServiceFault {
    return new ServiceFault(
      `No se pudo leer ${this.#base}: ${reasonOf(fault)}. Comprobar que el servicio esté en marcha ("pizarra doctor") y la dirección de --url.`,
      { cause: fault },
    );
  }

  #notPizarra(): ServiceFault {
    return new ServiceFault(
      `La respuesta de ${this.#base} no es la de un servicio Pizarra. Comprobar la dirección de --url.`,
    );
  }
}

function isRow(value: unknown): value is ResponseRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A row without one of its fields. */
export function without(row: ResponseRow, name: string): ResponseRow {
  return Object.fromEntries(Object.entries(row).filter(([field]) => field !== name));
}

/** The names of a `Missing-…` header (contract 4.1.5). A part that cannot be decoded is kept as sent. */
function namesIn(header: string | null): readonly string[] {
  if (header === null || header === '') return [];
  return header.split(',').map((name) => {
    try {
      return decodeURIComponent(name);
    } catch {
      return name;
    }
  });
}

/** `fetch` hides the reason, such as ECONNREFUSED, in the cause of its error. */
function reasonOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  if (fault.name === 'TimeoutError') return `no respondió en ${answerWithinMs / 1000} s`;
  const { cause } = fault;
  if (!(cause instanceof Error)) return fault.message;
  const { code } = cause as NodeJS.ErrnoException;
  return code === undefined ? cause.message : `${code} ${cause.message}`.trim();
}
