import { JsonText } from '../ui/text/json-text.tsx';
import { parseInline } from '../ui/text/markdown.ts';
import type { MediaPart } from './reference-document.ts';
import { examplesOf } from './reference-model.ts';
import { SchemaType } from './schema-type.tsx';

/** A media type of a response, with its schema and its examples. */
export function Examples({ type, part }: { readonly type: string; readonly part: MediaPart }) {
  return (
    <div class="ref-examples">
      <p class="ref-values">
        <code>{type}</code>
        {part.schema !== undefined && (
          <>
            {': '}
            <SchemaType schema={part.schema} />
          </>
        )}
      </p>
      {examplesOf(part).map(({ title, value }) => (
        <details key={title}>
          <summary>{plainText(title)}</summary>
          <pre
            class="body mono"
            tabIndex={0}
            role="region"
            aria-label={`Ejemplo: ${plainText(title)}`}
          >
            {typeof value === 'string' ? (
              value
            ) : (
              <JsonText text={JSON.stringify(value, undefined, 2)} />
            )}
          </pre>
        </details>
      ))}
    </div>
  );
}

/** A title without the marks of Markdown. */
function plainText(title: string): string {
  return parseInline(title)
    .map((part) => ('text' in part ? part.text : ''))
    .join('');
}
