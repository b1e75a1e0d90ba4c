import { LRUCache } from 'lru-cache';

import type { Board } from '../../board/board.ts';
import type { Bonds } from '../../domain/bonds/bonds.ts';
import { DollarRates } from '../../domain/dollars/dollar-rates.ts';
import type { DollarFilter } from '../../domain/dollars/dollar-rates.ts';
import { extrasOf } from '../../domain/quotes/quote-extra.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import { dollarTable } from '../../wire/bodies/dollar-body.ts';
import { dollarParameters, parseDollarParams } from '../../wire/params/reference/dollar-params.ts';
import type { TableFormat } from '../../wire/params/table-format.ts';
import { Body } from '../content/body.ts';
import type { Content, TableSource } from '../content/content.ts';
import { mediaTypeOf } from '../content/negotiation.ts';
import { missingFields } from '../handler/response-draft.ts';

/** Maximum number of cached responses, of at most 100 KiB each. */
const responsesMax = 64;

/** A response, and the revision of the board at which it was last compared. */
interface Rendered {
  readonly text: string;
  readonly content: Content;
  comparedAt: number;
}

/**
 * The dollars (contract 4.12), computed at the first request after a change of any quote. A response whose
 * text is the same keeps its body, so that its encodings and its tag remain.
 */
export function dolares({
  board,
  bonds,
}: {
  readonly board: Board;
  readonly bonds: Bonds;
}): TableSource {
  const rates = new DollarRates(board.universe, bonds);
  const latest = board.latestFor(extrasOf(['bid', 'ask']));
  const rendered = new LRUCache<string, Rendered>({ max: responsesMax });

  const render = (filter: DollarFilter, format: TableFormat, known: Rendered | undefined) => {
    const comparedAt = latest.revision;
    const rows = rates.select(filter, (instrument) => latest.quote(instrument));
    const text = dollarTable.render(rows, format);
    if (known?.text === text) {
      known.comparedAt = comparedAt;
      return known;
    }
    const parts = [Buffer.from(text)];
    const body = new Body({ type: mediaTypeOf(format), parts, mayCompress: () => true });
    const isMissing = filter.base !== undefined && rows.length === 0;
    const fields = missingFields(isMissing ? [filter.base] : []);
    return { text, content: { body, fields }, comparedAt };
  };

  return {
    path: '/dolares',
    parameters: dollarParameters,
    clear: () => rendered.clear(),
    find: (rawQuery, format): Parsed<Content> => {
      const key = `${format} ${rawQuery}`;
      const known = rendered.get(key);
      if (known?.comparedAt === latest.revision) return { ok: true, value: known.content };
      const filter = parseDollarParams(rawQuery);
      if (!filter.ok) return filter;
      const fresh = render(filter.value, format, known);
      if (fresh !== known) rendered.set(key, fresh);
      return { ok: true, value: fresh.content };
    },
  };
}
