import { PizarraResponseError } from './errors.ts';

/** One event of a stream. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  /** The last id that the stream sent, with this event or before it. Empty for none. */
  readonly lastId: string;
}

/** The name of the event that stands for a comment, which the service sends as a heartbeat. */
export const comment = ':';

/** Maximum length of one event, in characters. The events of the service have some hundred. */
const eventCharactersMax = 1_048_576;

/**
 * Parses server-sent events from pieces of text (HTML, 9.2.6). An event that the end of the stream cuts
 * off is not dispatched, and its id does not count. A comment is an event {@link comment} without data.
 */
export class EventParser {
  #rest = '';
  #data: string[] = [];
  #event = '';
  #length = 0;
  #pendingId: string;
  #lastId: string;
  #retryMs: number | undefined;

  /** @param lastId the last id of the connection before. */
  constructor(lastId: string) {
    this.#lastId = lastId;
    this.#pendingId = lastId;
  }

  /** The last id of the dispatched events. */
  get lastId(): string {
    return this.#lastId;
  }

  /** The last `retry` that the stream sent, in milliseconds. */
  get retryMs(): number | undefined {
    return this.#retryMs;
  }

  /**
   * Adds a piece of text, and returns the events that it completes.
   *
   * @throws PizarraResponseError when an event is too long.
   */
  push(text: string): readonly ServerEvent[] {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    const events: ServerEvent[] = [];
    for (const line of lines) {
      if (line === '') this.#dispatch(events);
      else if (line.startsWith(':'))
        events.push({ event: comment, data: '', lastId: this.#lastId });
      else this.#field(line);
    }
    if (this.#rest.length + this.#length > eventCharactersMax) {
      throw new PizarraResponseError(`An event has more than ${eventCharactersMax} characters`);
    }
    return events;
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') this.#event = value;
    else if (name === 'id' && !value.includes('\0')) this.#pendingId = value;
    else if (name === 'retry' && /^\d+$/.test(value)) this.#retryMs = Number(value);
    else if (name === 'data') {
      this.#data.push(value);
      this.#length += value.length;
    }
  }

  #dispatch(events: ServerEvent[]): void {
    this.#lastId = this.#pendingId;
    if (this.#data.length > 0) {
      const event = this.#event === '' ? 'message' : this.#event;
      events.push({ event, data: this.#data.join('\n'), lastId: this.#lastId });
    }
    this.#data = [];
    this.#event = '';
    this.#length = 0;
  }
}
