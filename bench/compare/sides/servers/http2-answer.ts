/** A response with all that `bare-http2-server.ts` sends of it. */
export interface Http2Answer {
  readonly target: string;
  /** The fields of the head, except `Date`, which Node adds. */
  readonly head: Readonly<Record<string, string | number>>;
  /** The fields of a 304. */
  readonly unchangedHead: Readonly<Record<string, string | number>>;
  /** In base64. */
  readonly body: string;
}
