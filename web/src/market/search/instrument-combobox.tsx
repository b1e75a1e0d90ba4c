import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';

import type { InstrumentInfo } from '../api/quote.ts';
import { allInstruments } from '../instruments.ts';
import { Button } from '../../ui/button.tsx';
import { SearchIcon } from '../../ui/icons.tsx';
import { findInstruments, type Found } from './find-instruments.ts';
import { InstrumentOption } from './instrument-option.tsx';
import { moveChoice } from './move-choice.ts';
import { useOptionQuotes } from './use-option-quotes.ts';

/** Maximum length of a text, in characters. */
const textLengthMax = 100;

/**
 * A combobox with a list of instruments and their prices (WAI-ARIA Authoring Practices, "Combobox"). The
 * focus stays in the field. The arrows choose an option, and Enter takes it. Enter before the list of the
 * service is loaded takes the first option as soon as it is.
 */
export function InstrumentCombobox({
  label = 'Especie o nombre',
  hasFocus = false,
  offered,
  onTake,
  onDone,
}: {
  readonly label?: string;
  /** Whether the field takes the focus when it appears. */
  readonly hasFocus?: boolean;
  /** The tickers that are offered before anything is typed, with the name of their list. */
  readonly offered?: { readonly name: string; readonly tickers: readonly string[] };
  /** Called with the instrument that the user takes. */
  readonly onTake: (info: InstrumentInfo) => void;
  /** Called by the button "Cerrar". Without it, there is no button. */
  readonly onDone?: () => void;
}) {
  const id = useId();
  const listId = `${id}-list`;
  const optionId = (at: number) => `${id}-${at}`;
  const text = useSignal('');
  const chosen = useSignal(0);
  /** A closed dialog has a field too. Prices are requested only after the field has had the focus. */
  const wasFocused = useSignal(false);
  const isOpening = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (hasFocus) field.current?.focus();
  }, []);
  const found = useComputed<Found>(() =>
    findInstruments(text.value, allInstruments.value.values()),
  );
  const isEmpty = text.value.trim() === '';
  const shown = (): readonly InstrumentInfo[] =>
    text.value.trim() === ''
      ? (offered?.tickers ?? []).flatMap((ticker) => allInstruments.value.get(ticker) ?? [])
      : found.value.instruments;
  const options = shown();
  const hasOptions = options.length > 0;
  const quotes = useOptionQuotes(wasFocused.value ? options.map(({ especie }) => especie) : []);
  const open = (info: InstrumentInfo | undefined) => {
    if (info !== undefined) onTake(info);
  };
  const isLoaded = allInstruments.value.size > 0;
  useEffect(() => {
    if (isLoaded && isOpening.current) open(shown()[0]);
    isOpening.current = false;
  }, [isLoaded]);
  const onKeyDown = (event: KeyboardEvent) => {
    // A key may come before what was typed is drawn.
    const current = shown();
    const next = moveChoice(event.key, { chosen: chosen.value, count: current.length });
    if (next !== undefined) {
      chosen.value = next;
      document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') {
      isOpening.current = allInstruments.value.size === 0;
      open(current[chosen.value]);
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <div class="search-field row">
        <SearchIcon />
        <input
          class="input"
          role="combobox"
          ref={field}
          aria-label={label}
          aria-expanded={hasOptions}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={hasOptions ? optionId(chosen.value) : undefined}
          placeholder={label}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          maxLength={textLengthMax}
          onFocus={() => {
            wasFocused.value = true;
          }}
          onInput={(event) => {
            text.value = event.currentTarget.value;
            chosen.value = 0;
            isOpening.current = false;
          }}
          onKeyDown={onKeyDown}
        />
        {onDone !== undefined && (
          <Button look="small" onClick={onDone}>
            Cerrar
          </Button>
        )}
      </div>
      {isEmpty && hasOptions && <p class="hint">{offered?.name}</p>}
      <ul
        id={listId}
        class="search-list"
        role="listbox"
        aria-label={isEmpty ? offered?.name : 'Especies encontradas'}
        hidden={!hasOptions}
      >
        {options.map((info, at) => (
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
            <InstrumentOption info={info} quote={quotes.value.get(info.especie)} />
          </li>
        ))}
      </ul>
      <p class="hint" role="status">
        {isEmpty ? (
          <span class="keyboard-only">
            Flechas para elegir, Enter para aceptar, Escape para cerrar.
          </span>
        ) : isLoaded ? (
          statusText(found.value)
        ) : (
          'Buscando…'
        )}
      </p>
    </>
  );
}

function statusText({ instruments: { length }, areAllForgiven }: Found): string {
  if (length === 0) return 'Ninguna especie coincide.';
  if (areAllForgiven) return length === 1 ? '1 especie parecida' : `${length} especies parecidas`;
  return length === 1 ? '1 especie' : `${length} especies`;
}
