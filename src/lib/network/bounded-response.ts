/**
 * The same response, of whose body no more than a number of bytes is read: then the body fails with an error, or ends
 * if there is none.
 */
export function boundedResponse(
  response: Response,
  {
    bytesMax,
    tooLong,
    onChunk,
  }: {
    readonly bytesMax: number;
    readonly tooLong?: (() => Error) | undefined;
    readonly onChunk?: ((chunk: Uint8Array) => void) | undefined;
  },
): Response {
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      onChunk?.(chunk);
      if (bytes <= bytesMax) controller.enqueue(chunk);
      else if (tooLong === undefined) controller.terminate();
      else controller.error(tooLong());
    },
  });
  return new Response(response.body?.pipeThrough(counted) ?? null, response);
}
