const added = new Set<string>();

/**
 * Adds styles that belong to code which is loaded later than the first view, once. Their layers are those of the
 * styles of the first view, so the order in which they are added does not matter.
 */
export function addStyles(text: string): void {
  if (added.has(text)) return;
  added.add(text);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
