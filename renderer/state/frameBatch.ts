// Runs an act at the next frame, however often it is asked for; a hidden window has no frames, so a timer stands in.

/** What is asked for twice before it ran happens once; `flush` runs it now, if it waits. */
export function batchPerFrame(act: () => void): { ask(): void; flush(): void } {
  let frame: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = undefined;
    timer = undefined;
    act();
  };
  return {
    ask() {
      if (frame !== undefined) return;
      frame = requestAnimationFrame(run);
      timer = setTimeout(run, 200);
    },
    flush() {
      if (frame !== undefined) run();
    },
  };
}
