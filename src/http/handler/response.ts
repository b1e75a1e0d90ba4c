import type { ResponseDraft } from './response-draft.ts';
import type { Fields } from './fields.ts';

/** What the metrics and the access log say about a request. */
interface Account {
  /** The path of the route, or `unknown`: never what a client sent. */
  readonly route: string;
  readonly method: string;
  /** The path of the request, without the query. */
  readonly path: string;
  readonly remote: string;
  readonly keyId: string | undefined;
}

/** A whole response. A carrier writes it as it is. */
export interface Response extends Pick<ResponseDraft, 'status' | 'body' | 'stream'> {
  /** All fields except `Date` and those of the connection, in order. */
  readonly fields: readonly Fields[];
  /** Whether the connection closes after it, whatever the client asks for. */
  readonly closes: boolean;
  /** Whether the rest of the request's body is read before the connection closes. */
  readonly drainsBody: boolean;
  readonly account: Account;
}
