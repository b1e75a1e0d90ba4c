/** A description of the contract, as paragraphs. Text between backticks becomes code. */
export function Prose({ text }: { readonly text: string }) {
  const paragraphs = text.trim().split(/\n\s*\n/);
  return (
    <div class="prose">
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>
          {paragraph
            .split('`')
            .map((part, at) => (at % 2 === 1 ? <code key={`${at} ${part}`}>{part}</code> : part))}
        </p>
      ))}
    </div>
  );
}
