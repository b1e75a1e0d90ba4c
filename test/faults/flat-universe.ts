import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { panelCodes } from '../../src/domain/instruments/panel.ts';

/** The tickers that a pusher may send. */
export const pushedTickers: readonly string[] = Array.from(
  { length: 40 },
  (_, index) => `T${index}`,
);

/** A derived instrument that follows the first pushed one. Its quote must always be consistent with it. */
export const aliasTicker = 'ALIAS';

/** All tickers that can have a quote. */
export const flatTickers: readonly string[] = [...pushedTickers, aliasTicker];

/**
 * Writes the files of a universe in which every day is a session, from midnight to midnight in Buenos
 * Aires. So a load can cover years within seconds.
 */
export async function writeFlatUniverse(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  const rows = flatTickers.map((ticker) => `${ticker},${ticker},share,DAILY,ARS,,,LID`);
  const files = {
    'instruments.csv': [
      'ticker,name,kind,market,currency,decimals,change_unit,panels',
      ...rows,
      '',
    ].join('\n'),
    'markets.yaml': `
markets:
  DAILY:
    name: Every day
    timeZone: America/Argentina/Buenos_Aires
    weekdays: [mon, tue, wed, thu, fri, sat, sun]
    hours:
      - { open: 00:00, close: 24:00 }
`,
    'panels.yaml': panelCodes
      .map((code) => {
        if (code === 'LIDGEN') return `${code}: { name: ${code}, of: [LID, GEN] }\n`;
        if (code === 'BON') return `${code}: { name: ${code}, aliasOf: BONOS }\n`;
        return `${code}: { name: ${code} }\n`;
      })
      .join(''),
    'derived.yaml': `derived:\n  ${aliasTicker}:\n    alias: ${pushedTickers[0]}\n`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
}
