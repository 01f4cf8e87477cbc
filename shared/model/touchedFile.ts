// A file that an agent's tools read or changed along a path, for the side panel.
import type { MessageId } from './ids';

export type TouchedFile = {
  /** As the workspace names it, with `/`; absolute when it is outside. */
  path: string;
  read: number;
  changed: number;
  /** The newest message whose call touched it, and its depth on the path. */
  messageId: MessageId;
  depth: number;
};
