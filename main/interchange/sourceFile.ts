// A file that can be read as a stream, wherever it lies.
export type SourceFile = {
  /** From the folder or archive on, with `/` between names. */
  path: string;
  /** Bytes, unpacked. */
  size: number;
  stream(): AsyncIterable<Buffer>;
};
