import {
  type Closure,
  cancelLesson,
  createBooking,
  createClosure,
  createLesson,
  type InputOf,
  type Lesson,
  updateLesson,
} from '@swim/contracts';
import { at, HOUR_MS, type Player, type Request } from './player.js';

export interface LessonInput {
  hour: number;
  capacity: number;
  priceCents: number;
  policies: { requirePrepayment: boolean; lateFeePercent: number };
}

export interface PlacesInput {
  of: number[];
  members: number;
  skip: boolean;
}

/** Lessons with places of the school of a history, and what it was answered about them: the model that the outcome is compared with. */
export class LessonHistory {
  /** The newest answer about each lesson. */
  readonly known = new Map<string, Lesson>();
  readonly closures: Closure[] = [];

  constructor(private readonly player: Player) {}

  async open({ hour, capacity, priceCents, policies }: LessonInput): Promise<void> {
    const { people } = this.player.services;
    const input: InputOf<typeof createLesson> = {
      instructor_id: people.anInstructor(this.player.school.accountId, {}, { ...policies, enforceAvailability: false }),
      date: new Date(Date.now() + hour * HOUR_MS).toISOString(),
      duration_minutes: 30,
      capacity,
      price_cents: priceCents,
    };
    await this.ask({ operation: createLesson, input });
  }

  /** A family books places in some lessons, for new members. */
  async book({ of, members, skip }: PlacesInput): Promise<void> {
    const lesson_ids = [...new Set(of.flatMap((index) => this.at(index)?.id ?? []))];
    if (lesson_ids.length === 0) return;
    const input: InputOf<typeof createBooking> = {
      lesson_ids,
      member_ids: this.player.newMembers(members),
      on_conflict: skip ? 'skip' : 'fail',
    };
    await this.player.book({ operation: createBooking, input });
  }

  async change(index: number, changes: { duration_minutes: number } | { hours: number }): Promise<void> {
    const lesson = this.at(index);
    if (!lesson) return;
    const moved = 'hours' in changes ? { date: laterThan(lesson.date, changes.hours) } : changes;
    const input: InputOf<typeof updateLesson> = { lesson_id: lesson.id, changes: { ...moved, outside_hours: true } };
    await this.ask({ operation: updateLesson, input });
  }

  async cancel(index: number, refund_as: 'payment_method' | 'credit'): Promise<void> {
    const lesson = this.at(index);
    if (lesson) await this.ask({ operation: cancelLesson, input: { lesson_id: lesson.id, refund_as } });
  }

  /** Closes the time of a lesson, as it was known last. */
  async close(index: number): Promise<void> {
    const lesson = this.at(index);
    if (!lesson) return;
    const input: InputOf<typeof createClosure> = {
      instructor_ids: [lesson.instructor_id],
      from: lesson.date,
      to: lesson.end_date,
      reason: 'The boiler is broken',
      lessons: 'cancel',
    };
    const closure = await this.player.request({ operation: createClosure, input }, this.player.school);
    if (closure) this.closures.push(closure as unknown as Closure);
  }

  private at(index: number): Lesson | undefined {
    return at([...this.known.values()], index);
  }

  private async ask(request: Request): Promise<void> {
    const lesson = (await this.player.request(request, this.player.school)) as Lesson | null;
    const known = lesson && this.known.get(lesson.id);
    if (lesson && !(known && known.version > lesson.version)) this.known.set(lesson.id, lesson);
  }
}

const laterThan = (date: string, hours: number): string => new Date(Date.parse(date) + hours * HOUR_MS).toISOString();
