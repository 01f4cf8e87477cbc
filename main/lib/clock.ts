// Time as an argument: what needs the time is given a `Now`, so that tests decide it.

/** Unix time in milliseconds. It may go backwards (a person sets the clock), so nothing orders by it alone. */
export type Now = () => number;

export const systemNow: Now = () => Date.now();
