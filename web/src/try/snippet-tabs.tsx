import { useSignal } from '@preact/signals';

import { apiKey, maskKey } from '../key/api-key.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { snippetsOf } from './snippets.ts';
import type { Snippet, SnippetRequest } from './snippets.ts';

/**
 * The same request as code to copy. The screen shows a masked key; the copy contains the whole key.
 */
export function SnippetTabs(request: Omit<SnippetRequest, 'key'>) {
  const chosen = useSignal<Snippet['id']>('curl');
  const isWithKey = useSignal(true);
  const key = isWithKey.value ? apiKey.value : undefined;
  const shown = snippetsOf({ ...request, key: key === undefined ? undefined : maskKey(key) });
  const snippet = shown.find(({ id }) => id === chosen.value) ?? shown[0];
  const copied = () =>
    snippetsOf({ ...request, key }).find(({ id }) => id === chosen.value)?.text ?? '';
  return (
    <section class="card snippets" aria-labelledby="snippets-title">
      <h2 id="snippets-title">El mismo pedido en código</h2>
      <div class="snippet-bar">
        <div class="segments" role="group" aria-label="Lenguaje">
          {shown.map(({ id, title }) => (
            <button
              key={id}
              type="button"
              aria-pressed={id === chosen.value}
              onClick={() => {
                chosen.value = id;
              }}
            >
              {title}
            </button>
          ))}
        </div>
        {apiKey.value !== undefined && (
          <label class="check">
            <input
              type="checkbox"
              checked={isWithKey.value}
              onChange={(event) => {
                isWithKey.value = event.currentTarget.checked;
              }}
            />
            <span>Copiar con la clave</span>
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
