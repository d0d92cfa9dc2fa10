/** The levels of members, from the first: those of the American Red Cross, 1 to 6. */
export const LEVELS = [
  'beginner',
  'advanced_beginner',
  'intermediate',
  'advanced_intermediate',
  'advanced',
  'proficient',
] as const;
