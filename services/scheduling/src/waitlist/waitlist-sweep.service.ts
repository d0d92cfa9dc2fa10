import { Inject, Injectable } from '@nestjs/common';
import { type AccountClock, WhenDue } from '@swim/mongo';
import { sharedClock } from '@swim/platform';
import { type PoolDocument, PoolsService } from '../pools/pools.service.js';
import { ClassLinesService } from './class-lines.service.js';
import { LessonLinesService } from './lesson-lines.service.js';
import { OffersService } from './offers.service.js';
import { pastAt, WaitlistRepository } from './storage/waitlist.repository.js';
import type { WaitlistDocument } from './storage/waitlist.schema.js';
import { UnconnectedEntries } from './unconnected-entries.service.js';

const BATCH = 100;

/** Expires the entries whose requested time has passed, and offers the time that more lanes of a pool have made free. */
@Injectable()
export class WaitlistSweep {
  @Inject(UnconnectedEntries) private readonly unconnected!: UnconnectedEntries;

  constructor(
    private readonly waitlist: WaitlistRepository,
    private readonly pools: PoolsService,
    private readonly offers: OffersService,
    private readonly lines: LessonLinesService,
    private readonly classLines: ClassLinesService,
  ) {}

  /** Entries stored a moment ago are due as well: a crash of their request may have left work. */
  @WhenDue(({ waitlist }: WaitlistSweep) => waitlist.past)
  async endPast(entry: WaitlistDocument): Promise<void> {
    if (entry.status === 'waiting' && (await this.unconnected.leaveIfVoid(entry))) return;
    if (entry.status === 'waiting' && entry.classId) return this.classLines.attend(entry);
    if (entry.status === 'waiting' && entry.lessonId) return this.lines.attend(entry);
    const leftMs = pastAt(entry).getTime() - sharedClock.nowMs();
    if (entry.status === 'waiting' && leftMs > 0) return void (await this.waitlist.past.postpone(entry, leftMs));
    await this.waitlist.markPast(entry._id);
  }

  @WhenDue(({ pools }: WaitlistSweep) => pools.widened)
  async offerNewLanes(pool: PoolDocument): Promise<void> {
    await this.offers.offerFree({ schoolId: pool.accountId });
    // Last: a crash leaves it due, and the entries that were offered time wait no longer.
    await this.pools.widened.end(pool);
  }

  /** Applies the clock of a test account to its entries, and expires those whose requested time has passed then. */
  async applyClock(clock: AccountClock): Promise<number> {
    await this.waitlist.applyClock(clock);
    const due = await this.waitlist.findDueOf(clock.accountId, BATCH);
    for (const entry of due) await this.endPast(entry);
    return due.length;
  }
}
