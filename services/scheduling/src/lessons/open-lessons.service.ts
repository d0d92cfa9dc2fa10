import { Injectable } from '@nestjs/common';
import type { PlacedMember } from '@swim/contracts';
import { CalendarService } from '../calendar/calendar.service.js';
import type { LessonDocument } from '../calendar/places/lesson.schema.js';
import { PoolsService } from '../pools/pools.service.js';
import { unfitFor } from './eligibility.rules.js';
import { LessonsRepository } from './lessons.repository.js';

// Most often they suffice.
const SOONEST = 16;
const MOST_LOOKED_AT = 100;
const MOST_SUGGESTED = 3;
// Compared with the other lessons of the members: each costs a read for each member.
const MOST_COMPARED = 12;

/** The lesson in which these members would like places. */
export interface Wanted {
  schoolId: string;
  members: readonly PlacedMember[];
  /** Whether levels and ages bind: they do not bind the school. */
  mustFit: boolean;
  /** Lessons that are not suggested. */
  except: readonly string[];
  /** The first instant at which a lesson may begin, in epoch ms. */
  fromMs: number;
  /** The zone of a lesson outside a pool. */
  timezone: string;
}

/** Finds lessons with free places. */
@Injectable()
export class OpenLessonsService {
  constructor(
    private readonly lessons: LessonsRepository,
    private readonly pools: PoolsService,
    private readonly calendar: CalendarService,
  ) {}

  /** Up to three bookable lessons of a school, the soonest first, with places for these members, who fit and are free. */
  async suggest(wanted: Wanted): Promise<LessonDocument[]> {
    const soonest = await this.suggestAmong(SOONEST, wanted);
    return soonest.length === MOST_SUGGESTED ? soonest : this.suggestAmong(MOST_LOOKED_AT, wanted);
  }

  private async suggestAmong(most: number, wanted: Wanted): Promise<LessonDocument[]> {
    const { schoolId, members, mustFit, except, fromMs, timezone } = wanted;
    const open = await this.lessons.findOpen(schoolId, new Date(fromMs), most);
    const zones = await this.pools.findZones(open.flatMap(({ location }) => location?.pool_id ?? []));
    const fits = (lesson: LessonDocument) => {
      const zone = zones.get(lesson.location?.pool_id ?? '') ?? timezone;
      return !mustFit || members.every((member) => unfitFor(lesson, member, zone) === null);
    };
    const hasRoom = ({ _id, capacity, busy }: LessonDocument) =>
      !except.includes(_id) && capacity - busy.length >= members.length;
    const fitting = open.filter((lesson) => hasRoom(lesson) && fits(lesson)).slice(0, MOST_COMPARED);
    const free = await Promise.all(fitting.map((lesson) => this.areFree(members, lesson)));
    return fitting.filter((_, index) => free[index]).slice(0, MOST_SUGGESTED);
  }

  private async areFree(members: readonly PlacedMember[], { start, end }: LessonDocument): Promise<boolean> {
    const busy = members.map(({ id }) => this.calendar.busy(id, start.getTime(), end.getTime()));
    return (await Promise.all(busy)).flat().length === 0;
  }
}
