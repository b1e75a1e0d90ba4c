/** The start of a cell that a spreadsheet treats as a formula (OWASP, CSV injection). */
const formulaStart = /^(?:\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/;

/** Whether a spreadsheet would treat a cell with this text as a formula, or as a signed number. */
export function startsFormula(cell: string): boolean {
  return formulaStart.test(cell);
}
