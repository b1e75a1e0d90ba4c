/** A list of tickers of a user. Its name identifies it in this browser. */
export interface TickerList {
  readonly name: string;
  readonly tickers: readonly string[];
  /** How its board was seen last: the view, the range of its charts and the currency. Absent before a choice. */
  readonly look?: { readonly view: string; readonly range: string; readonly currency?: string };
}

/** All lists, in the order of their tabs. */
export type TickerLists = readonly TickerList[];

/** Maximum length of a name, in characters. */
export const nameLengthMax = 40;
/** Maximum number of tickers of a list. The service takes no more in one request (contract 4.1). */
export const tickersMax = 500;
/** Maximum number of lists. */
export const listsMax = 50;

/** The lists of a stored value, or undefined if it does not contain lists. */
export function readLists(value: unknown): TickerLists | undefined {
  if (!Array.isArray(value)) return undefined;
  const lists = value.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null) return [];
    const { name, tickers, look } = one as Partial<Record<keyof TickerList, unknown>>;
    if (typeof name !== 'string' || !Array.isArray(tickers)) return [];
    if (!tickers.every((ticker) => typeof ticker === 'string')) return [];
    return isLook(look) ? [{ name, tickers, look }] : [{ name, tickers }];
  });
  const names = new Set(lists.map(({ name }) => keyOf(name)));
  return lists.length === value.length && names.size === lists.length ? lists : undefined;
}

function isLook(value: unknown): value is NonNullable<TickerList['look']> {
  if (typeof value !== 'object' || value === null) return false;
  const { view, range } = value as { readonly view?: unknown; readonly range?: unknown };
  return typeof view === 'string' && typeof range === 'string';
}

/** The list of a name. Names that differ only in case are equal. */
export function findList(lists: TickerLists, name: string): TickerList | undefined {
  return lists.find((list) => keyOf(list.name) === keyOf(name));
}

/**
 * The reason why a list cannot have a name. Undefined if it can.
 *
 * @param current the present name of the list, which it may keep.
 */
export function nameProblem(
  lists: TickerLists,
  name: string,
  current?: string,
): string | undefined {
  const text = name.trim();
  if (text === '') return 'Falta el nombre de la lista.';
  if (text.length > nameLengthMax) return `El nombre admite hasta ${nameLengthMax} caracteres.`;
  const other = findList(lists, text);
  if (other === undefined || other.name === current) return undefined;
  return `Ya hay una lista «${other.name}».`;
}

/** The name itself, or with the first number that makes it free: `Bancos 2`. */
export function freeName(lists: TickerLists, wanted: string): string {
  const text =
    wanted
      .trim()
      .slice(0, nameLengthMax - 3)
      .trim() || 'Mi lista';
  let name = text;
  for (let number = 2; findList(lists, name) !== undefined; number += 1) name = `${text} ${number}`;
  return name;
}

/** The lists with a changed one. Without a list of this name, they do not change. */
export function changeList(
  lists: TickerLists,
  name: string,
  changes: Partial<TickerList>,
): TickerLists {
  return lists.map((list) => (list.name === name ? { ...list, ...changes } : list));
}

/** The items with one of them moved by a number of places. It stops at the ends. */
export function moveItem<T>(items: readonly T[], item: T, by: number): readonly T[] {
  const at = items.indexOf(item);
  if (at === -1) return items;
  const to = Math.max(0, Math.min(items.length - 1, at + by));
  return items.toSpliced(at, 1).toSpliced(to, 0, item);
}

function keyOf(name: string): string {
  return name.trim().toLocaleLowerCase('es-AR');
}
