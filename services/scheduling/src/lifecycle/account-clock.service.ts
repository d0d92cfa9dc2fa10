import { Inject, Injectable } from '@nestjs/common';
import { type AppliedClock, applyClockToTimes, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { HoldClockService } from '../holds/hold-clock.service.js';
import { ClassPlacesService } from '../lessons/classes/class-places.service.js';
import { DueSessionsService } from '../sessions/ending/due-sessions.service.js';
import { LessonCompletionService } from '../teaching/lesson-completion.service.js';
import { ClassLinesService } from '../waitlist/class-lines.service.js';
import { LessonLinesService } from '../waitlist/lesson-lines.service.js';
import { WaitlistSweep } from '../waitlist/waitlist-sweep.service.js';

/** Applies the clocks of test accounts to what this service stores. */
@Injectable()
export class AccountClockService {
  @Inject(ClassPlacesService) private readonly classes!: ClassPlacesService;
  @Inject(ClassLinesService) private readonly classLines!: ClassLinesService;

  constructor(
    private readonly sessions: DueSessionsService,
    private readonly lessons: LessonCompletionService,
    private readonly holds: HoldClockService,
    private readonly waitlist: WaitlistSweep,
    private readonly lines: LessonLinesService,
  ) {}

  /**
   * Sessions come first: an advance stops at the end of each hold, so what is due of them was due before. Time that a hold gives
   * back is offered to entries whose own time has not passed.
   */
  @Serve(applyClockToTimes)
  async apply(clock: ParsedOf<typeof applyClockToTimes>, { deadline }: RequestContext): Promise<AppliedClock> {
    const reminded = await this.sessions.applyClock(clock, deadline);
    const taught = await this.lessons.applyClock(clock, deadline);
    const left = await this.waitlist.applyClock(clock);
    const ended = await this.holds.applyClock(clock);
    await this.classes.applyClock(clock);
    await this.classLines.serveDue();
    await this.lines.serveDue();
    return { handled: reminded + taught + left + ended, nextOffsetMs: await this.holds.nextOffset(clock.accountId) };
  }
}
