import type { CorporateActions } from '../../domain/history/corporate-actions.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import { secondsPerDay } from '../../wire/udf/chart-cells.ts';
import { marksJson } from '../../wire/udf/marks-body.ts';
import { tickerIn } from '../../wire/udf/udf-names.ts';
import { markParameters, parseMarkParams } from '../../wire/udf/udf-params.ts';
import type { ContentSource } from '../content/content.ts';
import { jsonContent } from './json-content.ts';
import { KeptTexts } from './kept-texts.ts';

const none = jsonContent('[]');

/** The corporate actions of an instrument as marks on the time scale (contract 4.15.10). */
export function timescaleMarks({
  universe,
  actions,
}: {
  readonly universe: Universe;
  /** Gives the corporate actions in force. */
  readonly actions: () => CorporateActions;
}): ContentSource {
  const kept = new KeptTexts();
  return {
    path: '/udf/timescale_marks',
    parameters: markParameters,
    clear: () => kept.clear(),
    find: (rawQuery) => {
      const query = parseMarkParams(rawQuery);
      if (!query.ok) return query;
      const { symbol, from, to } = query.value;
      const instrument = universe.find(tickerIn(symbol));
      if (instrument === undefined) return none;
      const shown = actions()
        .of(instrument.ticker)
        .filter(({ exDay }) => exDay * secondsPerDay >= from && exDay * secondsPerDay <= to);
      return kept.contentOf(rawQuery, marksJson(instrument, shown));
    },
  };
}
