/** Whether a path is that of the page: the folder of the service, or its index. */
export function isPageOf(folder: string, path: string): boolean {
  return path === folder || path === `${folder}index.html`;
}

/** Whether all files that a page names are of a build. A page of another version names other files. */
export function isWholePage(html: string, files: readonly string[]): boolean {
  const named = Array.from(html.matchAll(/["'](?:\.\/)?(assets\/[^"']+)["']/g), ([, name]) => name);
  return named.length > 0 && named.every((name) => name !== undefined && files.includes(name));
}
