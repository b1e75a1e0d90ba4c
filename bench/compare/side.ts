import type { Case, Question } from './cases.ts';
import type { Dataset } from './dataset.ts';

/** What every side is started with. */
export interface Setup {
  readonly dataset: Dataset;
  /** For what outlives a run: a rival's loaded database. */
  readonly cache: string;
  /** For what does not. */
  readonly scratch: string;
  readonly key: string;
  /** For the sides that speak TLS; undefined where OpenSSL is not installed. */
  readonly certificate: CertificateFiles | undefined;
  /** Our own answers by case, for those who serve the same bytes; and all quotes, for databases. */
  readonly answers: ReadonlyMap<string, OwnAnswer>;
  readonly quotes: readonly WireQuote[];
}

/** An answer of ours as it was sent. */
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

/** A certificate and its key, in files. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** One of those compared. */
export interface Side {
  readonly name: string;
  readonly title: string;
  /** What it takes and this machine has not, in words; undefined when all is there. */
  missing(): Promise<string | undefined>;
  start(setup: Setup): Promise<RunningSide>;
}

/** A side that answers. Disposing it stops all its processes. */
export interface RunningSide extends AsyncDisposable {
  readonly origin: string;
  /** Where it speaks TLS, with HTTP/1.1 and HTTP/2, beside {@link origin}. */
  readonly secureOrigin?: string | undefined;
  /** What it takes as the bearer's key. */
  readonly key: string;
  /** The processes whose time and memory count, with their descendants. */
  readonly pids: readonly number[];
  readonly version: string;
  /** The request target of a question, in this side's own words. */
  target(question: Question): string;
  /** Whether an answer says what ours says. */
  agrees(body: Buffer, own: OwnAnswer, one: Case): boolean;
  /** Where updates go; undefined where none can come in. */
  readonly updates?: UpdateTarget | undefined;
}

/** Where and how a side takes updates. */
export interface UpdateTarget {
  readonly url: string;
  readonly authorization: string;
  readonly format: 'ndjson' | 'json' | 'line-protocol';
}

/** Whether two bodies are the same bytes. */
export function sameBytes(body: Buffer, own: OwnAnswer): boolean {
  return body.equals(own.body);
}

/** Whether two bodies are the same JSON value, however it is spelt. */
export function sameJson(body: Buffer, own: OwnAnswer): boolean {
  return canonicalJson(body) === canonicalJson(own.body);
}

function canonicalJson(bytes: Buffer): string {
  return JSON.stringify(JSON.parse(bytes.toString()));
}
