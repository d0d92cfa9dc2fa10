/**
 * Steps of an account's erasure, in order: the account's requests end before its data are removed, and what others may read goes
 * before the steps that wait: for payments in progress, and for replicas that store events.
 */
export const STEPS = [
  'keys',
  'members',
  'scheduling',
  'booking',
  'people',
  'payment',
  'notification',
  'account',
] as const;

/** The next step of an erasure. `member` is the only step of a member's that is repeated after a restore. */
export type Step = (typeof STEPS)[number] | 'member';

/** The steps that the people service takes on its own data; the others end keys, or are requests to other services. */
export type OwnStep = Extract<Step, 'members' | 'people' | 'account' | 'member'>;

/** The progress of an erasure. */
export interface Progress {
  /** Null: nothing is left to do. */
  step: Step | null;
  /** The first round erases existing data, the second the results of work that had begun before. */
  round: number;
}

/** The next step, and the delay before it. */
export interface Next extends Progress {
  waitMs: number;
}

/** Delay before a step with more to do is repeated. */
export const AGAIN_MS = 1_000;
const ROUNDS = 2;

/** The beginning of an erasure. */
export const FIRST: Progress = { step: STEPS[0], round: 1 };

/** Whether nobody can read anything of the account any more; the steps after that remove what is stored. */
export const isUnread = ({ step, round }: Progress): boolean =>
  round > 1 || step === null || step === 'notification' || step === 'account';

/** The step after a completed one. Between the rounds lies the longest time that the account's last work may take. */
export function nextAfter({ step, round }: Progress, drainMs: number): Next {
  const following = step === null || step === 'member' ? undefined : STEPS[STEPS.indexOf(step) + 1];
  if (following) return { step: following, round, waitMs: 0 };
  if (step === 'member' || round >= ROUNDS) return { step: null, round, waitMs: 0 };
  return { ...FIRST, round: round + 1, waitMs: drainMs };
}
