import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@swim/platform';
import { AccountClocksService } from '../../../identity/accounts/account-clocks.service.js';
import { InstructorSearchRepository } from './instructor-search.repository.js';
import { type HeldOn, type HoursCriteria, heldOnBy } from './search.rules.js';

const NO_CLOCKS: ReadonlyMap<string, Date> = new Map();

/** Decides to which day a certification must be valid: by the later clock of the requesting account and of each school. */
@Injectable()
export class CertifiedDaysService {
  constructor(
    private readonly instructors: InstructorSearchRepository,
    private readonly clocks: AccountClocksService,
  ) {}

  /** The days for a search; `available` is when the instructor must be free. */
  async daysFor(
    criteria: Omit<HoursCriteria, 'heldOn'>,
    available: string | undefined,
    context: RequestContext,
  ): Promise<HeldOn> {
    const now = await this.clocks.now(context);
    const heldOn = heldOnBy(now, NO_CLOCKS, available);
    // Clocks exist in the sandbox only: a search in live costs nothing more.
    if (context.principal.env === 'live' || criteria.certification === undefined) return heldOn;
    const schools = await this.instructors.findSchools(context, { ...criteria, heldOn });
    return heldOnBy(now, await this.clocks.laterThanOwn(context, schools), available);
  }
}
