import { z } from 'zod';
import { id } from './formats.js';
import { rpc } from './operation.js';
import { swimmingLevel } from './person.js';

export const SKILL_STATUSES = ['not_started', 'introduced', 'developing', 'mastered'] as const;
export type SkillStatus = (typeof SKILL_STATUSES)[number];

const skill = z.object({
  code: z.string(),
  name: z.string(),
  level: swimmingLevel,
  status: z.enum(SKILL_STATUSES),
  assessed_at: z.string().nullable(),
  assessed_by: z.string().nullable(),
});

/** Skills of the member's level and of every other level in which one was assessed. `percent_complete` is of the level, whole. */
export const progress = z.object({
  member_id: z.string(),
  swimming_level: swimmingLevel,
  next_level: swimmingLevel.nullable(),
  percent_complete: z.int(),
  skills: z.array(skill),
  sessions_completed: z.int(),
  attendance_rate: z.number().nullable(),
  level_history: z.array(z.object({ level: swimmingLevel, reached_at: z.string() })),
});
export type Progress = z.output<typeof progress>;

export const getMemberProgress = rpc('people.getMemberProgress', {
  kind: 'read',
  input: z.strictObject({ member_id: id('mem') }),
  output: progress,
  errors: ['resource_not_found'],
});
