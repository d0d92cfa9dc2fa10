import { Inject, Injectable } from '@nestjs/common';
import { AppError, LOGGER, type Logger, systemContext } from '@swim/platform';
import {
  type ConnectionEnd,
  ConnectionsService,
  type PlannedWithSchool,
} from '../../participants/connections.service.js';
import type { SessionDocument } from '../storage/session.schema.js';
import { ErasedSessionsService, type MadeForMembers } from './erased-sessions.service.js';
import { UnconnectedSessions } from './unconnected-sessions.service.js';

/** Sessions that were made under one claim. */
export type MadeSessions = MadeForMembers & PlannedWithSchool;

const membersIn = ({ sessions }: MadeSessions): string[] => sessions.map(({ memberId }) => memberId);

/** Undoes sessions that were stored after their member was erased, or after the connection by which they were planned had ended. */
@Injectable()
export class LateSessionsService {
  constructor(
    private readonly erased: ErasedSessionsService,
    private readonly connections: ConnectionsService,
    private readonly unconnected: UnconnectedSessions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Undoes those of these that came late; returns those of which nothing is left to do. */
  async undo<M extends MadeSessions>(made: readonly M[]): Promise<M[]> {
    const erased = new Set(await this.erased.findErased(made.flatMap(membersIn)));
    const ends = await this.connections.findEnds(made.map((each) => ({ ...each, members: membersIn(each) })));
    const done: M[] = [];
    for (const each of made) {
      const ended = ends.filter(
        ({ schoolId, accountId }) => schoolId === each.schoolId && accountId === each.accountId,
      );
      const isErased = membersIn(each).some((id) => erased.has(id));
      if ((!isErased && ended.length === 0) || (await this.undoOne(each, ended))) done.push(each);
    }
    return done;
  }

  /**
   * Undoes what has moved although its member was erased meanwhile, or the connection by which it was booked has ended: what had begun
   * by then was left as it was. Returns whether there was anything. Idempotent.
   */
  async undoMoved(moved: readonly SessionDocument[]): Promise<boolean> {
    const booked = moved.map(({ schoolId, accountId, memberId, connectionGen: generation = 0 }) => ({
      ...{ schoolId, accountId, members: [memberId] },
      connection: { generation, names: true },
    }));
    const ends = await this.connections.findEnds(booked);
    for (const end of ends)
      if (!(await this.unconnected.cancel(end, systemContext(end.accountId))))
        throw new AppError('unavailable', { retryAfterSeconds: 1 });
    const erased = await this.erased.findErased(moved.map(({ memberId }) => memberId));
    const late = moved.filter(({ memberId }) => erased.includes(memberId));
    for (const { memberId, accountId } of late) await this.erased.erase(memberId, accountId);
    return late.length > 0 || ends.length > 0;
  }

  private async undoOne(made: MadeSessions, ended: readonly ConnectionEnd[]): Promise<boolean> {
    try {
      for (const end of ended) if (!(await this.unconnected.cancel(end, systemContext(made.accountId)))) return false;
      await this.erased.eraseLate(made);
      return true;
    } catch (error) {
      this.logger.warn({ err: error }, 'sessions that came late not cancelled yet');
      return false;
    }
  }
}
