/** The first texts, and how many more there are: `GGAL, YPFD and 3 more`. */
export function firstOf(texts: readonly string[], max: number): string {
  const hidden = texts.length - max;
  return `${texts.slice(0, max).join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}`;
}
