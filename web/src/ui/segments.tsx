/** One value of a choice. */
export interface Choice<T> {
  readonly value: T;
  readonly name: string;
  /** The name on a narrow screen. */
  readonly short?: string;
  /** The meaning of a short name, which the pointer shows. */
  readonly meaning?: string;
}

/** A choice of one of a few values, as buttons in a row. */
export function Segments<T extends string>({
  label,
  class: name = '',
  choices,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly class?: string;
  readonly choices: readonly Choice<T>[];
  /** Undefined if none of the choices is. */
  readonly chosen: T | undefined;
  readonly onChoose: (value: T) => void;
}) {
  return (
    <div class={`segments ${name}`} role="group" aria-label={label}>
      {choices.map(({ value, name: long, short, meaning }) => (
        <button
          key={value}
          type="button"
          title={meaning}
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
        >
          {short === undefined ? (
            long
          ) : (
            <>
              <span class="wide-only">{long}</span>
              <span class="narrow-only">{short}</span>
            </>
          )}
        </button>
      ))}
    </div>
  );
}
