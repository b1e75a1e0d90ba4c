/** Why a request failed. */
interface FailureReason {
  /** A code such as ECONNREFUSED. Undefined if no error has one. */
  readonly code: string | undefined;
  /** The code, if there is one, and the message of its error. */
  readonly text: string;
}

/**
 * The reason is the first error with a code, among an error and its causes. If none has a code, it is the last cause.
 * `fetch` hides the error of the socket in the cause of its own.
 */
export function failureReason(error: Error): FailureReason {
  let one = error;
  while (codeOf(one) === undefined && one.cause instanceof Error) one = one.cause;
  const code = codeOf(one);
  return { code, text: `${code ?? ''} ${one.message}`.trim() };
}

/** The code of an error of Node. That of a DOMException is a number, which says less than its message. */
function codeOf(error: Error): string | undefined {
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' ? code : undefined;
}
