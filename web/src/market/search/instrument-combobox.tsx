import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useId, useMemo, useRef } from 'preact/hooks';

import type { InstrumentInfo } from '../api/quote.ts';
import { SearchIcon } from '../../ui/icons.tsx';
import { moveChoice } from './move-choice.ts';
import { InstrumentSearch, textLengthMax } from './search-instruments.ts';
import type { Found } from './search-instruments.ts';

/**
 * A combobox with a list of instruments (WAI-ARIA Authoring Practices, "Combobox"). The focus stays
 * in the field. The arrows choose an option, and Enter takes it. Enter before the result of the
 * latest text takes the first option of this result.
 */
export function InstrumentCombobox({
  apiKey,
  label = 'Especie o nombre',
  hasFocus = false,
  onTake,
  onDone,
}: {
  readonly apiKey: string;
  readonly label?: string;
  /** Whether the field takes the focus when it appears. */
  readonly hasFocus?: boolean;
  /** Called with the instrument that the user takes. */
  readonly onTake: (info: InstrumentInfo) => void;
  /** Called by the button "Cerrar". Without it, there is no button. */
  readonly onDone?: () => void;
}) {
  const id = useId();
  const listId = `${id}-list`;
  const optionId = (at: number) => `${id}-${at}`;
  const found = useSignal<Found>({ kind: 'nothing-asked' });
  const shown = useSignal<readonly InstrumentInfo[]>([]);
  const chosen = useSignal(0);
  const isOpening = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (hasFocus) field.current?.focus();
  }, []);
  const latestTake = useRef(onTake);
  latestTake.current = onTake;
  const open = (info: InstrumentInfo | undefined) => {
    if (info !== undefined) latestTake.current(info);
  };
  const search = useMemo(
    () =>
      new InstrumentSearch(apiKey, (outcome) => {
        found.value = outcome;
        shown.value = outcome.kind === 'found' ? outcome.instruments : [];
        chosen.value = 0;
        if (isOpening.current) open(shown.value[0]);
        isOpening.current = false;
      }),
    [apiKey],
  );
  useEffect(() => () => search[Symbol.dispose](), [search]);
  const hasOptions = useComputed(() => shown.value.length > 0);
  const onKeyDown = (event: KeyboardEvent) => {
    const count = shown.value.length;
    const next = moveChoice(event.key, { chosen: chosen.value, count });
    if (next !== undefined) {
      chosen.value = next;
      document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      if (found.value.kind === 'asking') isOpening.current = true;
      else open(shown.value[chosen.value]);
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <div class="search-field">
        <SearchIcon />
        <input
          class="input"
          role="combobox"
          ref={field}
          aria-label={label}
          aria-expanded={hasOptions}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={hasOptions.value ? optionId(chosen.value) : undefined}
          placeholder={label}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          maxLength={textLengthMax}
          onInput={(event) => {
            found.value = { kind: 'asking' };
            isOpening.current = false;
            search.search(event.currentTarget.value);
          }}
          onKeyDown={onKeyDown}
        />
        {onDone !== undefined && (
          <button type="button" class="button button-small" onClick={onDone}>
            Cerrar
          </button>
        )}
      </div>
      <ul
        id={listId}
        class="search-list"
        role="listbox"
        aria-label="Especies encontradas"
        hidden={!hasOptions.value}
      >
        {shown.value.map((info, at) => (
          <li
            key={info.especie}
            id={optionId(at)}
            role="option"
            aria-selected={at === chosen.value}
            onPointerMove={() => {
              chosen.value = at;
            }}
            onClick={() => open(info)}
          >
            <strong>{info.especie}</strong>
            <span class="search-name">{info.nombre}</span>
            <span class="search-kind">
              {kindNames[info.tipo] ?? info.tipo} · {info.mercado} · {info.moneda}
            </span>
          </li>
        ))}
      </ul>
      <p class="hint search-status" role="status">
        {statusText(found.value)}
      </p>
    </>
  );
}

/** The names of the kinds of instruments (`tipo` of the contract). */
const kindNames: Readonly<Record<string, string>> = {
  accion: 'Acción',
  cedear: 'CEDEAR',
  adr: 'ADR',
  etf: 'ETF',
  bono: 'Bono',
  'obligacion-negociable': 'Obligación negociable',
  letra: 'Letra',
  cripto: 'Cripto',
  indice: 'Índice',
  'tipo-de-cambio': 'Tipo de cambio',
  tasa: 'Tasa',
  brecha: 'Brecha',
  'riesgo-pais': 'Riesgo país',
};

function statusText(found: Found): string {
  switch (found.kind) {
    case 'nothing-asked':
      return 'Flechas para elegir, Enter para aceptar, Escape para cerrar.';
    case 'asking':
      return 'Buscando…';
    case 'failed':
      return found.message;
    case 'found': {
      const { length } = found.instruments;
      if (length === 0) return 'Ninguna especie coincide.';
      return length === 1 ? '1 especie' : `${length} especies`;
    }
  }
}
