import { isInForce } from '../../domain/quotes/set-aside-base.ts';
import type { StoredQuote } from '../../domain/quotes/stored-quote.ts';
import { fine, warning, type Finding } from '../../lib/reports/finding.ts';
import { describeSetAside, remedyFor } from '../../pipeline/live/report-judged.ts';

/** Lists the stored closes that live prices contradict, each with what mends it. */
export function checkCloses(quotes: readonly StoredQuote[]): Finding {
  const cases = quotes.flatMap(({ ticker, setAside: mark }) =>
    isInForce(mark) ? [`${describeSetAside(ticker, mark)}; ${remedyFor(ticker, mark)}`] : [],
  );
  if (cases.length === 0) return fine('closes', 'Live prices contradict no stored close.');
  return warning('closes', 'Live prices contradict stored closes, so variations are missing.', {
    todo: 'Mend each close as its line says.',
    cases,
  });
}
