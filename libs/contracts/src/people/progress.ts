import { z } from 'zod';
import { addsReasons, expects, id, idText, instantText, text } from '../formats/formats.js';
import { swimmingLevel } from '../formats/person.js';
import { event } from '../operations/event.js';
import { rpc } from '../operations/operation.js';
import { memberObject } from './members.js';

export const SKILL_STATUSES = ['not_started', 'introduced', 'developing', 'mastered'] as const;
export type SkillStatus = (typeof SKILL_STATUSES)[number];

const skill = z.object({
  code: z.string(),
  name: z.string(),
  level: swimmingLevel,
  status: z.enum(SKILL_STATUSES),
  assessed_at: instantText.nullable(),
  assessed_by: idText('acct').nullable(),
});

/** What a school wrote about an assessment, for itself: no other account sees it. */
const assessmentNote = z.object({ text: z.string(), created_at: instantText });

/**
 * Skills of the member's level and of every other level in which one was assessed. `percent_complete` is of the level,
 * whole. Where a school keeps its assessments from families (policy `progress_visible: false`), a family's answer lacks
 * the skills which that school assessed last, and `percent_complete` is null. `sessions_completed` counts sessions of
 * that status, attended or not; `attendance_rate` is attended / (attended + no-show), null when there is neither. `notes` are
 * those of the school that makes the request, its newest 20, newest first; empty for everyone else.
 */
export const progress = z.object({
  member_id: idText('mem'),
  swimming_level: swimmingLevel,
  next_level: swimmingLevel.nullable(),
  percent_complete: z.int().nullable(),
  skills: z.array(skill),
  sessions_completed: z.int(),
  attendance_rate: z.number().nullable(),
  level_history: z.array(z.object({ level: swimmingLevel, reached_at: instantText })),
  notes: z.array(assessmentNote),
});
export type Progress = z.output<typeof progress>;

export const getMemberProgress = rpc('people.getMemberProgress', {
  summary: 'Get the progress of a member',
  description: 'Level, skills, sessions completed and attendance.',
  kind: 'read',
  input: z.strictObject({ member_id: id('mem') }),
  output: progress,
  errors: ['resource_not_found'],
});

const assessedSkill = z.strictObject({
  code: z
    .string()
    .max(64, { error: 'invalid_value', abort: true })
    .meta({
      ...expects('the code of a skill, as GET /v1/members/{member_id}/progress lists them'),
      pattern: '^[a-z0-9_]+$',
    }),
  status: z.enum(SKILL_STATUSES),
});

/**
 * What a school that may read the member has seen of its skills; those not named stay. When all skills of the level are
 * mastered the member moves up, over several levels if need be. An unknown code is `invalid_value` at its field.
 */
export const assessMember = rpc('people.assessMember', {
  summary: 'Assess a member',
  description: 'Records skills. When all skills of a level are mastered, the member reaches the next one.',
  kind: 'write',
  input: z.strictObject({
    member_id: id('mem'),
    skills: z
      .array(assessedSkill)
      .min(1, { error: 'too_short' })
      .max(100, { error: 'too_long', abort: true })
      .superRefine((skills, context) => {
        const codes = skills.map(({ code }) => code);
        const repeated = codes.findIndex((code, index) => codes.indexOf(code) < index);
        if (repeated !== -1) context.addIssue({ code: 'custom', path: [repeated, 'code'], message: 'duplicate_value' });
      })
      .meta(addsReasons('duplicate_value')),
    note: text(2000).nullish(),
  }),
  output: progress,
  errors: ['resource_not_found', 'school_only', 'change_in_progress'],
});
export type Assessment = z.output<typeof assessMember.input>;

/**
 * Skills were assessed. The event has no findings: `GET /members/{id}/progress` returns them as each account may see
 * them.
 */
export const memberProgressUpdated = event('people', 'member.progress_updated', memberObject);
/** One for each level that is reached. */
export const memberLevelAdvanced = event('people', 'member.level_advanced', memberObject);
