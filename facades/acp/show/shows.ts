/** What the client can show that is not for everyone. */
export interface Shows {
  readonly notices: boolean;
  readonly compaction: boolean;
}
