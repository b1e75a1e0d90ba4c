import { Negotiator } from '@fastify/accept-negotiator';

import type { PlaygroundFile } from '../playground-file.ts';
import type { PublicRoute } from '../public-route.ts';

/**
 * What a page of the playground may do: run its own scripts, wear its own styles and talk to its own
 * service. Nothing inline, nothing from elsewhere, and no place in anyone's frame.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
} as const;

/** A name with a hash in it changes with the content, so a browser need never ask for it again. */
const hashedFolder = 'assets/';

const codings = new Negotiator({ supportedValues: ['br', 'gzip', 'identity'] });

/**
 * The playground: one open route for each of its files, `index.html` at the root. The bytes, their
 * compressed forms and their ETags are there before the first request.
 */
export function playgroundRoutes({
  files,
  basePath,
}: {
  readonly files: readonly PlaygroundFile[];
  readonly basePath: string;
}): readonly PublicRoute[] {
  const routes = files.map(fileRoute);
  return files.length === 0 || basePath === '' ? routes : [...routes, slashRoute(basePath)];
}

function fileRoute(file: PlaygroundFile): PublicRoute {
  const isHashed = file.name.startsWith(hashedFolder);
  const headers = {
    ...(file.name.endsWith('.html') ? pageHeaders : {}),
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    'content-type': file.mediaType,
    vary: 'accept-encoding',
  };
  return {
    path: file.name === 'index.html' ? '/' : `/${file.name}`,
    isOpen: true,
    handle: (request, reply) => {
      const asked = request.headers['accept-encoding'];
      const coding = asked === undefined ? 'identity' : (codings.negotiate(asked) ?? 'identity');
      const [used, body] = bodyIn(file, coding);
      void reply.headers({ ...headers, etag: body.etag });
      if (isKnown(request.headers['if-none-match'], body.etag)) return reply.code(304).send();
      if (used !== 'identity') void reply.header('content-encoding', used);
      return reply.send(body.bytes);
    },
  };
}

function bodyIn({ name, bodies }: PlaygroundFile, coding: string) {
  const coded = bodies.get(coding);
  if (coded !== undefined) return [coding, coded] as const;
  const plain = bodies.get('identity');
  if (plain === undefined) throw new Error(`${name} has no plain body`);
  return ['identity', plain] as const;
}

/** Whether the client holds these bytes already (RFC 9110 13.1.2, weak comparison). */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const held = new Set(ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, '')));
  return held.has(etag) || held.has('*');
}

/** The page finds its service beside itself, which needs the slash at the end of its address. */
function slashRoute(basePath: string): PublicRoute {
  return {
    path: '',
    isOpen: true,
    handle: (_request, reply) => reply.redirect(`${basePath}/`, 308),
  };
}
