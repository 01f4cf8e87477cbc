// Where a message is written.
export function Composer() {
  return null;
}
