// What every place on the path is told.
export type ItemProps = {
  depth: number;
  /** Messages in the feed, the ending included. */
  count: number;
};
