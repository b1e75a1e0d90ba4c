import { storedValue } from '../../ui/stored-value.ts';

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

/** The lists of this browser. */
export const tickerLists = storedValue<TickerLists>({
  name: 'pizarra.lists',
  initial: [],
  read: readLists,
});

/** The list of a name. Names that differ only in case are equal. */
export function findList(name: string): TickerList | undefined {
  return tickerLists.value.find((list) => keyOf(list.name) === keyOf(name));
}

/**
 * The reason why a list cannot have a name. Undefined if it can.
 *
 * @param current the present name of the list, which it may keep.
 */
export function nameProblem(name: string, current?: string): string | undefined {
  const text = name.trim();
  if (text === '') return 'Falta el nombre de la lista.';
  if (text.length > nameLengthMax) return `El nombre admite hasta ${nameLengthMax} caracteres.`;
  const other = findList(text);
  if (other === undefined || other.name === current) return undefined;
  return `Ya hay una lista «${other.name}».`;
}

/**
 * Adds a list under its name, or under the first one with a number that is free: `Bancos 2`. Returns the name, or
 * undefined if there are too many lists.
 */
export function addList({ name: wanted, tickers, ...rest }: TickerList): string | undefined {
  const lists = tickerLists.value;
  if (lists.length >= listsMax) return undefined;
  const text =
    wanted
      .trim()
      .slice(0, nameLengthMax - 3)
      .trim() || 'Mi lista';
  let name = text;
  for (let number = 2; findList(name) !== undefined; number += 1) name = `${text} ${number}`;
  tickerLists.value = [...lists, { ...rest, name, tickers: tickers.slice(0, tickersMax) }];
  return name;
}

/** Changes a list. Without a list of this name, nothing changes. */
export function changeList(name: string, change: (list: TickerList) => Partial<TickerList>): void {
  const list = findList(name);
  if (list === undefined) return;
  tickerLists.value = tickerLists.value.with(tickerLists.value.indexOf(list), {
    ...list,
    ...change(list),
  });
}

/** Changes the tickers of a list. What is beyond the maximum is left out. */
export function changeTickers(
  name: string,
  change: (tickers: readonly string[]) => readonly string[],
): void {
  changeList(name, ({ tickers }) => ({ tickers: change(tickers).slice(0, tickersMax) }));
}

/** Deletes a list. */
export function removeList(name: string): void {
  tickerLists.value = tickerLists.value.filter((list) => list.name !== name);
}

/** Moves the tab of a list by a number of places. */
export function moveList(list: TickerList, by: number): void {
  tickerLists.value = moveItem(tickerLists.value, list, by);
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
