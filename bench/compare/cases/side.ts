import type { CertificateFiles } from '../../../src/node/listeners/open-transport.ts';
import type { Case, Question } from './cases.ts';
import type { Dataset } from './dataset.ts';

/** The name of Pizarra's figures. */
export const ownName = 'pizarra';

/** The name of Pizarra's figures with the history that `--scale` does not multiply. */
export const unscaledName = 'unscaled';

/** The parameters for starting a side. */
export interface Setup {
  readonly dataset: Dataset;
  /** Directory for data that are cached between runs, such as a rival's database. */
  readonly cache: string;
  /** Directory for temporary data. */
  readonly scratch: string;
  readonly key: string;
  /** The certificate of sides with TLS. Undefined without OpenSSL. */
  readonly certificate: CertificateFiles | undefined;
  /** Pizarra's responses by case, for sides that serve the same bytes; and all quotes, for databases. */
  readonly answers: ReadonlyMap<string, OwnAnswer>;
  readonly quotes: readonly WireQuote[];
}

/** A response of Pizarra. */
export interface OwnAnswer {
  readonly target: string;
  readonly body: Buffer;
  readonly contentType: string;
}

/** A quote of the contract, as the rivals store it. */
export interface WireQuote {
  readonly especie: string;
  readonly fecha: string;
  readonly hora?: string;
  readonly ultimo: number;
  readonly variacion: number | null;
  readonly anterior?: number;
  readonly apertura?: number;
  readonly minimo?: number;
  readonly maximo?: number;
  readonly varMTD: number | null;
  readonly varYTD: number | null;
  readonly volumen: number | null;
}

/** One side of the comparison. */
export interface Side {
  readonly name: string;
  readonly title: string;
  /** The missing program; undefined when all are installed. */
  missing(): Promise<string | undefined>;
  start(setup: Setup): Promise<RunningSide>;
}

/** A running side. Disposing it stops all its processes. */
export interface RunningSide extends AsyncDisposable {
  readonly origin: string;
  /** The origin with TLS, for HTTP/1.1 and HTTP/2, in addition to {@link origin}. */
  readonly secureOrigin?: string | undefined;
  /** The bearer key that it accepts. */
  readonly key: string;
  /** The processes that are measured, together with their descendants. */
  readonly pids: readonly number[];
  readonly version: string;
  /** The request target of a question, in the interface of this side. */
  target(question: Question): string;
  /** Whether a response has the same content as Pizarra's. */
  agrees(body: Buffer, own: OwnAnswer, one: Case): boolean;
  /** The target of updates; undefined when the side does not support them. */
  readonly updates?: UpdateTarget | undefined;
}

/** The address and the format in which a side accepts updates. */
export interface UpdateTarget {
  readonly url: string;
  readonly authorization: string;
  readonly format: 'ndjson' | 'json' | 'line-protocol';
}

/** Whether two bodies have the same bytes. */
export function sameBytes(body: Buffer, own: OwnAnswer): boolean {
  return body.equals(own.body);
}

/** Whether two bodies have the same JSON value. */
export function sameJson(body: Buffer, own: OwnAnswer): boolean {
  return canonicalJson(body) === canonicalJson(own.body);
}

function canonicalJson(bytes: Buffer): string {
  return JSON.stringify(JSON.parse(bytes.toString()));
}
