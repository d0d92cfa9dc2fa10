import type { CreateSubstitutionBody } from '@swim/sdk';
import { instantAt, type WallClock } from '../../design/values/wall-clock.ts';

/** The fields of the form of a substitution; its times are by the clock of the instructor. */
export interface SubstitutionValues {
  readonly instructor: string;
  readonly substitute: string;
  readonly from: WallClock;
  readonly to: WallClock;
  /** Whether lessons that do not fit stay with their instructor. */
  readonly skips: boolean;
}

/** The body of a request for the form; null while it is not complete. */
export function bodyOf(values: SubstitutionValues, timeZone: string): CreateSubstitutionBody | null {
  const { instructor, substitute, skips } = values;
  const [from, to] = [instantAt(values.from, timeZone), instantAt(values.to, timeZone)];
  if (!instructor || !substitute || from === null || to === null) return null;
  return { instructor_id: instructor, substitute_id: substitute, from, to, on_conflict: skips ? 'skip' : 'fail' };
}
