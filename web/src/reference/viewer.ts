// A stylesheet has no exports; it is imported for its effect.
/* oxlint-disable import/no-unassigned-import */
import 'swagger-ui-dist/swagger-ui.css';
import './reference.css';

import { effect } from '@preact/signals';
import SwaggerUIBundle from 'swagger-ui-dist/swagger-ui-es-bundle.js';

import { fetchJson } from '../market/api/service.ts';
import { withCsv } from '../market/api/with-csv.ts';
import { theme } from '../ui/preferences.ts';

/**
 * Shows the contract with Swagger UI. The library is larger than the rest of the page, so this
 * module is loaded when the reference is first opened.
 *
 * @throws when the contract cannot be loaded.
 */
export async function createViewer(): Promise<HTMLElement> {
  const contract = await fetchJson<Record<string, unknown>>('/openapi.json');
  if (!contract.ok) throw new Error('The contract could not be loaded.');
  const element = document.createElement('div');
  element.id = 'reference';
  dressViewer();
  SwaggerUIBundle({
    spec: withCsv(contract.value),
    domNode: element,
    // The playground uses the fragment of the address for its routes.
    deepLinking: false,
    defaultModelsExpandDepth: 0,
    // Requests are sent from the page Probar, which keeps the key out of URLs and storage.
    supportedSubmitMethods: [],
    // The default sends the document to a third-party validator.
    validatorUrl: null,
  });
  return element;
}

/**
 * Swagger UI selects its dark styles by a class, and does not read the preference of the system.
 */
function dressViewer(): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const dress = () => {
    const isDark = theme.value === 'system' ? system.matches : theme.value === 'dark';
    document.documentElement.classList.toggle('dark-mode', isDark);
  };
  system.addEventListener('change', dress);
  effect(dress);
}
