/** The steps of a reset for whose end clients wait, in order: the second round is not among them. */
export const RESET_STEPS = ['events', 'lessons', 'money', 'contents', 'people', 'demo'] as const;

/** A step of the first round. */
export type ResetStep = (typeof RESET_STEPS)[number];

/** The only step by which a new account gets its demo data: there is nothing to end or to empty, and clients do not wait. */
export const FILL_STEP = 'fill';

/** Whether clients have to wait for a reset. */
export const isResetting = (reset: { step: string | null } | null | undefined): boolean =>
  (RESET_STEPS as readonly (string | null | undefined)[]).includes(reset?.step);
