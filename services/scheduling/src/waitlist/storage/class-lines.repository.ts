import { Injectable } from '@nestjs/common';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { dueAtOnce } from '../../calendar/places/places.repository.js';
import { type ClassDocument, classSchema } from '../../lessons/classes/class.schema.js';

const LEASE_MS = 10_000;

const REASON = 'the line of a class has entries of all accounts';
const system = asSystem(REASON);

/** The classes with a line, and when each line is served: what `LinesRepository` is for lessons. */
@Injectable()
export class ClassLinesRepository extends Repository<ClassDocument> {
  readonly due = this.work({
    name: 'lines of classes',
    due: 'lineDueAt',
    counts: ['lineRev'],
    leaseMs: LEASE_MS,
    reason: REASON,
  });

  constructor(databases: Databases) {
    super(databases.collection('classes', classSchema));
  }

  find(classId: string): Promise<ClassDocument | null> {
    return this.lookUp(system, classId);
  }

  /** A class as it is now, while the run that has taken its line over still has it. */
  async findHeld({ _id, lineDueAt }: ClassDocument): Promise<ClassDocument | null> {
    const now = await this.find(_id);
    return now?.lineDueAt?.getTime() === lineDueAt?.getTime() ? now : null;
  }

  /** Has the line of a class served, in which somebody waits by now. */
  async enter(classId: string): Promise<void> {
    const lineRev = { $add: [{ $ifNull: ['$lineRev', 0] }, 1] };
    const lineDueAt = { $ifNull: ['$lineDueAt', dueAtOnce()] };
    const entered = { isAwaited: true, lineRev, lineDueAt, rev: { $add: ['$rev', 1] } };
    await this.update(system, { _id: classId }, [{ $set: entered }]);
  }
}
