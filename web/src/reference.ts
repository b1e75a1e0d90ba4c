import './styles/index.css';
import 'swagger-ui-dist/swagger-ui.css';
import './styles/reference.css';

import SwaggerUIBundle from 'swagger-ui-dist/swagger-ui-es-bundle.js';

import { applyTheme } from './shell/preferences.ts';

applyTheme();
SwaggerUIBundle({
  url: new URL('openapi.json', document.baseURI).href,
  dom_id: '#reference',
  deepLinking: true,
  // Trying is for the page made for it, which keeps the key out of addresses and storage.
  supportedSubmitMethods: [],
  // The default would send the document to a validator of somebody else's.
  validatorUrl: null,
});
