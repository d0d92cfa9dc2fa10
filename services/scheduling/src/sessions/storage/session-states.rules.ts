import { type Session, SYSTEM_ACTOR } from '@swim/contracts';
import type { SessionDocument } from './session.schema.js';

/** The actions on a session. */
export type SessionAction = 'change' | 'complete' | 'cancel' | 'attend';

/**
 * The state machine: the state an action leads to, or null where it is `invalid_state`. Completed and cancelled are terminal;
 * cancelling a cancelled session changes nothing; attendance can be recorded during and after the session.
 */
export const TRANSITIONS: Record<Session['status'], Record<SessionAction, Session['status'] | null>> = {
  scheduled: { change: 'scheduled', complete: 'completed', cancel: 'cancelled', attend: 'scheduled' },
  completed: { change: null, complete: null, cancel: null, attend: 'completed' },
  cancelled: { change: null, complete: null, cancel: 'cancelled', attend: null },
};

/** The state after an action, or null where the action is not allowed. */
export const nextStatus = (from: Session['status'], action: SessionAction): Session['status'] | null =>
  TRANSITIONS[from][action];

/** Which states allow an action, as a clause of the error's message. */
const ALLOWED: Readonly<Record<SessionAction, string>> = {
  change: 'Only a scheduled session can be changed',
  complete: 'Only a scheduled session can be completed',
  cancel: 'Only a scheduled session can be cancelled',
  attend: 'Attendance is recorded only of a session that was not cancelled',
};

/** Why an action is `invalid_state`: the details and, where the status permits it, the message of the error. */
export interface StateRejection {
  details: { status: Session['status']; attendance?: Session['attendance'] };
  message?: string;
}

/**
 * Why an action on a session is `invalid_state`; null when it is allowed. A session whose attendance is final can only be
 * completed: a refund or a credit followed from what it was.
 */
export function stateRejection(
  { status, attendance, attendanceIsFinal }: Pick<SessionDocument, 'status' | 'attendance' | 'attendanceIsFinal'>,
  action: SessionAction,
): StateRejection | null {
  if (!nextStatus(status, action))
    return { details: { status }, message: `${ALLOWED[action]}; this one is ${status}.` };
  if (!attendanceIsFinal || action === 'complete') return null;
  return {
    details: { status, attendance },
    message: `A refund or a makeup credit followed from the attendance "${attendance}", so that neither it nor the session can change any more.`,
  };
}

/**
 * Why an account can neither move nor cancel a session of which the school has recorded who came; null when it can. The school itself
 * can, and so can the service: otherwise the members' account would escape a no-show fee, or repeat a lesson that was given.
 */
export function attendanceRejection(
  { status, attendance, schoolId }: Pick<SessionDocument, 'status' | 'attendance' | 'schoolId'>,
  { accountId, keyId }: { accountId: string; keyId: string },
): StateRejection | null {
  const isRecorded = status === 'scheduled' && (attendance === 'attended' || attendance === 'no_show');
  if (!isRecorded || accountId === schoolId || keyId === SYSTEM_ACTOR) return null;
  return {
    details: { status, attendance },
    message: `The attendance "${attendance}" is recorded: only the instructor's school can move or cancel this session now.`,
  };
}

/** Whether a session has started, so that its member's account can neither move nor cancel it; its school can. */
export const hasStartedFor = (
  { status, start, accountId, schoolId }: Pick<SessionDocument, 'status' | 'start' | 'accountId' | 'schoolId'>,
  byAccountId: string,
  now: Date,
): boolean => status === 'scheduled' && start <= now && byAccountId === accountId && byAccountId !== schoolId;

/** The fields that a completion sets. */
export const completion = ({ drop, dueAt }: Pick<SessionDocument, 'drop' | 'dueAt'>) => ({
  status: 'completed' as const,
  nextDueAt: null,
  dueAt: drop.length > 0 ? dueAt : null,
});
