/** A parameter of a request that has a value. */
export interface SentParameter {
  readonly name: string;
  readonly value: string;
  readonly isList: boolean;
}

/** The data of a snippet. */
export interface SnippetRequest {
  readonly url: string;
  /** The URL of the service, without a slash at its end. */
  readonly service: string;
  /** The path of the operation in the contract. */
  readonly path: string;
  readonly parameters: readonly SentParameter[];
  /** The key to include. Without it, the snippets read the key from the environment. */
  readonly key: string | undefined;
  /** The fields of the rows of the response. Empty if the response is text. */
  readonly fields: readonly string[];
  /** Whether the response can be CSV. */
  readonly isTable: boolean;
  /** The separator of the fields, if the response is CSV. */
  readonly csvSeparator?: ',' | ';' | undefined;
  /** Whether the response is a stream of events, which the code reads as it comes. */
  readonly isStream?: boolean;
}

/** The environment variable from which snippets without a key read it. */
export const variable = 'PIZARRA_KEY';
