import { isAny, isListed } from '../entity-tag.ts';
import { wantedCodings } from '../negotiation.ts';
import type { Coding } from '../negotiation.ts';
import type { CodedBody, PlaygroundFile } from '../playground-file.ts';
import type { PublicRoute } from '../public-route.ts';
import { addVary } from '../vary.ts';

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
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'x-frame-options': 'DENY',
} as const;

/** A name with a hash in it changes with the content, so a browser need never ask for it again. */
const hashedFolder = 'assets/';

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
  };
  return {
    path: file.name === 'index.html' ? '/' : `/${file.name}`,
    isOpen: true,
    handle: (request, reply) => {
      const { 'accept-encoding': accepted, 'if-none-match': held } = request.headers;
      const { coding, bytes, etag } = bodyIn(file, wantedCodings(accepted));
      void addVary(reply, 'Accept-Encoding').headers({ ...headers, etag });
      if (held !== undefined && (isAny(held) || isListed(held, etag))) {
        return reply.code(304).send();
      }
      void reply.header('content-type', file.mediaType);
      if (coding !== 'identity') void reply.header('content-encoding', coding);
      return reply.send(bytes);
    },
  };
}

/** The form that suits the client best of those that the build made; the plain one if need be. */
function bodyIn({ name, bodies }: PlaygroundFile, codings: readonly Coding[]): CodedBody {
  const best = codings.find((coding) => bodies.has(coding)) ?? 'identity';
  const body = bodies.get(best);
  if (body === undefined) throw new Error(`${name} has no plain body`);
  return body;
}

/** The page finds its service beside itself, which needs the slash at the end of its address. */
function slashRoute(basePath: string): PublicRoute {
  return {
    path: '',
    isOpen: true,
    handle: (_request, reply) => reply.redirect(`${basePath}/`, 308),
  };
}
