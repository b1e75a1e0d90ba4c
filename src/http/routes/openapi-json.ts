import { sendJson } from '../answer.ts';
import type { PublicRoute } from '../public-route.ts';

/**
 * The machine-readable contract: `contract/openapi.yaml` as JSON, with the base path of this
 * installation as its server.
 */
export function openapiJsonRoute({
  document,
  basePath,
}: {
  readonly document: Readonly<Record<string, unknown>>;
  readonly basePath: string;
}): PublicRoute {
  const servers = [{ url: basePath === '' ? '/' : basePath }];
  const body = JSON.stringify({ ...document, servers });
  return {
    path: '/openapi.json',
    isOpen: true,
    handle: (_request, reply) => sendJson(reply, body),
  };
}
