import { Controller } from '@nestjs/common';
import {
  type CalendarFeed,
  type CalendarToken,
  describePlaces,
  type LessonPlace,
  mintInstructorCalendarToken,
  mintMemberCalendarToken,
  type ParsedOf,
  readInstructorCalendar,
  readMemberCalendar,
  revokeInstructorCalendarToken,
  revokeMemberCalendarToken,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { CalendarTokensService } from './calendar-tokens.service.js';
import { FeedsService } from './feeds.service.js';

@Controller()
export class FeedsController {
  constructor(
    private readonly tokens: CalendarTokensService,
    private readonly feeds: FeedsService,
  ) {}

  @Serve(mintInstructorCalendarToken)
  mintOfInstructor(
    { instructor_id: instructorId }: ParsedOf<typeof mintInstructorCalendarToken>,
    context: RequestContext,
  ): Promise<CalendarToken> {
    return this.tokens.mint({ instructorId }, context);
  }

  @Serve(mintMemberCalendarToken)
  mintOfMember(
    { member_id: memberId }: ParsedOf<typeof mintMemberCalendarToken>,
    context: RequestContext,
  ): Promise<CalendarToken> {
    return this.tokens.mint({ memberId }, context);
  }

  @Serve(revokeInstructorCalendarToken)
  async revokeOfInstructor(
    { instructor_id }: ParsedOf<typeof revokeInstructorCalendarToken>,
    context: RequestContext,
  ): Promise<Record<string, never>> {
    await this.tokens.revoke(instructor_id, context);
    return {};
  }

  @Serve(revokeMemberCalendarToken)
  async revokeOfMember(
    { member_id }: ParsedOf<typeof revokeMemberCalendarToken>,
    context: RequestContext,
  ): Promise<Record<string, never>> {
    await this.tokens.revoke(member_id, context);
    return {};
  }

  @Serve(describePlaces)
  describePlaces({ sessionIds, holdId }: ParsedOf<typeof describePlaces>): Promise<LessonPlace[]> {
    return this.feeds.describePlaces(sessionIds, holdId);
  }

  @Serve(readInstructorCalendar)
  readOfInstructor({
    instructor_id: instructorId,
    token: digest,
    known_tags: knownTags,
  }: ParsedOf<typeof readInstructorCalendar>): Promise<CalendarFeed> {
    return this.feeds.read({ instructorId }, { digest, knownTags });
  }

  @Serve(readMemberCalendar)
  readOfMember({
    member_id: memberId,
    token: digest,
    known_tags: knownTags,
  }: ParsedOf<typeof readMemberCalendar>): Promise<CalendarFeed> {
    return this.feeds.read({ memberId }, { digest, knownTags });
  }
}
