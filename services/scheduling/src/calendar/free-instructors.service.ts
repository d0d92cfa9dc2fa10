import { Injectable } from '@nestjs/common';
import type { Environment, findFreeInstructors, ParsedOf } from '@swim/contracts';
import { type Answered, type Call } from '@swim/messaging';
import { Clock } from '@swim/platform';
import { dayIdsOf } from './claim.rules.js';
import { DaysRepository } from './days.repository.js';
import { isFree, timeToLookAt } from './free-instructors.rules.js';
import type { Span } from './span.rules.js';

type Asked = ParsedOf<typeof findFreeInstructors>;

/** Says of many instructors at once which of them are free, by the rules that the caller sends. */
@Injectable()
export class FreeInstructorsService {
  constructor(
    private readonly days: DaysRepository,
    private readonly clock: Clock,
  ) {}

  async find({ instructors, ...asked }: Asked, call: Call): Promise<Answered<typeof findFreeInstructors>> {
    const nowUtc = this.clock.now().getTime();
    const all = instructors.map(({ id, ...rules }) => {
      const query = { ...asked, ...rules, nowUtc };
      const { startMs, endMs } = timeToLookAt(query);
      return { id, query, dayIds: dayIdsOf(id, startMs, endMs) };
    });
    const taken = await this.takenOn(
      call.principal.env,
      all.flatMap(({ dayIds }) => dayIds),
    );
    const busyOn = (dayIds: string[]) => dayIds.flatMap((dayId) => taken.get(dayId) ?? []);
    const free = all.filter(({ query, dayIds }) => isFree({ ...query, busy: busyOn(dayIds) }));
    return { free: free.map(({ id }) => id) };
  }

  /** One query for the days of all of them. */
  private async takenOn(env: Environment, dayIds: string[]): Promise<Map<string, Span[]>> {
    const days = await this.days.findTaken(env, dayIds);
    const spansOf = (busy: (typeof days)[number]['busy']) =>
      busy.map(({ s, e }) => ({ startMs: s.getTime(), endMs: e.getTime() }));
    return new Map(days.map(({ _id, busy }) => [_id, spansOf(busy)]));
  }
}
