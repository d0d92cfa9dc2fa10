import type { Progress } from '@swim/contracts';
import { attendanceRate, type LessonCounts } from '../lessons/lesson.rules.js';
import type { MemberDocument } from '../member.schema.js';
import { nextLevel, percentComplete, skillsToShow } from './progress.rules.js';

/** The fields of a member that its progress needs. */
export type ProgressView = Pick<MemberDocument, '_id' | 'swimmingLevel' | 'skills' | 'levelHistory'>;

/** Input of the progress from elsewhere, or dependent on the requesting account. */
export interface ProgressSurroundings {
  counts: LessonCounts;
  /** Notes of the requesting account, newest first. */
  notes: Progress['notes'];
  /** Schools whose assessments the requesting account may not see. */
  hiding: ReadonlySet<string>;
}

/** Maps a member's progress to the API's JSON. */
export function progressOf(
  { _id, swimmingLevel, skills, levelHistory }: ProgressView,
  { counts, notes, hiding }: ProgressSurroundings,
): Progress {
  const hidden = new Set(skills.filter(({ assessedBy }) => hiding.has(assessedBy)).map(({ code }) => code));
  const shown = skills.filter(({ code }) => !hidden.has(code));
  const assessed = new Map(shown.map((skill) => [skill.code, skill]));
  return {
    member_id: _id,
    swimming_level: swimmingLevel,
    next_level: nextLevel(swimmingLevel),
    percent_complete: hidden.size > 0 ? null : percentComplete(swimmingLevel, skills),
    skills: skillsToShow(swimmingLevel, shown)
      .filter(({ code }) => !hidden.has(code))
      .map(({ code, name, level }) => ({
        code,
        name,
        level,
        status: assessed.get(code)?.status ?? 'not_started',
        assessed_at: assessed.get(code)?.assessedAt.toISOString() ?? null,
        assessed_by: assessed.get(code)?.assessedBy ?? null,
      })),
    sessions_completed: counts.completed,
    attendance_rate: attendanceRate(counts),
    level_history: levelHistory.map(({ level, reachedAt }) => ({ level, reached_at: reachedAt.toISOString() })),
    notes,
  };
}
