// The bundle has no types. Those of @types/swagger-ui-dist are for its CommonJS entry.
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  import type { SwaggerUIBundle } from 'swagger-ui-dist';
  const bundle: typeof SwaggerUIBundle;
  export default bundle;
}
