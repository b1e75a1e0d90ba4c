/** The maximum number of names of fields in a description. */
const namesMax = 12;

/** The maximum length of a text in a description, in characters. */
const textCharsMax = 40;

/** Describes a value in one line of bounded length, for an operator whose expression gives no update. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') return `the text ${shortened(value)}`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (!Array.isArray(value)) return describeObject(value);
  const [first] = value as readonly unknown[];
  if (value.length === 0) return 'an empty list';
  const item = Array.isArray(first) ? 'a list' : describeValue(first);
  return `a list of ${value.length}, the first of which is ${item}`;
}

function describeObject(value: object): string {
  const names = Object.keys(value);
  if (names.length === 0) return 'an object without fields';
  const shown = names.slice(0, namesMax).map(shortened).join(', ');
  return `an object with the fields ${shown}${names.length > namesMax ? ', …' : ''}`;
}

function shortened(text: string): string {
  return JSON.stringify(text.length > textCharsMax ? `${text.slice(0, textCharsMax)}…` : text);
}
