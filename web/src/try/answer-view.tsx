import { formatVolume } from '../market/format/numbers.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { DownloadIcon } from '../ui/icons.tsx';
import { saveFile } from '../ui/save-file.ts';
import type { Answer } from './try-request.ts';

/** Maximum number of characters of a body that are shown. The whole body can be copied. */
const shownCharactersMax = 60_000;

/** The response: status, time, headers and body, as the service sent them. */
export function AnswerView({
  answer,
  isBusy,
}: {
  readonly answer: Answer | undefined;
  readonly isBusy: boolean;
}) {
  return (
    <section class="card answer" aria-labelledby="answer-title" aria-busy={isBusy}>
      <h2 id="answer-title">Respuesta</h2>
      {answer === undefined && <p class="muted">Todavía no se envió ningún pedido.</p>}
      {answer?.kind === 'unreachable' && (
        <p class="notice notice-bad" role="alert">
          El servicio no responde.
        </p>
      )}
      {answer?.kind === 'answered' && <Answered answer={answer} />}
    </section>
  );
}

function Answered({ answer }: { readonly answer: Extract<Answer, { readonly kind: 'answered' }> }) {
  const { status, statusText, headers, body, bytes, ms } = answer;
  const isStream = answer.isOpen !== undefined;
  const text = isStream ? body : pretty(body);
  const csv = csvTypeOf(headers);
  return (
    <>
      <p class="answer-line" role="status">
        <span class={`status status-${Math.floor(status / 100)}`}>
          {status} {statusText}
        </span>
        <span class="muted">
          {formatVolume(Math.round(ms))} ms · {formatVolume(bytes)} bytes
        </span>
        <CopyButton text={() => body} label="Copiar el cuerpo" />
        {csv !== undefined && (
          <button
            type="button"
            class="button button-small"
            onClick={() => saveFile(body, { name: 'pizarra', extension: 'csv', type: csv })}
          >
            <DownloadIcon />
            Descargar
          </button>
        )}
      </p>
      {isStream && (
        <p class="hint" role="status">
          {answer.isOpen
            ? 'Transmisión abierta: los eventos se muestran a medida que llegan.'
            : 'La transmisión terminó.'}
          {answer.isCut === true && ' Se muestra el final de lo recibido.'}
        </p>
      )}
      <details class="headers">
        <summary>Encabezados ({headers.length})</summary>
        <dl>
          {headers.map(([name, value]) => (
            <div key={name}>
              <dt class="mono">{name}</dt>
              <dd class="mono">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      <pre class="body mono" tabIndex={0} aria-label="Cuerpo de la respuesta">
        {text.slice(0, shownCharactersMax)}
      </pre>
      {text.length > shownCharactersMax && (
        <p class="hint">Se muestra el comienzo del cuerpo. «Copiar el cuerpo» lo copia completo.</p>
      )}
    </>
  );
}

/** The media type of a CSV. Undefined for another body. */
function csvTypeOf(headers: readonly (readonly [string, string])[]): string | undefined {
  const type = headers.find(([name]) => name === 'content-type')?.[1];
  return type?.startsWith('text/csv') === true ? type : undefined;
}

/** Formats JSON with one field per line. Leaves other text unchanged. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
