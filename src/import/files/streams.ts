/** The same chunks. Their lengths are added to a count while they are read. */
export async function* counted<T extends { readonly length: number }>(
  chunks: AsyncIterable<T>,
  read: { length: number },
): AsyncGenerator<T> {
  for await (const chunk of chunks) {
    read.length += chunk.length;
    yield chunk;
  }
}

/** Values that were read already, then the rest. None of the former is held after it is read again. */
export async function* startingWith<T>(
  held: T[],
  rest: AsyncIterable<T> | AsyncIterator<T>,
): AsyncGenerator<T> {
  for (let one = held.shift(); one !== undefined; one = held.shift()) yield one;
  if (Symbol.asyncIterator in rest) yield* rest;
  else
    for (let one = await rest.next(); one.done !== true; one = await rest.next()) yield one.value;
}
