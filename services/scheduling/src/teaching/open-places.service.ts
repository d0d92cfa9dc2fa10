import { Injectable } from '@nestjs/common';
import { CalendarService, type Claim } from '../calendar/calendar.service.js';
import type { LessonDocument } from '../calendar/places/lesson.schema.js';
import { HoldReleaseService } from '../holds/hold-release.service.js';
import { LessonLinesService } from '../waitlist/lesson-lines.service.js';

const isOffer = ({ elements }: Claim): boolean => elements.some(({ place }) => place?.asOffer);

/** Places of a lesson that nobody has booked yet. */
@Injectable()
export class OpenPlacesService {
  constructor(
    private readonly calendar: CalendarService,
    private readonly holds: HoldReleaseService,
    private readonly lines: LessonLinesService,
  ) {}

  /**
   * Ends the holds and offers in a lesson, and the claims that are being made: each fails, or has been confirmed before; returns these.
   * The places are kept for those whose offers return to the line, and for a moment nobody gets another one. Idempotent.
   */
  async end({ _id, busy }: Pick<LessonDocument, '_id' | 'busy'>): Promise<Claim[]> {
    const claims = await this.calendar.findClaims([...new Set(busy.map(({ c }) => c))]);
    const open = claims.filter(({ state }) => state !== 'confirmed');
    if (open.length > 0) await this.lines.pause(_id, open.some(isOffer));
    return this.endAll(claims);
  }

  /** As `end`, for these claims; returns those that are confirmed, as they are now. */
  async endAll(claims: Claim[]): Promise<Claim[]> {
    await Promise.all(claims.filter(({ state }) => state !== 'confirmed').map((claim) => this.endOne(claim)));
    const now = await this.calendar.findClaims(claims.map(({ _id }) => _id));
    return now.filter(({ state }) => state === 'confirmed');
  }

  private async endOne(claim: Claim): Promise<void> {
    if (claim.state !== 'held') return void (await this.calendar.releaseOpen(claim));
    // Before its claim: after a crash the sweep ends the hold.
    await this.holds.takeBack(claim.key);
    if (await this.calendar.releaseOpen(claim)) await this.holds.lapseOf(claim.key);
  }
}
