import type { ApiKeyRecord, KeyScope } from '../../domain/access/api-key.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import type { TableFormat } from '../../contract/table-format.ts';
import type { ResponseDraft } from './response-draft.ts';
import type { Fields } from './fields.ts';
import type { Departure, Request } from './request.ts';

/** One path of a listener. */
export interface Route {
  /** GET answers HEAD too. */
  readonly method: 'GET' | 'POST';
  /** Without the base path. */
  readonly path: string;
  /** The scope of the keys that open it; undefined for an open path. */
  readonly scope: KeyScope | undefined;
  /** Whether it is answered over plain HTTP from any address, to a request without a key. */
  readonly isHealthCheck?: true;
  /** Whether a key in the path of the URL opens it too (contract 5.5). */
  readonly opensToUrlKeys?: true;
  /** Whether its response lasts until the client leaves. */
  readonly isStream?: true;
  /** Whether it reads the body of a request. */
  readonly takesBody?: true;
  /** Fields that replace standing fields of the same name. */
  readonly standing?: Readonly<Record<string, string>>;
  /** Answers an admitted request. A mistake or a fault may be thrown: it becomes a 500. */
  respond(visit: Visit): ResponseDraft | Promise<ResponseDraft>;
}

/** What the path of a target names. */
export interface Place {
  /** The path without a key: it may be logged and shown. */
  readonly path: string;
  /** The route of the path, whatever the method. */
  readonly at: Route | undefined;
  /** Whether the path began with the prefix of keys, which is no longer in it. */
  readonly hasKeyPrefix: boolean;
  /** The key of the path. Undefined without the prefix, and where the listener accepts no key in a URL. */
  readonly urlKey: string | undefined;
}

/** What surrounds a request: who sent it, and the fields that every response to it has. */
export interface Surroundings {
  /** The address of the client, which a trusted proxy may have named. */
  readonly remote: string;
  readonly fields: readonly Fields[];
}

/** What the handler reads from the head of a request, before anything is decided. */
export interface HeadReading extends Surroundings, Place {
  /** The query as sent. */
  readonly query: string;
  /** The route that serves the path with the method; undefined if there is none. */
  readonly route: Route | undefined;
  /** The whole path of the route, or `unknown`: never what a client sent. */
  readonly routeName: string;
  /** What steps have derived from the head alone. They need not derive it again for the same bytes. */
  readonly derived: Derived;
}

/** See {@link HeadReading}. Each is undefined until it is known. */
interface Derived {
  presentedKey: string | undefined;
  /** Whether the message breaks no rule. */
  isAcceptable: boolean | undefined;
  /** The format of the table that is requested. */
  tableFormat: Parsed<TableFormat> | undefined;
  /** The query without the parameters that the route does not know. */
  knownQuery: string | undefined;
}

/** Who waits for a response. */
export interface Caller {
  /** The key that opened the path; undefined before that, and on an open path. */
  key: ApiKeyRecord | undefined;
  /** Absent where the carrier does not report it. */
  readonly departure: Departure | undefined;
}

/** A request on its way through the steps. */
export interface Visit extends Caller {
  readonly request: Request;
  readonly reading: HeadReading;
  /** When it began, in epoch milliseconds. */
  readonly now: number;
  /** The fields that report the limit of the client. */
  limits: Fields | undefined;
  /** Whether the connection closes after the response, whatever the response is. */
  closes: boolean;
}

/** Decides about a request, or passes it to the next step. */
export type Step = (visit: Visit) => ResponseDraft | undefined;
