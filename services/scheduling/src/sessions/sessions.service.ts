import { Injectable } from '@nestjs/common';
import type { createSession, listSessions, Page, ParsedOf, Session } from '@swim/contracts';
import type { Call } from '@swim/messaging';
import { SingleSlotService } from '../calendar/single-slot.service.js';
import { PlanningService } from './planning.service.js';
import { toSession } from './session.mapper.js';
import { sessionsOf } from './session.rules.js';
import type { SessionDocument } from './session.schema.js';
import { SessionsRepository } from './sessions.repository.js';
import { SettlementService } from './settlement.service.js';

/** Making and reading sessions. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly planning: PlanningService,
    private readonly slot: SingleSlotService,
    private readonly settlement: SettlementService,
  ) {}

  async create(input: ParsedOf<typeof createSession>, call: Call): Promise<Session> {
    const { env } = call.principal;
    const id = call.newId('ses');
    const earlier = call.retaken ? await this.settlement.settleEarlier(env, `${id}#0`) : null;
    if (earlier) return toSession(earlier[0]!);
    const request = await this.planning.planSingle(input, id, call);
    if (call.dryRun) {
      await this.slot.rehearse(env, request);
      return toSession(imagined(sessionsOf(request.single, '')[0]!, request.nowMs));
    }
    const [session] = await this.settlement.settle(env, await this.slot.claim(env, request));
    return toSession(session!);
  }

  async get(id: string, call: Call): Promise<Session> {
    return toSession(await this.sessions.getVisible(call, id));
  }

  async ofBookings(bookingIds: string[], call: Call): Promise<Session[]> {
    return (await this.sessions.findOfBookings(call, bookingIds)).map(toSession);
  }

  async list(query: ParsedOf<typeof listSessions>, call: Call): Promise<Page<Session>> {
    const { items, pagination } = await this.sessions.listVisible(call, 'sessions', query);
    return { items: items.map(toSession), pagination };
  }
}

/** A session that a dry run would have made. */
const imagined = (fields: Parameters<typeof Object.assign>[0], nowMs: number): SessionDocument =>
  ({ ...fields, createdAt: new Date(nowMs), updatedAt: new Date(nowMs) }) as SessionDocument;
