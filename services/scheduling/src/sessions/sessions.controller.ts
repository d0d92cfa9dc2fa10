import { Controller } from '@nestjs/common';
import {
  type CancellationQuote,
  cancelSession,
  completeSession,
  createSession,
  findLessonsOutside,
  getSession,
  listSessions,
  type OutputOf,
  type Page,
  type ParsedOf,
  quoteCancellation,
  recordAttendance,
  type Session,
  updateSession,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { CancellationService } from './cancellation.service.js';
import { CompletionService } from './completion.service.js';
import { LessonTimesService } from './lesson-times.service.js';
import { RescheduleService } from './reschedule.service.js';
import { SessionsService } from './sessions.service.js';

@Controller()
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly reschedules: RescheduleService,
    private readonly cancellations: CancellationService,
    private readonly completions: CompletionService,
    private readonly times: LessonTimesService,
  ) {}

  @Serve(createSession)
  create(input: ParsedOf<typeof createSession>, context: RequestContext): Promise<Session> {
    return this.sessions.create(input, context);
  }

  @Serve(getSession)
  get(input: ParsedOf<typeof getSession>, context: RequestContext): Promise<Session> {
    return this.sessions.get(input.session_id, context);
  }

  @Serve(listSessions)
  list(query: ParsedOf<typeof listSessions>, context: RequestContext): Promise<Page<Session>> {
    return this.sessions.list(query, context);
  }

  @Serve(findLessonsOutside)
  findOutside(
    input: ParsedOf<typeof findLessonsOutside>,
    context: RequestContext,
  ): Promise<OutputOf<typeof findLessonsOutside>> {
    return this.times.findOutside(input, context);
  }

  @Serve(updateSession)
  update(input: ParsedOf<typeof updateSession>, context: RequestContext): Promise<Session> {
    return this.reschedules.update(input, context);
  }

  @Serve(cancelSession)
  cancel(input: ParsedOf<typeof cancelSession>, context: RequestContext): Promise<Session> {
    return this.cancellations.cancel(input, context);
  }

  @Serve(quoteCancellation)
  quote(input: ParsedOf<typeof quoteCancellation>, context: RequestContext): Promise<CancellationQuote> {
    return this.cancellations.quote(input.session_id, context);
  }

  @Serve(completeSession)
  complete(input: ParsedOf<typeof completeSession>, context: RequestContext): Promise<Session> {
    return this.completions.complete(input.session_id, context);
  }

  @Serve(recordAttendance)
  attend(input: ParsedOf<typeof recordAttendance>, context: RequestContext): Promise<Session> {
    return this.completions.attend(input.session_id, input.attendance, context);
  }
}
