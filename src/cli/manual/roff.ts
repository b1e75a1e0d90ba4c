/** A text in the language of troff: every character is printed as it is. */
export function roffText(text: string): string {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('…', '\\&...');
  // A line that begins with a period or an apostrophe would be a request.
  return escaped.replaceAll(/^(?=[.'])/gm, '\\&');
}

/** A macro with one argument. */
export function macro(name: string, argument: string): string {
  return `.${name} "${roffText(argument).replaceAll('"', '\\(dq')}"`;
}

/** A paragraph of text. */
export function paragraph(text: string): string {
  return `.PP\n${roffText(text)}`;
}
