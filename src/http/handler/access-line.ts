/** What is logged of a response. */
export interface AccessLine {
  readonly keyId: string | undefined;
  readonly remote: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  /** From the request's arrival until the client has taken the response, in milliseconds. */
  readonly ms: number;
}
