/**
 * The text of a body as it arrives. It uses a reader, because Safari cannot iterate over a
 * `ReadableStream`.
 */
export async function* textOf(
  body: NonNullable<Response['body']>,
): AsyncGenerator<string, void, undefined> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // A connection that broke cannot be cancelled.
    await reader.cancel().catch(() => undefined);
  }
}
