import { Injectable } from '@nestjs/common';
import {
  countLessons,
  getSession,
  listSessions,
  makeSession,
  type Page,
  type ParsedOf,
  type Session,
  sessionsOfBookings,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { type RequestContext, timeOfId } from '@swim/platform';
import { SlotsService } from '../../slots/slots.service.js';
import { GivenLessonsRepository } from '../reading/given-lessons.repository.js';
import { toSession } from '../storage/session.mapper.js';
import { imaginedSessions } from '../storage/session.rules.js';
import { SessionsRepository } from '../storage/sessions.repository.js';
import { FulfilmentService } from './fulfilment.service.js';
import { SessionPlansService } from './session-plans.service.js';

/** Makes sessions outside bookings, and reads sessions. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly plans: SessionPlansService,
    private readonly slots: SlotsService,
    private readonly fulfilment: FulfilmentService,
    private readonly given: GivenLessonsRepository,
  ) {}

  @Serve(makeSession)
  async create(input: ParsedOf<typeof makeSession>, loud: RequestContext): Promise<Session> {
    const context = { ...loud, isQuiet: !input.notify_participants };
    const id = context.newId('ses');
    const run = { sessionId: id, attempt: context.attempt };
    const earlier = context.resumed ? await this.fulfilment.fulfilEarlier(`${id}#0`, run) : null;
    if (earlier) return toSession(earlier);
    const request = await this.plans.planSingle(input, id, context);
    if (context.dryRun) {
      await this.slots.checkOne(request);
      return toSession(imaginedSessions(request.single, timeOfId(id).getTime())[0]!);
    }
    const [session] = await this.fulfilment.fulfil(await this.slots.claimOne(request));
    return toSession(session!);
  }

  @Serve(getSession)
  async get({ session_id: id }: ParsedOf<typeof getSession>, context: RequestContext): Promise<Session> {
    return toSession(await this.sessions.getVisible(context, id));
  }

  @Serve(sessionsOfBookings)
  async ofBookings({ bookingIds }: ParsedOf<typeof sessionsOfBookings>, context: RequestContext): Promise<Session[]> {
    // Without metadata, which the booking does not need: the largest of all sessions would not fit into one reply.
    return (await this.sessions.findOfBookings(context, bookingIds)).map((one) => ({
      ...toSession(one),
      metadata: {},
    }));
  }

  /** The lessons that the account's school gave between each two of these instants. */
  @Serve(countLessons)
  async countGiven(
    { boundaries, currency }: ParsedOf<typeof countLessons>,
    context: RequestContext,
  ): Promise<{ counts: number[] }> {
    const ends = boundaries.slice(1).map((end) => Date.parse(end));
    const counts = ends.map(() => 0);
    for (const { startMs, count } of await this.given.countByQuarter(
      context,
      boundaries[0]!,
      boundaries.at(-1)!,
      currency,
    )) {
      const day = ends.findIndex((end) => startMs < end);
      counts[day]! += count;
    }
    return { counts };
  }

  @Serve(listSessions)
  async list(query: ParsedOf<typeof listSessions>, context: RequestContext): Promise<Page<Session>> {
    const { items, pagination } = await this.sessions.listVisible(context, 'sessions', query);
    return { items: items.map(toSession), pagination };
  }
}
