import type { PanelCode } from '../../domain/instruments/panel.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import { tickerOptions } from '../../wire/openbb/instrument-options.ts';
import { tickerOptionsPath } from '../../wire/openbb/widget-params.ts';
import { listParameters, parseListParams } from '../../wire/params/list-params.ts';
import type { Content, ContentSource } from '../content/content.ts';
import { jsonContent } from '../udf/json-content.ts';

/** The options of a ticker: all instruments, or the members of a panel (contract 4.17.5). */
export function widgetsEspecies(universe: Universe): ContentSource {
  const contents = new Map<PanelCode | undefined, Parsed<Content>>();
  return {
    path: `/${tickerOptionsPath}`,
    parameters: listParameters,
    find: (rawQuery) => {
      const panel = parseListParams(rawQuery);
      if (!panel.ok) return panel;
      return contents.getOrInsertComputed(panel.value, (code) =>
        jsonContent(JSON.stringify(tickerOptions(universe.listOf(code)))),
      );
    },
  };
}
