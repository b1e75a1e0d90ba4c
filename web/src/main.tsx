import { render } from 'preact';

import { adoptStyles } from './adopt-styles.ts';
import { App } from './app.tsx';
import { shareKey } from './key/share-key.ts';
import { loadPagesAhead } from './load-ahead.ts';
import { endEarly } from './market/api/early.ts';
import { watchHealth } from './market/health-watch.ts';
import { watchInstruments } from './market/instruments.ts';
import { watchNetwork } from './market/api/service.ts';
import { openOffline } from './open-offline.ts';
import { shownInstruments } from './shown-instruments.ts';
import { watchPrint } from './shell/print-line.tsx';
import { applyTheme } from './ui/preferences.ts';

/** The first views take the early requests at once. What is left after this time is given up. In milliseconds. */
const earlyMsMax = 2_000;

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
render(<App />, root);

setTimeout(endEarly, earlyMsMax);
