import { useSignal } from '@preact/signals';

import { apiKey, maskKey } from '../key/api-key.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Segments } from '../ui/segments.tsx';
import type { SnippetRequest } from './snippet-request.ts';
import { snippetsOf, type Snippet } from './snippets.ts';

/**
 * The same request as code to copy. It contains the key only if the user asks for it. Then the screen
 * shows a masked key, and the copy contains the whole key.
 */
export function SnippetTabs(request: Omit<SnippetRequest, 'key'>) {
  const chosen = useSignal<Snippet['id']>('curl');
  const isWithKey = useSignal(false);
  const key = isWithKey.value ? apiKey.value : undefined;
  const shown = snippetsOf({ ...request, key: key === undefined ? undefined : maskKey(key) });
  const snippet = shown.find(({ id }) => id === chosen.value) ?? shown[0];
  const copied = () =>
    snippetsOf({ ...request, key }).find(({ id }) => id === snippet?.id)?.text ?? '';
  return (
    <section class="card snippets" aria-labelledby="snippets-title">
      <h2 id="snippets-title">El mismo pedido en código</h2>
      <div class="snippet-bar">
        <Segments
          label="Lenguaje"
          class="snippet-languages"
          choices={shown.map(({ id, title }) => ({ value: id, name: title }))}
          chosen={snippet?.id ?? 'curl'}
          onChoose={(id) => {
            chosen.value = id;
          }}
        />
        {apiKey.value !== undefined && (
          <label class="check">
            <input
              type="checkbox"
              checked={isWithKey.value}
              onChange={(event) => {
                isWithKey.value = event.currentTarget.checked;
              }}
            />
            <span>Incluir la clave</span>
          </label>
        )}
        <CopyButton text={copied} />
      </div>
      <pre class="snippet mono" tabIndex={0} aria-label={`Pedido para ${snippet?.title}`}>
        {snippet?.text}
      </pre>
      <p class="hint">{snippet?.hint}</p>
    </section>
  );
}
