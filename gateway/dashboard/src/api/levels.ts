import type { SwimmingLevel } from '@swim/sdk';

/** Has each level of the API, from the first: a missing, an unknown and a repeated one do not compile. */
const ORDER: Readonly<Record<SwimmingLevel, number>> = {
  beginner: 1,
  advanced_beginner: 2,
  intermediate: 3,
  advanced_intermediate: 4,
  advanced: 5,
  proficient: 6,
};

/** The levels of members, from the first: those of the American Red Cross, 1 to 6. */
export const LEVELS = (Object.keys(ORDER) as SwimmingLevel[]).toSorted((a, b) => ORDER[a] - ORDER[b]);
