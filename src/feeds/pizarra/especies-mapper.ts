import { FeedFault } from '../contract/feed.ts';
import { readJson, type FetchedBody } from '../net/read-body.ts';
import { asRecord } from '../shapes/as-record.ts';
import { sourceCharsMax } from './quote-mapper.ts';

/** An instrument of the origin (contract 4.4.2). */
export interface OriginInstrument {
  readonly ticker: string;
  /** The name of the source in use there. Absent for none, and for a derived instrument. */
  readonly source?: string;
  /** The delay of that source, in minutes. Absent if it is not known. */
  readonly delayMinutes?: number;
}

/**
 * Maps the body of `/especies.json`.
 *
 * @throws FeedFault `unintelligible` for anything else, which no Pizarra sends.
 */
export function mapEspecies(body: FetchedBody): readonly OriginInstrument[] {
  const rows = readJson(body);
  if (!Array.isArray(rows)) throw notPizarra();
  return rows.map((row: unknown) => {
    const { especie, fuente, demoraMinutos } = asRecord(row) ?? {};
    if (typeof especie !== 'string') throw notPizarra();
    return {
      ticker: especie,
      ...(typeof fuente === 'string' ? { source: fuente.slice(0, sourceCharsMax) } : {}),
      ...(typeof demoraMinutos === 'number' ? { delayMinutes: demoraMinutos } : {}),
    };
  });
}

function notPizarra(): FeedFault {
  return new FeedFault(
    'unintelligible',
    '/especies.json is not that of a Pizarra: url is the part before /cotizaciones',
  );
}
