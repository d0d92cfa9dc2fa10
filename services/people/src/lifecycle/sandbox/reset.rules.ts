import type { AccountReset } from '../../identity/accounts/account.schema.js';

/**
 * Steps of a reset, in order: what is in progress ends before the account ceases to read it, and the demo data comes last. `events`
 * is the first, so that no webhook reports what the reset ends. Members come late: all services consume their erasures.
 */
export const RESET_STEPS = ['events', 'lessons', 'money', 'contents', 'people', 'demo'] as const;

/** A step of a reset. */
export type ResetStep = (typeof RESET_STEPS)[number];

export type ResetProgress = Pick<AccountReset, 'step' | 'round'>;

/** The beginning of a reset. */
export const FIRST_STEP: ResetProgress = { step: RESET_STEPS[0], round: 1 };

const ROUNDS = 2;

/** The demo data of a new account: there is nothing to end or to empty, also in a second round, and clients do not wait. */
export const DEMO_ONLY = { step: 'demo', round: ROUNDS } as const satisfies ResetProgress;

/** What follows a completed step, and the delay before it. Between the rounds lies the longest time that a request may take. */
export function stepAfter({ step, round }: ResetProgress, drainMs: number): ResetProgress & { waitMs: number } {
  const following = step === null ? undefined : RESET_STEPS[RESET_STEPS.indexOf(step) + 1];
  const isLast = following === undefined || (following === 'demo' && round === ROUNDS);
  if (!isLast) return { step: following, round, waitMs: 0 };
  if (round === ROUNDS || step === null) return { step: null, round, waitMs: 0 };
  return { ...FIRST_STEP, round: round + 1, waitMs: drainMs };
}

/** Whether clients have to wait for a reset. */
export const isResetting = (progress: ResetProgress | null | undefined): boolean =>
  progress?.step != null && progress.round === FIRST_STEP.round;
