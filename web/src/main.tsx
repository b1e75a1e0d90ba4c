// A stylesheet has no exports; it is imported for its effect.
/* oxlint-disable import/no-unassigned-import */
import './styles/index.css';

import { render } from 'preact';

import { watchAlerts } from './alerts/watch-alerts.ts';
import { App } from './app.tsx';
import { loadPagesAhead } from './load-ahead.ts';
import { watchHealth } from './market/health-watch.ts';
import { watchInstruments } from './market/instruments.ts';
import { watchNetwork } from './market/api/reconnection.ts';
import { applyTheme } from './ui/preferences.ts';

applyTheme();
loadPagesAhead();
watchNetwork();
watchHealth();
watchInstruments();
watchAlerts();

const root = document.getElementById('app');
if (root === null) throw new Error('the page has no place for the app');
render(<App />, root);
