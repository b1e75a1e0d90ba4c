/**
 * The aims of the board in the browser, each with its figure of today. They are measured in a real Chromium, on
 * the program with its demonstration. The browser shares the machine with the program, so times depend on what
 * else the machine does; bytes, counts and sizes do not.
 *
 * Usage: node bench/web/playground.ts [--heap-minutes MINUTES] [CASE…]
 * The cases are overflow, axe, updates, first-load, layout-shift, first-screen, heap and silence. Without one, all
 * run, in ten minutes. `heap` takes one minute, or the given number: 60 show a slow leak.
 */
import { parseArgs } from 'node:util';

import { startBrowser } from '../../test/web/browser/browser.ts';
import { startDemonstration } from '../../test/web/browser/demonstration.ts';
import { helpIfRequested } from '../../test/support/program/help-if-requested.ts';
import { say } from '../support/print.ts';
import type { Bar } from './bars/bar.ts';
import { accessibility } from './bars/accessibility.ts';
import { firstLoad } from './bars/first-load.ts';
import { firstScreen } from './bars/first-screen.ts';
import { heap } from './bars/heap.ts';
import { layoutShift } from './bars/layout-shift.ts';
import { overflow } from './bars/overflow.ts';
import { silence } from './bars/silence.ts';
import { updates } from './bars/updates.ts';

helpIfRequested(import.meta.filename);

const bars: readonly Bar[] = [
  overflow,
  accessibility,
  updates,
  firstLoad,
  layoutShift,
  firstScreen,
  heap,
  silence,
];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'heap-minutes': { type: 'string', default: '1' } },
});
const unknown = positionals.filter((name) => !bars.some((bar) => bar.name === name));
if (unknown.length > 0) throw new Error(`unknown cases ${unknown.join(', ')}; see --help`);
const chosen = bars.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

await using demo = await startDemonstration();
const browser = await startBrowser();
try {
  const ground = { browser, demo, heapMinutes: Number(values['heap-minutes']) };
  for (const { measure } of chosen) {
    for (const { what, today, aim, isMet } of await measure(ground)) {
      const mark = isMet === undefined ? ' ' : isMet ? '✓' : '✗';
      say(`${mark} ${what}: ${today}${aim === '' ? '' : ` (aim ${aim})`}`);
    }
  }
} finally {
  await browser.close();
}
