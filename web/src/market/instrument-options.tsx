import { allInstruments } from './instruments.ts';

/** The instruments that a field with `list="especies"` offers. */
export function InstrumentOptions() {
  return (
    <datalist id="especies">
      {[...allInstruments.value.values()].map(({ especie, nombre }) => (
        <option key={especie} value={especie}>
          {nombre}
        </option>
      ))}
    </datalist>
  );
}
