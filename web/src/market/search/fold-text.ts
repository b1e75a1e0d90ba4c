/** Upper case without accents, with single spaces, for searching. */
export function foldText(text: string): string {
  const letters = text.normalize('NFD').replaceAll(/\p{M}/gu, '');
  return letters.trim().replaceAll(/\s+/gu, ' ').toUpperCase();
}
