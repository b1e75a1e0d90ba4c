/** A workbook that cannot be read: it is damaged, or exceeds a limit. */
export class WorkbookFault extends Error {
  readonly kind: 'unreadable' | 'too-large';

  constructor(kind: WorkbookFault['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WorkbookFault';
    this.kind = kind;
  }
}
