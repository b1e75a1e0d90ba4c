import type { Clock } from '../../lib/clock.ts';
import { fillFigures } from '../../wire/contract-figures.ts';
import type { ContractFigures } from '../../wire/contract-figures.ts';
import { jsonType } from '../answer.ts';
import { Body } from '../body.ts';
import type { PublicRoute } from '../public-route.ts';
import { sendBody } from '../send-body.ts';

/**
 * The machine-readable contract: `contract/openapi.yaml` as JSON, with the base path of this
 * installation as its server, and with the limits that are set.
 */
export function openapiJsonRoute({
  document,
  basePath,
  figures,
  clock,
}: {
  readonly document: Readonly<Record<string, unknown>>;
  readonly basePath: string;
  readonly figures: ContractFigures;
  readonly clock: Clock;
}): PublicRoute {
  const servers = [{ url: basePath === '' ? '/' : basePath }];
  const bytes = Buffer.from(JSON.stringify({ ...fillFigures(document, figures), servers }));
  const body = new Body({ type: jsonType, parts: [bytes], mayCompress: () => true });
  return {
    path: '/openapi.json',
    isOpen: true,
    handle: (request, reply) =>
      sendBody(request, reply, { content: { body, headers: [] }, now: clock.now() }),
  };
}
