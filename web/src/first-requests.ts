import { detailFields } from './market/detail-fields.ts';
import { streamPath, streamRequest } from './market/api/stream-request.ts';
import type { ServiceRequest } from './market/api/service-request.ts';
import { firstPanel } from './market/panels.ts';
import { joinedQuery } from './market/stream/joined-selection.ts';
import { defaultStrip } from './shell/strip/strip-choice.ts';

/** A request, by its path. */
export type FirstRequest = readonly [path: string, request: ServiceRequest];

/**
 * The requests whose responses the first board of a new visitor shows, as its modules send them: the state of
 * the service, the members of the panel, and the quotes of the panel and of the strip.
 *
 * @param isSplit whether the screen has room for an instrument beside the table.
 */
export function firstRequests(key: string, isSplit: boolean): readonly FirstRequest[] {
  const board = { panel: firstPanel };
  const strip = { tickers: defaultStrip.tickers.toSorted() };
  const fields = isSplit ? detailFields.toSorted() : [];
  return [
    ['/healthz', {}],
    [`/especies.txt?${joinedQuery([board])}`, { key }],
    [streamPath(joinedQuery([{ ...board, fields }, strip])), streamRequest(key)],
  ];
}
