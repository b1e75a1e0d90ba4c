import { render } from 'preact';

import { adoptStyles } from './adopt-styles.ts';
import { App } from './app.tsx';
import { followedBy } from './board/board-page.tsx';
import { shareKey } from './key/share-key.ts';
import { loadPagesAhead } from './load-ahead.ts';
import { loadQuotes } from './market/use-live-quotes.ts';
import { endEarly, hasEarly } from './market/api/early.ts';
import { watchHealth } from './market/health-watch.ts';
import { watchInstruments } from './market/instruments.ts';
import { watchNetwork } from './market/api/service.ts';
import { openOffline } from './open-offline.ts';
import { route } from './places/location.ts';
import { shownInstruments } from './shown-instruments.ts';
import { watchPrint } from './shell/print-line.tsx';
import { stripSelection } from './shell/strip/quote-strip.tsx';
import { applyTheme } from './ui/preferences.ts';

/** The first views take the early requests at once. What is left after this time is given up. In milliseconds. */
const earlyMsMax = 2_000;

/** Maximum time that the first board waits for the quotes that were requested early, in milliseconds. */
const quotesMsMax = 300;

adoptStyles();
applyTheme();
watchPrint();
loadPagesAhead();
shareKey();
watchNetwork();
watchHealth();
watchInstruments(shownInstruments);
openOffline();

const root = document.getElementById('app');
if (root === null) throw new Error('the page has no place for the app');
void draw(root);

async function draw(place: HTMLElement): Promise<void> {
  const { value: first } = route;
  const board = hasEarly() && first.page === 'board' ? followedBy(first) : undefined;
  if (board !== undefined) await loadQuotes(board, stripSelection(), quotesMsMax);
  render(<App />, place);
  setTimeout(endEarly, earlyMsMax);
}
