import { Injectable } from '@nestjs/common';
import { findFreeInstructors, type ParsedOf } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { type Answered, accountTime, Clock, type RequestContext } from '@swim/platform';
import { isFree, timeToLookAt } from './free-instructors.rules.js';
import { TakenTimeService } from './taken-time.service.js';

type FreeInstructorsInput = ParsedOf<typeof findFreeInstructors>;

/** Finds which of many instructors are free, by the rules in the request. */
@Injectable()
export class FreeInstructorsService {
  constructor(
    private readonly takenTime: TakenTimeService,
    private readonly clock: Clock,
  ) {}

  @Serve(findFreeInstructors)
  async find(
    { instructors, ...requested }: FreeInstructorsInput,
    context: RequestContext,
  ): Promise<Answered<typeof findFreeInstructors>> {
    const { env } = context.principal;
    const open = instructors.flatMap(({ clockOffsetMs, ...instructor }) => {
      const nowUtc = accountTime(this.clock, env, clockOffsetMs).getTime();
      const query = { ...requested, ...instructor, nowUtc };
      const looked = timeToLookAt(query);
      return looked ? [{ ...query, looked }] : [];
    });
    const free: string[] = [];
    for await (const some of this.takenTime.read(open)) {
      for (const [query, taken] of some) if (isFree({ ...query, ...taken })) free.push(query.id);
    }
    return { free };
  }
}
