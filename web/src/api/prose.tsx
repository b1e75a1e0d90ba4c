import { parseMarkdown, type Block, type Inline } from './markdown.ts';

/** A description of the contract: Markdown as elements, never as HTML text. */
export function Prose({ text }: { readonly text: string }) {
  return (
    <div class="prose stack">
      {parseMarkdown(text).map((block, at) => (
        <ProseBlock key={at} block={block} />
      ))}
    </div>
  );
}

function ProseBlock({ block }: { readonly block: Block }) {
  if (block.kind === 'paragraph') return <p>{inlineNodes(block.parts)}</p>;
  return (
    <table class="prose-table">
      <thead>
        <tr>
          {block.head.map((cell, at) => (
            <th key={at} scope="col">
              {inlineNodes(cell)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {block.rows.map((row, at) => (
          <tr key={at}>
            {row.map((cell, column) => (
              <td key={column}>{inlineNodes(cell)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function inlineNodes(parts: readonly Inline[]) {
  return parts.map((part, at) => {
    switch (part.kind) {
      case 'text':
        return part.text;
      case 'code':
        return <code key={at}>{part.text}</code>;
      case 'strong':
        return <strong key={at}>{inlineNodes(part.parts)}</strong>;
      case 'emphasis':
        return <em key={at}>{inlineNodes(part.parts)}</em>;
    }
  });
}
