import { FeedFault } from '../contract/feed.ts';

/** A body with its content type. */
export interface FetchedBody {
  readonly text: string;
  /** Without parameters, in lower case; empty where the source names none. */
  readonly contentType: string;
}

/** The longest text that is searched for the words of a limit, in characters. */
const limitTextCharsMax = 2_000;

const limitWords =
  /rate.?limit|too many requests|limit (?:reached|exceeded)|exceeded .{0,40}(?:limit|quota)|hits limit|l[ií]mite de (?:consultas|solicitudes)/i;

/**
 * The value of a JSON body.
 *
 * @throws FeedFault `limited` for a text about limits, which some sources send with status 200;
 *   `unintelligible` for anything else that is not JSON.
 */
export function readJson({ text, contentType }: FetchedBody): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw faultOfBody({ text, contentType }, 'JSON');
  }
}

/** The fault of a body that does not have the format of the data. */
export function faultOfBody({ text, contentType }: FetchedBody, format: 'JSON' | 'CSV'): FeedFault {
  if (text.length <= limitTextCharsMax && limitWords.test(text)) {
    return new FeedFault('limited', 'the source sent a text about a limit instead of data');
  }
  return new FeedFault('unintelligible', `the source sent ${describe(text, contentType, format)}`);
}

/** Whether a body is a page for people. */
export function isPage(text: string): boolean {
  return /^\s*<(?:!doctype|html|\?xml)/i.test(text);
}

function describe(text: string, contentType: string, format: string): string {
  if (text.trim() === '') return 'an empty body';
  if (isPage(text)) return `a page instead of ${format}`;
  const type = contentType === '' ? 'no content type' : `content type ${contentType}`;
  return `${text.length} characters that are not ${format} (${type})`;
}

/**
 * The items of a JSON list.
 *
 * @throws FeedFault `unintelligible` when the value is no list, or an empty one: a source without a
 *   single item has failed.
 */
export function requireList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new FeedFault('unintelligible', 'the source sent no list');
  if (value.length === 0) throw new FeedFault('unintelligible', 'the source sent an empty list');
  return value as readonly unknown[];
}
