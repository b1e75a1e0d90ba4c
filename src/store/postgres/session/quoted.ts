/** A name as SQL quotes it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
