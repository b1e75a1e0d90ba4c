import { panelCodes, type PanelCode } from '../../domain/instruments/panel.ts';
import type { Market } from '../../domain/calendar/market.ts';
import type { OfferedUniverse } from '../../universe/pull/offered-universe.ts';
import { instrumentFields, instrumentFieldNames } from '../../wire/params/instrument-fields.ts';
import { marketFieldNames } from '../../contract/paths/mercados.ts';
import { offeredInstruments, offeredTerms, type OriginRow } from './map-instruments.ts';
import { mapMarkets } from './map-markets.ts';
import type { OriginClient } from './origin-client.ts';

/** What another Pizarra offers, and what it does not say. */
export interface ReadUniverse {
  readonly offered: OfferedUniverse;
  /** What could not be read, or is not as it seems, each a sentence without its final period. */
  readonly notes: readonly string[];
}

/** All fields of an instrument on request, and those that the first versions had. */
const fieldNames = instrumentFields.map((field) => instrumentFieldNames[field]);
const firstFieldNames = fieldNames.slice(0, fieldNames.indexOf('vencimiento'));

/** The fields of a market that the first versions had. */
const firstMarketFieldNames = ['dias', 'horarios', 'cierresAnticipados'];

/**
 * Reads the instruments, markets and panels of another Pizarra. An older one lacks some of their fields,
 * which the notes name.
 *
 * @param year the current one, for a service that gives only the holidays of a year.
 * @throws OperatorFault
 */
export async function readOffered(client: OriginClient, year: number): Promise<ReadUniverse> {
  const notes: string[] = [];
  const rows = await readInstruments(client, notes);
  const instruments = offeredInstruments(rows, notes);
  if (instruments === undefined) throw client.notPizarra('/especies.json');
  const markets = await readMarkets(client, year, notes);
  const codes = new Set(markets.map(({ code }) => code));
  const stray = instruments.find(({ cells }) => !codes.has(cells.market));
  // The service loaded another universe between the two requests, or is none.
  if (stray !== undefined) throw client.notPizarra('/mercados');
  const panels = new Map<PanelCode, readonly string[]>();
  for (const code of panelCodes) {
    // It has the members of BONOS (contract 2.4).
    if (code !== 'BON') panels.set(code, await readPanel(client, code));
  }
  return { offered: { instruments, markets, panels, terms: offeredTerms(rows) }, notes };
}

async function readInstruments(
  client: OriginClient,
  notes: string[],
): Promise<readonly OriginRow[]> {
  const path = '/especies.json';
  for (const names of [fieldNames, firstFieldNames, []]) {
    const query = names.length === 0 ? '' : `?campos=${names.join(',')}`;
    const { status, text, isDemonstration } = await client.get(`${path}${query}`);
    if (status === 200) {
      if (isDemonstration) {
        notes.push(
          'it runs a demonstration: its prices are made up, and its markets are always open',
        );
      }
      if (names !== fieldNames) {
        notes.push(
          'it is an older version: the maturities and the terms of its bonds are not known',
        );
      }
      if (names.length === 0) {
        notes.push('it is an older version: classes in dollars and issuers are not known');
      }
      return rowsIn(text, client, path);
    }
    // An older service refuses a field that it does not have.
    if (status === 404 || names.length === 0) throw client.notPizarra(path);
  }
  throw client.notPizarra(path);
}

async function readMarkets(
  client: OriginClient,
  year: number,
  notes: string[],
): Promise<readonly Market[]> {
  const path = '/mercados';
  const request = (names: readonly string[]) =>
    client.get(`${path}?anio=todos&campos=${names.join(',')}`);
  let all = await request(Object.values(marketFieldNames));
  if (all.status !== 200) {
    all = await request(firstMarketFieldNames);
    notes.push(
      'it is an older version: each session counts as a day of settlement; add the settlementCalendar of its markets in markets.yaml',
    );
  }
  const rows: OriginRow[] = [];
  if (all.status === 200) rows.push(...rowsIn(all.text, client, path));
  else {
    for (const one of [year - 1, year, year + 1]) {
      const { status, text } = await client.get(`${path}?anio=${one}`);
      if (status !== 200) throw client.notPizarra(path);
      rows.push(...rowsIn(text, client, path));
    }
  }
  const markets = mapMarkets(rows);
  if (markets === undefined) throw client.notPizarra(path);
  if (all.status !== 200) {
    notes.push(
      `it is an older version: its markets are open every day of the week but for the holidays of ${year - 1} to ${year + 1}; correct weekdays and hours in markets.yaml`,
    );
  }
  return markets;
}

async function readPanel(client: OriginClient, code: PanelCode): Promise<readonly string[]> {
  const path = `/especies.txt?panel=${code}`;
  const { status, text } = await client.get(path);
  if (status !== 200 || (text !== '' && !text.endsWith('\n'))) throw client.notPizarra(path);
  return text.split('\n').slice(0, -1);
}

function rowsIn(text: string, client: OriginClient, path: string): readonly OriginRow[] {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw client.notPizarra(path);
  }
  if (Array.isArray(body) && body.every(isRow)) return body;
  throw client.notPizarra(path);
}

function isRow(value: unknown): value is OriginRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
