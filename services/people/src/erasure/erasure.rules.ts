/** Steps of an account's erasure, in order: nothing new can come of the account before what there is goes. */
export const STEPS = [
  'keys',
  'members',
  'scheduling',
  'booking',
  'payment',
  'notification',
  'people',
  'account',
] as const;

/** What is done next for an erasure. `member` is the only step of a member's that is repeated after a restore. */
export type Step = (typeof STEPS)[number] | 'member';

/** How far an erasure has come. */
export interface Progress {
  /** Null: nothing is left to do. */
  step: Step | null;
  /** The first round reaches all that is there, the second what work has left that had begun before. */
  round: number;
}

/** Where to go on, and how long to wait before. */
export interface Next extends Progress {
  waitMs: number;
}

/** Before a step that has more to do is taken again. */
export const AGAIN_MS = 1_000;
const ROUNDS = 2;

/** What an erasure begins with. */
export const FIRST: Progress = { step: STEPS[0], round: 1 };

/** What follows a step that is done. Between the rounds lies the time that the latest work of the account may still take. */
export function nextAfter({ step, round }: Progress, drainMs: number): Next {
  const following = step === null || step === 'member' ? undefined : STEPS[STEPS.indexOf(step) + 1];
  if (following) return { step: following, round, waitMs: 0 };
  if (step === 'member' || round >= ROUNDS) return { step: null, round, waitMs: 0 };
  return { ...FIRST, round: round + 1, waitMs: drainMs };
}
