// A record of a source with what its place in the tree tells of it.
import type { SourceNode } from './importedTree';

export type Place = {
  node: SourceNode;
  /** Its place in the file. */
  index: number;
  parent: Place | null;
  depth: number;
  recovered: boolean;
  isMessage: boolean;
  /** The message this record counts as: itself, or the nearest message above. */
  anchor: Place | null;
  /** Its own time, else that of the nearest record above that has one. */
  time: number;
  hasMessageBelow: boolean;
  /** The record standing alone that took it in. */
  takenInBy: Place | null;
};

export const noTime = Number.NEGATIVE_INFINITY;
