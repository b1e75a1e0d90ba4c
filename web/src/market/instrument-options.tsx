import { instruments } from './instruments.ts';

/** The instruments that a field with `list="especies"` offers. */
export function InstrumentOptions() {
  return (
    <datalist id="especies">
      {[...instruments.value.values()].map(({ especie, nombre }) => (
        <option key={especie} value={especie}>
          {nombre}
        </option>
      ))}
    </datalist>
  );
}
