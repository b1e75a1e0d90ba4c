import { fillFigures, type ContractFigures } from '../../wire/texts/contract-figures.ts';
import { Body } from '../content/body.ts';
import { contentDraft } from '../content/content-draft.ts';
import type { Content } from '../content/content.ts';
import { jsonType } from '../handler/response-draft.ts';
import { Fields } from '../handler/fields.ts';
import type { Route } from '../handler/visit.ts';

/**
 * The machine-readable contract: `contract/openapi.json`, with the base path of this
 * installation as its server, and with the configured limits.
 */
export function openapiJson({
  document,
  basePath,
  figures,
}: {
  /** Parses the document. Called once, at the first request. */
  readonly document: () => Readonly<Record<string, unknown>>;
  readonly basePath: string;
  readonly figures: ContractFigures;
}): Route {
  let rendered: Content | undefined;
  const render = (): Content => {
    const servers = [{ url: basePath === '' ? '/' : basePath }];
    const bytes = Buffer.from(JSON.stringify({ ...fillFigures(document(), figures), servers }));
    const body = new Body({ type: jsonType, parts: [bytes], mayCompress: () => true });
    return { body, fields: Fields.none };
  };
  return {
    method: 'GET',
    path: '/openapi.json',
    scope: undefined,
    respond: (visit) => contentDraft((rendered ??= render()), visit),
  };
}
