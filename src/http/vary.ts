import type { FastifyReply } from 'fastify';

/** The one `Vary` value of a response, from the fields that it depends on for several reasons. */
export function varyOn(...lists: readonly (string | undefined)[]): string {
  const names = new Map<string, string>();
  for (const list of lists) {
    for (const name of list?.split(', ') ?? []) names.set(name.toLowerCase(), name);
  }
  return [...names.values()].join(', ');
}

/**
 * Adds request fields to those that a response depends on. A hook may have named others before, and
 * a header that is set twice keeps only the last value.
 *
 * Source: RFC 9110 12.5.5.
 */
export function addVary(reply: FastifyReply, fields: string): FastifyReply {
  const before = reply.getHeader('vary');
  return reply.header('vary', varyOn(fields, before === undefined ? undefined : String(before)));
}
