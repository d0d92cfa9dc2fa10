import type { SessionDocument } from '../../src/sessions/storage/session.schema.js';
import { SessionsRepository } from '../../src/sessions/storage/sessions.repository.js';
import type { SchedulingHarness } from '../harness.js';

/** The fields that a write of a session sets. */
export type SetFields = Partial<SessionDocument>;

type Commit = (now: SessionDocument, decision: { set: SetFields }, context: unknown) => Promise<unknown>;

/** Has this done before each write of a session from now on; when it throws, the write is not made. */
export function beforeEachCommit(
  { service }: SchedulingHarness,
  work: (now: SessionDocument, set: SetFields) => Promise<void> | undefined,
): void {
  const sessions = service.app.get(SessionsRepository, { strict: false }) as unknown as { commit: Commit };
  const commit = sessions.commit.bind(sessions);
  sessions.commit = async (now, decision, context) => {
    await work(now, decision.set);
    return commit(now, decision, context);
  };
}

/** Holds back the first matching write of a session until it is opened. */
export class Gate {
  readonly reached: Promise<void>;
  open!: () => void;
  private readonly opened: Promise<void>;
  private arrive!: () => void;
  private isUsed = false;

  constructor(
    private readonly sessionId: string,
    private readonly holdsBack: (set: SetFields) => boolean,
  ) {
    this.reached = new Promise((resolve) => (this.arrive = resolve));
    this.opened = new Promise((resolve) => (this.open = resolve));
  }

  async pass({ _id }: SessionDocument, set: SetFields): Promise<void> {
    if (_id !== this.sessionId || this.isUsed || !this.holdsBack(set)) return;
    this.isUsed = true;
    this.arrive();
    await this.opened;
  }
}
