import { Controller } from '@nestjs/common';
import {
  type CancellationQuote,
  cancelSession,
  completeSession,
  createSession,
  getSession,
  listSessions,
  type Page,
  type ParsedOf,
  quoteCancellation,
  recordAttendance,
  type Session,
  updateSession,
} from '@swim/contracts';
import { type Call, Serve } from '@swim/messaging';
import { CancellationService } from './cancellation.service.js';
import { CompletionService } from './completion.service.js';
import { RescheduleService } from './reschedule.service.js';
import { SessionsService } from './sessions.service.js';

@Controller()
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly reschedules: RescheduleService,
    private readonly cancellations: CancellationService,
    private readonly completions: CompletionService,
  ) {}

  @Serve(createSession)
  create(input: ParsedOf<typeof createSession>, call: Call): Promise<Session> {
    return this.sessions.create(input, call);
  }

  @Serve(getSession)
  get(input: ParsedOf<typeof getSession>, call: Call): Promise<Session> {
    return this.sessions.get(input.session_id, call);
  }

  @Serve(listSessions)
  list(query: ParsedOf<typeof listSessions>, call: Call): Promise<Page<Session>> {
    return this.sessions.list(query, call);
  }

  @Serve(updateSession)
  update(input: ParsedOf<typeof updateSession>, call: Call): Promise<Session> {
    return this.reschedules.update(input, call);
  }

  @Serve(cancelSession)
  cancel(input: ParsedOf<typeof cancelSession>, call: Call): Promise<Session> {
    return this.cancellations.cancel(input, call);
  }

  @Serve(quoteCancellation)
  quote(input: ParsedOf<typeof quoteCancellation>, call: Call): Promise<CancellationQuote> {
    return this.cancellations.quote(input.session_id, call);
  }

  @Serve(completeSession)
  complete(input: ParsedOf<typeof completeSession>, call: Call): Promise<Session> {
    return this.completions.complete(input.session_id, call);
  }

  @Serve(recordAttendance)
  attend(input: ParsedOf<typeof recordAttendance>, call: Call): Promise<Session> {
    return this.completions.attend(input.session_id, input.attendance, call);
  }
}
