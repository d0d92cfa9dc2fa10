import { Injectable } from '@nestjs/common';
import {
  FREE_MINUTES,
  findFreeInstructors,
  type ListedInstructor,
  listInstructors,
  type Page,
  type ParsedOf,
  placeOf,
} from '@swim/contracts';
import { RpcClient, Serve } from '@swim/messaging';
import { type RequestContext } from '@swim/platform';
import { AccountClocksService } from '../../../identity/accounts/account-clocks.service.js';
import { AccountsService } from '../../../identity/accounts/accounts.service.js';
import { instructorOf } from '../instructor.mapper.js';
import { CertifiedDaysService } from './certified-days.service.js';
import { type Found, InstructorSearchRepository } from './instructor-search.repository.js';
import { type Candidate, type Criteria, type HourlyCandidate, inBatches } from './search.rules.js';

type SearchInput = ParsedOf<typeof listInstructors>;

/** Finds instructors of all schools by any combination of name, certification, place and free time. */
@Injectable()
export class InstructorSearchService {
  constructor(
    private readonly instructors: InstructorSearchRepository,
    private readonly rpc: RpcClient,
    private readonly accounts: AccountsService,
    private readonly clocks: AccountClocksService,
    private readonly days: CertifiedDaysService,
  ) {}

  @Serve(listInstructors)
  async list(requested: SearchInput, context: RequestContext): Promise<Page<ListedInstructor>> {
    const criteria = await this.criteriaOf(requested, context);
    const { items, pagination } = await this.find(criteria, requested, context);
    return { items: items.map((found) => toListed(found, criteria)), pagination };
  }

  private async criteriaOf(requested: SearchInput, context: RequestContext): Promise<Criteria> {
    const { account_id: accountIds, search, certification, available_date: available } = requested;
    const { ids, updated_from, updated_to, metadata } = requested;
    const withReviews = requested.expand !== undefined;
    const common = { ids, updated_from, updated_to, metadata };
    const filters = { accountIds, search, certification, place: placeOf(requested), common };
    const heldOn = await this.days.daysFor(filters, available, context);
    return { ...filters, available, heldOn, withReviews };
  }

  // The database filters neither by distance nor by free time: for these, all other matches are loaded and filtered here.
  private async find(criteria: Criteria, requested: SearchInput, context: RequestContext): Promise<Page<Found>> {
    const { place, available } = criteria;
    if (!place && available === undefined) return this.instructors.list(context, criteria, requested);
    if (available === undefined)
      return this.instructors.pageOf(
        context,
        await this.instructors.findCandidates(context, criteria),
        criteria,
        requested,
      );
    const candidates = await this.instructors.findHourlyCandidates(context, { ...criteria, available });
    return this.instructors.pageOf(context, await this.onlyFree(candidates, available, context), criteria, requested);
  }

  /** Scheduling knows busy time; one request contains all candidates with their rules. */
  private async onlyFree(candidates: HourlyCandidate[], at: string, context: RequestContext): Promise<Candidate[]> {
    const free = new Set<string>();
    for (const batch of inBatches(await this.accounts.ofOpenSchools(candidates))) {
      const instructors = await this.clocks.withLaterClocks(batch, context);
      const question = { at, durationMinutes: FREE_MINUTES, instructors };
      for (const id of (await this.rpc.call(findFreeInstructors, question, context)).free) free.add(id);
    }
    return candidates.filter(({ id }) => free.has(id));
  }
}

function toListed({ document, distanceKm }: Found, { withReviews }: Criteria): ListedInstructor {
  const { reviews, ...instructor } = instructorOf(document);
  return {
    ...instructor,
    ...(withReviews ? { reviews } : {}),
    ...(distanceKm === undefined ? {} : { distance_km: distanceKm }),
  };
}
