import { Injectable } from '@nestjs/common';
import { finalizeAttendances, type ParsedOf, recordReturns, sessionUpdated } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { asSystem } from '@swim/mongo';
import { type Answered, AppError, type RequestContext } from '@swim/platform';
import { toSessionObject } from '../storage/session.mapper.js';
import type { SessionDocument } from '../storage/session.schema.js';
import { SessionsRepository } from '../storage/sessions.repository.js';

/** What the money of a booking needs of its sessions, and records in them. */
@Injectable()
export class SessionMoneyService {
  constructor(private readonly sessions: SessionsRepository) {}

  /**
   * Makes the attendance of those sessions final that still have the requested version; returns all as they are then. One
   * conditional update each, so that a change of a session and this exclude each other.
   */
  @Serve(finalizeAttendances)
  async finalize(
    { sessions: requested }: ParsedOf<typeof finalizeAttendances>,
    context: RequestContext,
  ): Promise<Answered<typeof finalizeAttendances>> {
    for (const { id, version } of requested)
      await this.sessions.changeInwardly(context, id, (now) =>
        now.version === version && now.status !== 'cancelled' && !now.attendanceIsFinal
          ? { attendanceIsFinal: true }
          : null,
      );
    const ids = requested.map(({ id }) => id);
    const found = await this.sessions.findByIds(ids);
    return found.map((session) => ({
      session: toSessionObject(session),
      isFinal: session.attendanceIsFinal === true,
    }));
  }

  /** Records what cancellations gave back, also where a reset has taken the session from the booking's school. */
  @Serve(recordReturns)
  async recordReturns(
    { sessions }: ParsedOf<typeof recordReturns>,
    context: RequestContext,
  ): Promise<{ recorded: true }> {
    const scope = asSystem('a booking names its own sessions');
    for (const { id, refundId: refund_id, creditId: makeup_credit } of sessions) {
      const record = ({ cancellation: now }: SessionDocument) => {
        if (!now) throw new AppError('resource_not_found');
        const isRecorded = now.refund_id === refund_id && now.makeup_credit === makeup_credit;
        return isRecorded ? null : { cancellation: { ...now, refund_id, makeup_credit } };
      };
      await this.sessions.change(context, id, sessionUpdated, record, scope);
    }
    return { recorded: true };
  }
}
