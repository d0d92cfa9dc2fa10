import { Injectable } from '@nestjs/common';
import { findFreeInstructors, type Instructor, type listInstructors, type Page, type ParsedOf } from '@swim/contracts';
import { type Call, RpcClient } from '@swim/messaging';
import { Clock } from '@swim/platform';
import { instructorOf } from './instructor.mapper.js';
import { placeOf } from './instructor.rules.js';
import { type Found, InstructorsRepository } from './instructors.repository.js';
import {
  type Candidate,
  FREE_MINUTES,
  type HourlyCandidate,
  inBatches,
  lastDayToHold,
  type Wanted,
} from './search.rules.js';

type Asked = ParsedOf<typeof listInstructors>;

/** Finds instructors of all schools by name, certification, place and free time, all at once. */
@Injectable()
export class InstructorSearchService {
  constructor(
    private readonly instructors: InstructorsRepository,
    private readonly rpc: RpcClient,
    private readonly clock: Clock,
  ) {}

  async list(asked: Asked, call: Call): Promise<Page<Instructor>> {
    const { items, pagination } = await this.find(this.wantedOf(asked), asked, call);
    return {
      items: items.map(({ document, distanceKm }) => ({
        ...instructorOf(document),
        ...(distanceKm === undefined ? {} : { distance_km: distanceKm }),
      })),
      pagination,
    };
  }

  private wantedOf(asked: Asked): Wanted {
    const { search, certification, available_date: available } = asked;
    const heldOn = lastDayToHold(this.clock.now().toISOString().slice(0, 10), available);
    return { search, certification, available, heldOn, place: placeOf(asked) };
  }

  // The database knows neither distances nor who is free: where these count, all that match otherwise are judged here.
  private async find(wanted: Wanted, asked: Asked, call: Call): Promise<Page<Found>> {
    const { place, available } = wanted;
    if (!place && available === undefined) return this.instructors.list(call, wanted, asked);
    if (available === undefined)
      return this.instructors.pageOf(call, await this.instructors.findCandidates(call, wanted), wanted, asked);
    const candidates = await this.instructors.findHourlyCandidates(call, { ...wanted, available });
    return this.instructors.pageOf(call, await this.onlyFree(candidates, available, call), wanted, asked);
  }

  /** Scheduling knows what is taken; it is asked once for all of them, and sent the rules to judge by. */
  private async onlyFree(candidates: HourlyCandidate[], at: string, call: Call): Promise<Candidate[]> {
    const free = new Set<string>();
    for (const batch of inBatches(candidates)) {
      const instructors = batch.map(({ id, timezone, schedule }) => ({ id, timezone, schedule }));
      const answer = await this.rpc.call(findFreeInstructors, { at, durationMinutes: FREE_MINUTES, instructors }, call);
      for (const id of answer.free) free.add(id);
    }
    return candidates.filter(({ id }) => free.has(id));
  }
}
