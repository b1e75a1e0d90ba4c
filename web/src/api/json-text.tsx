import { useMemo } from 'preact/hooks';

import { jsonParts } from './json-parts.ts';

/** A JSON text in colours. */
export function JsonText({ text }: { readonly text: string }) {
  return useMemo(
    () => (
      <>
        {jsonParts(text).map((part, at) =>
          part.kind === 'mark' ? (
            part.text
          ) : (
            <span key={at} class={`json-${part.kind}`}>
              {part.text}
            </span>
          ),
        )}
      </>
    ),
    [text],
  );
}
