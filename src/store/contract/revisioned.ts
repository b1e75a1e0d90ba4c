/** A part of a store that counts its changes. */
export interface Revisioned {
  /**
   * The current revision. It rises with each commit that changed something in this part, by any process. The call is
   * cheap, so it may be made several times a second.
   */
  revision(): Promise<number>;
}
