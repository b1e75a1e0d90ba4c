/** What a package asks those who distribute it to reproduce. */
export interface Notice {
  readonly name: string;
  /** Absent for a package within the bundle of another one: its version is not recorded there. */
  readonly version?: string;
  /** The package within whose bundle this one is. */
  readonly within?: string;
  /** SPDX expression. */
  readonly licence: string;
  /** Its copyright notice. Absent if `text` contains it. */
  readonly copyright?: string;
  readonly text: string;
}
