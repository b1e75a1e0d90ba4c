// Styles are imported for their effect, which is all that they have.
/* oxlint-disable import/no-unassigned-import */
import 'swagger-ui-dist/swagger-ui.css';
import './reference.css';

import { effect } from '@preact/signals';
import SwaggerUIBundle from 'swagger-ui-dist/swagger-ui-es-bundle.js';

import { theme } from '../shell/preferences.ts';

/**
 * The contract, drawn by Swagger UI. It is a library larger than the rest of the page, so this module
 * is loaded when the reference is first opened.
 */
export function createViewer(): HTMLElement {
  const element = document.createElement('div');
  element.id = 'reference';
  dressViewer();
  SwaggerUIBundle({
    url: new URL('openapi.json', document.baseURI).href,
    domNode: element,
    // The fragment of the address is the playground's own.
    deepLinking: false,
    defaultModelsExpandDepth: 0,
    // Requests are sent from the page made for it, which keeps the key out of addresses and storage.
    supportedSubmitMethods: [],
    // The default sends the document to a validator of a third party.
    validatorUrl: null,
  });
  return element;
}

/** Swagger UI chooses its dark styles by a class, and does not read the system's preference itself. */
function dressViewer(): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const dress = () => {
    const isDark = theme.value === 'system' ? system.matches : theme.value === 'dark';
    document.documentElement.classList.toggle('dark-mode', isDark);
  };
  system.addEventListener('change', dress);
  effect(dress);
}
