/** The path of the service. Several services may share a host, each below a path. Unit tests have no document. */
export function basePath(): string {
  return typeof document === 'undefined' ? '/' : new URL('./', document.baseURI).pathname;
}
