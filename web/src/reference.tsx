// Styles are imported for their effect, which is all that they have.
/* oxlint-disable import/no-unassigned-import */
import './styles/index.css';
import 'swagger-ui-dist/swagger-ui.css';
import './styles/reference.css';

import { effect } from '@preact/signals';
import { render } from 'preact';
import SwaggerUIBundle from 'swagger-ui-dist/swagger-ui-es-bundle.js';

import { watchHealth } from './market/health-watch.ts';
import { applyTheme, theme } from './shell/preferences.ts';
import { SimulatedBanner } from './shell/simulated-banner.tsx';

/** Swagger UI goes by a class for its dark styles, and does not look at the system itself. */
function dressViewer(): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const dress = () => {
    const isDark = theme.value === 'system' ? system.matches : theme.value === 'dark';
    document.documentElement.classList.toggle('dark-mode', isDark);
  };
  system.addEventListener('change', dress);
  effect(dress);
}

const label = document.getElementById('label');
if (label !== null) render(<SimulatedBanner />, label);
watchHealth();
applyTheme();
dressViewer();
SwaggerUIBundle({
  url: new URL('openapi.json', document.baseURI).href,
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  // Trying is for the page made for it, which keeps the key out of addresses and storage.
  supportedSubmitMethods: [],
  // The default would send the document to a validator of somebody else's.
  validatorUrl: null,
});
