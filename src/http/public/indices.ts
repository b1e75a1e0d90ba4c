import { LRUCache } from 'lru-cache';

import { firstEpochDay, lastEpochDay, toEpochDay } from '../../domain/calendar/plain-date.ts';
import { indexNames } from '../../domain/indices/index-name.ts';
import type { IndexSeries } from '../../domain/indices/index-series.ts';
import { indexListTable, indexValueTable } from '../../wire/bodies/reference/index-body.ts';
import { indexParameters, parseIndexParams } from '../../wire/params/reference/index-params.ts';
import type { IndexQuery } from '../../wire/params/reference/index-params.ts';
import type { TableFormat } from '../../wire/params/table-format.ts';
import { Body } from '../content/body.ts';
import type { Content, TableSource } from '../content/content.ts';
import { mediaTypeOf } from '../content/negotiation.ts';
import { Fields } from '../handler/fields.ts';

/** Maximum number of cached contents and of their characters. All values of CER in JSON have about 450,000. */
const cachedMax = 256;
const cachedCharactersMax = 8 * 2 ** 20;

/** Maximum length of a query whose content is cached. */
const cachedQueryLengthMax = 256;

/** A rendered content. It is valid while the service has these values. */
interface Rendered {
  readonly content: Content;
  readonly series: IndexSeries;
  readonly characters: number;
}

/** The indices with their first and last days, or the values of one of them (contract 4.14). */
export function indices({
  indices: current,
}: {
  /** Gives the values of all indices. */
  readonly indices: () => IndexSeries;
}): TableSource {
  const cached = new LRUCache<string, Rendered>({
    max: cachedMax,
    maxSize: cachedCharactersMax,
    sizeCalculation: ({ characters }) => characters,
  });
  return {
    path: '/indices',
    parameters: indexParameters,
    clear: () => cached.clear(),
    find: (rawQuery, format) => {
      const key = `${format} ${rawQuery}`;
      const series = current();
      const held = cached.get(key);
      if (held?.series === series) return { ok: true, value: held.content };
      const query = parseIndexParams(rawQuery);
      if (!query.ok) return query;
      const text = textOf(series, query.value, format);
      const parts = [Buffer.from(text)];
      const body = new Body({ type: mediaTypeOf(format), parts, mayCompress: () => true });
      const content = { body, fields: Fields.none };
      if (rawQuery.length <= cachedQueryLengthMax) {
        cached.set(key, { content, series, characters: text.length });
      }
      return { ok: true, value: content };
    },
  };
}

function textOf(series: IndexSeries, query: IndexQuery, format: TableFormat): string {
  if (query.index === undefined) {
    const list = indexNames.map((index) => ({ index, extent: series.extent(index) }));
    return indexListTable.render(list, format);
  }
  const { index, from, to } = query;
  const first = from === undefined ? firstEpochDay : toEpochDay(from);
  const last = to === undefined ? lastEpochDay : toEpochDay(to);
  const rows = series.range(index, first, last).map((one) => ({ index, ...one }));
  return indexValueTable.render(rows, format);
}
