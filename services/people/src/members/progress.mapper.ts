import type { Progress } from '@swim/contracts';
import type { MemberDocument } from './member.schema.js';
import { nextLevel, percentComplete, skillsToShow } from './progress.rules.js';

/** A member's progress as the API answers it. */
export function progressOf({ _id, swimmingLevel, skills, levelHistory }: MemberDocument): Progress {
  const assessed = new Map(skills.map((skill) => [skill.code, skill]));
  return {
    member_id: _id,
    swimming_level: swimmingLevel,
    next_level: nextLevel(swimmingLevel),
    percent_complete: percentComplete(swimmingLevel, skills),
    skills: skillsToShow(swimmingLevel, skills).map(({ code, name, level }) => ({
      code,
      name,
      level,
      status: assessed.get(code)?.status ?? 'not_started',
      assessed_at: assessed.get(code)?.assessedAt.toISOString() ?? null,
      assessed_by: assessed.get(code)?.assessedBy ?? null,
    })),
    sessions_completed: 0,
    attendance_rate: null,
    level_history: levelHistory.map(({ level, reachedAt }) => ({ level, reached_at: reachedAt.toISOString() })),
  };
}
