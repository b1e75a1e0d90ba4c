import { detailFields } from './market/detail-fields.ts';
import { streamPath } from './market/api/early.ts';
import { firstPanel } from './market/first-panel.ts';
import { joinedQuery } from './market/stream/joined-selection.ts';
import { defaultStrip } from './shell/strip/strip-choice.ts';

/**
 * The requests whose responses the first board of a new visitor shows, as its modules send them: the state of
 * the service, the members of the panel, and the quotes of the panel and of the strip.
 *
 * @param isSplit whether the screen has room for an instrument beside the table.
 * @returns the path of each, and the key if it needs one.
 */
export function firstRequests(
  key: string,
  isSplit: boolean,
): readonly (readonly [path: string, key?: string])[] {
  const board = { panel: firstPanel };
  const strip = { tickers: defaultStrip.tickers.toSorted() };
  const fields = isSplit ? detailFields.toSorted() : [];
  return [
    ['/healthz'],
    [`/especies.txt?${joinedQuery([board])}`, key],
    [streamPath(joinedQuery([{ ...board, fields }, strip])), key],
  ];
}
