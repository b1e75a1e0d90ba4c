import { singleOf, type Request } from '../handler/request.ts';

// The scheme is compared without regard to case (RFC 9110 11.1). One space or more follows it.
const bearer = /^bearer +(\S+)$/i;

/** The key in the Authorization field; undefined if there is none. */
export function presentedKey({ headers }: Pick<Request, 'headers'>): string | undefined {
  return bearer.exec(singleOf(headers['authorization']) ?? '')?.[1];
}
