import { Injectable } from '@nestjs/common';
import { findTeachingHours, MOST_MATCHES, type OutputOf, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { AppError, type RequestContext } from '@swim/platform';
import { AccountClocksService } from '../../../identity/accounts/account-clocks.service.js';
import { AccountsService } from '../../../identity/accounts/accounts.service.js';
import { CertifiedDaysService } from './certified-days.service.js';
import { InstructorSearchRepository } from './instructor-search.repository.js';
import { inBatches } from './search.rules.js';

type HoursInput = ParsedOf<typeof findTeachingHours>;

/** Finds the instructors that may have free time, with their published hours; scheduling knows which of it is taken. */
@Injectable()
export class TeachingHoursService {
  constructor(
    private readonly instructors: InstructorSearchRepository,
    private readonly accounts: AccountsService,
    private readonly clocks: AccountClocksService,
    private readonly days: CertifiedDaysService,
  ) {}

  /** One answer's worth of the instructors that match, by id; `next` is where the following answer begins. */
  @Serve(findTeachingHours)
  async find(requested: HoursInput, context: RequestContext): Promise<OutputOf<typeof findTeachingHours>> {
    const { instructorIds: ids, accountIds, search, certification, place, dates, after = '' } = requested;
    const filters = { accountIds, search, certification, place, common: { ids } };
    const criteria = { ...filters, heldOn: await this.days.daysFor(filters, requested.heldOn, context) };
    const [all] = await Promise.all([
      this.instructors.findTeachers(context, criteria, dates),
      ids && this.requireVisible(ids, context),
    ]);
    if (all.length > MOST_MATCHES) throw tooMany(all.length);
    const open = await this.accounts.ofOpenSchools(all);
    const [batch = [], ...rest] = inBatches(open.filter(({ id }) => id > after));
    const instructors = await this.clocks.withLaterClocks(batch, context);
    return { instructors, next: rest.length > 0 ? batch.at(-1)!.id : null };
  }

  private async requireVisible(ids: readonly string[], context: RequestContext): Promise<void> {
    const visible = new Set(await this.instructors.findVisible(context, ids));
    const missing = ids.find((id) => !visible.has(id));
    if (missing === undefined) return;
    throw new AppError('not_found', {
      field: 'instructor_ids',
      message: `instructor_ids contains ${missing}, which does not exist or which this API key may not see.`,
    });
  }
}

const tooMany = (found: number): AppError =>
  new AppError('too_many_matches', {
    field: 'search',
    message: `At most ${MOST_MATCHES} instructors are searched for free times, and ${found} match. Narrow the search, for instance by location, or name up to 50 of them in instructor_ids.`,
    details: { maximum: MOST_MATCHES },
  });
