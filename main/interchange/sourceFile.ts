// A file that can be read as a stream, wherever it lies.
export type SourceFile = {
  /** From the folder or archive on, with `/` between names. */
  path: string;
  /** Bytes, unpacked. */
  size: number;
  /** Where it lies as a file of its own. */
  onDisk?: string | undefined;
  stream(): AsyncIterable<Buffer>;
};
